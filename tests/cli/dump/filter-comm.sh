# SPDX-License-Identifier: GPL-2.0-or-later
# A filter with COMM chooses by names of tasks, as in trace-cmd.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'sched_switch: COMM =~ "^work" && next_comm !~ "swapper"' "$FIXTURES/valid/s390x-61-v6-sched.dat"
