# SPDX-License-Identifier: GPL-2.0-or-later
# Expected: trace-cmd 3.1.6 report with these options and libtraceevent 1.7.1.
"$TDAT" dump --compat debian12 '-F' 'sched_switch: COMM =~ "^work" && next_comm !~ "swapper"' "$FIXTURES/valid/s390x-61-v6-sched.dat"
