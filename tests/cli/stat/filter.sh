# SPDX-License-Identifier: GPL-2.0-or-later
# What is counted is what dump prints.
# Expectation: compared here: the count of stat stands above that of dump's lines; both are made
# by tdat
f=$FIXTURES/valid/s390x-61-v6-sched.dat
"$TDAT" stat --exact -F 'sched_switch: prev_pid == 0' --from +10ms "$f" | grep 'sched/sched_switch'
"$TDAT" dump -F 'sched_switch: prev_pid == 0' --from +10ms "$f" | sed 1d | wc -l
"$TDAT" stat -e 'sched_w*' --cpu 1 --json "$f" | grep -m 1 '"events"'
"$TDAT" dump -e 'sched_w*' --cpu 1 "$f" | sed 1d | wc -l
