# SPDX-License-Identifier: GPL-2.0-or-later
# JSON of several files is one array.
# Expectation: by hand: names and versions of the two files
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" a.dat
cp "$FIXTURES/valid/x64-61-v7-none-tiny.dat" b.dat
"$TDAT" info --json a.dat b.dat | jq -c "[.[] | {file, version}]"
