# SPDX-License-Identifier: GPL-2.0-or-later
# A filter behind -v leaves events out, as in trace-cmd.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'sched: common_pid != 0' '-v' '-F' 'sched_st.*' '-F' 'sched_switch: prev_state & 1' '-F' 'sched_wakeup' "$FIXTURES/valid/i386-61-v6-sched.dat"
