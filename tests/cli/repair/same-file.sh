# SPDX-License-Identifier: GPL-2.0-or-later
# Neither name of the input is written to.
# Expectation: made by tdat, proves only that nothing changed; by hand: both names are refused
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" in.dat
ln in.dat other.dat
! "$TDAT" repair -f -o in.dat in.dat
"$TDAT" repair -f -o other.dat in.dat
