# SPDX-License-Identifier: GPL-2.0-or-later
# JSON has a line for each event, with all fields.
# Expectation: made by tdat; that values, names and functions are libtraceevent's is compared by
# tests/unit/table/test_cells.c
"$TDAT" dump --json --limit 20 "$FIXTURES/valid/i386-61-v6-sched.dat"
"$TDAT" dump --json --buffer foo --limit 3 "$FIXTURES/valid/i386-61-v7-buffers.dat"
