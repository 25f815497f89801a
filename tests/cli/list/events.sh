# SPDX-License-Identifier: GPL-2.0-or-later
# Events, systems, fields, and a format as it is stored.
# Expectation: trace-cmd, run here, lists the same events; the rest is made by tdat
set -eu
f=$FIXTURES/valid/x64-61-v6-tiny.dat
"$TDAT" list -i "$f" 'sched:*'
"$TDAT" list -i "$f" --systems
"$TDAT" list -i "$f" --fields ftrace:print
"$TDAT" list -i "$f" sched:sched_switch
"$TDAT" list -i "$f" --json sched_switch
# Both ways to write the full name are one.
"$TDAT" list -i "$f" sched/sched_switch >slash
"$TDAT" list -i "$f" sched:sched_switch | cmp - slash
# The same events as trace-cmd lists.
trace-cmd report -E -i "$f" 2>/dev/null | grep : | sort >want
"$TDAT" list -i "$f" | LC_ALL=C sort >got
LC_ALL=C sort want | diff - got
# The two fields of __rel_loc in this recording.
"$TDAT" list -i "$FIXTURES/valid/x64-lab612-user-events.dat" --json --fields | grep -c '"kind": "relative"'
