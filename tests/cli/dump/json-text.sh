# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --json --text --limit 8 "$FIXTURES/valid/i386-61-fgraph.dat"
