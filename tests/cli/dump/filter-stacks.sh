# SPDX-License-Identifier: GPL-2.0-or-later
# A stack goes with the event that it is of.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'sched_switch: next_pid == 17' "$FIXTURES/valid/arm64-16k-612-kstack.dat"
