# SPDX-License-Identifier: GPL-2.0-or-later
# Names of the files, and what is said of them.
# Expectation: made by tdat, proves only that nothing changed; by hand: which files there are
cp "$FIXTURES/valid/x64-61-v7-none-tiny.dat" trace.dat
"$TDAT" split -e 10
"$TDAT" split -r -e 80
"$TDAT" split -q -o piece -e 10
"$TDAT" split -q -o piece --exact -e 10
"$TDAT" split -q -o - -e 10 | cmp - piece
"$TDAT" split -q -i "$FIXTURES/valid/x64-61-v6-tiny.dat" -o six -r -c -e 80
cmp piece piece.1
ls
"$TDAT" split -o piece -e 11 || echo "status $?"
cmp piece piece.1
"$TDAT" split -f -o piece -e 11
"$TDAT" info --json six.0001 piece.1 | jq -c '.[] | [.version, .compression]'
