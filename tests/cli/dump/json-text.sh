# SPDX-License-Identifier: GPL-2.0-or-later
# JSON with --text has the line of each event.
# Expectation: made by tdat; that values, names and functions are libtraceevent's is compared by
# tests/unit/table/test_cells.c
"$TDAT" dump --json --text --limit 8 "$FIXTURES/valid/i386-61-fgraph.dat"
