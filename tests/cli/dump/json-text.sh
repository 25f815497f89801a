# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --json --text --limit 8 "$FIXTURES/valid/i386-61-fgraph.dat"
