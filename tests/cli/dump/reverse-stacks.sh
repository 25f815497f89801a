# SPDX-License-Identifier: GPL-2.0-or-later
# An event of several lines keeps their order; header lines stay first.
# Expectation: made by tdat; that values, names and functions are libtraceevent's is compared by
# tests/unit/table/test_cells.c
"$TDAT" dump --reverse --limit 2 "$FIXTURES/valid/s390x-61-kstack.dat"
"$TDAT" dump --csv --reverse --limit 2 -e sched_switch "$FIXTURES/valid/s390x-61-kstack.dat"
