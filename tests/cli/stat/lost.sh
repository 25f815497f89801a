# SPDX-License-Identifier: GPL-2.0-or-later
# Statistics say how many events were lost.
# Expectation: made by tdat, proves only that nothing changed
cp "$FIXTURES/valid/x64-lab612-lost-v6.dat" lost.dat
"$TDAT" stat --top 3 lost.dat
