# SPDX-License-Identifier: GPL-2.0-or-later
# Statistics are given as JSON.
# Expectation: made by tdat, proves only that nothing changed
cp "$FIXTURES/valid/i386-61-markers.dat" markers.dat
"$TDAT" stat --json markers.dat
