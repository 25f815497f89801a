# SPDX-License-Identifier: GPL-2.0-or-later
# The option --pid chooses events of tasks and those that switch to them.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '--pid' '15,17' "$FIXTURES/valid/i386-61-v6-sched.dat"
