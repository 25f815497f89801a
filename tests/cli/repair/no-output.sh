# SPDX-License-Identifier: GPL-2.0-or-later
# Without an output repair is wrong usage.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" repair "$FIXTURES/valid/x64-61-v6-tiny.dat"
