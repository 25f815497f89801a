# SPDX-License-Identifier: GPL-2.0-or-later
# JSON says how many events were lost before one.
# Expectation: made by tdat; that values, names and functions are libtraceevent's is compared by
# tests/unit/table/test_cells.c
"$TDAT" dump --json "$FIXTURES/valid/x64-lab612-lost-v6.dat" | grep '"lost"'
