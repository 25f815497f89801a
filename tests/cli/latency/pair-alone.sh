# SPDX-License-Identifier: GPL-2.0-or-later
# A pair without --table is what is asked for; --table chooses otherwise.
# Expectation: by hand
pair='x: sched/sched_waking(pid) -> sched/sched_switch(next_pid)'
file=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
"$TDAT" latency --pair "$pair" "$file" | grep ^dur
"$TDAT" latency --pair "$pair" --table wakeup "$file" | grep ^dur
"$TDAT" latency --pair "$pair" "$file" >alone
"$TDAT" latency --pair "$pair" --table x "$file" | cmp - alone
