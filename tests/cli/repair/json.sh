# SPDX-License-Identifier: GPL-2.0-or-later
# The report of a repair is given as JSON.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 is tdat(1)'s rule
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" repair --json -o fixed.dat cut.dat
