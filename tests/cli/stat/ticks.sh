# SPDX-License-Identifier: GPL-2.0-or-later
# Statistics of a clock that counts ticks have no seconds.
# Expectation: made by tdat, proves only that nothing changed
cp "$FIXTURES/valid/x64-61-clock-x86-tsc.dat" tsc.dat
LC_ALL=C "$TDAT" stat --top 2 tsc.dat
