# SPDX-License-Identifier: GPL-2.0-or-later
# An event of several lines keeps their order; header lines stay first.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --reverse --limit 2 "$FIXTURES/valid/s390x-61-kstack.dat"
"$TDAT" dump --csv --reverse --limit 2 -e sched_switch "$FIXTURES/valid/s390x-61-kstack.dat"
