# SPDX-License-Identifier: GPL-2.0-or-later
# A filter compares numbers of fields, as in trace-cmd.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'sched_switch: prev_pid == 0 && next_pid < 20' "$FIXTURES/valid/i386-61-v6-sched.dat"
