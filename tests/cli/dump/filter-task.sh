# SPDX-License-Identifier: GPL-2.0-or-later
# The option --comm chooses events of all tasks with a name.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '--comm' 'cat,dd' "$FIXTURES/valid/s390x-61-v6-sched.dat"
