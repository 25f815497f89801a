# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks do not follow into a table of another event.
# Expectation: made by tdat; that values, names and functions are libtraceevent's is compared by
# tests/unit/table/test_cells.c
"$TDAT" dump --csv -e sched_switch --limit 5 "$FIXTURES/valid/arm64-16k-612-kstack.dat"
