# SPDX-License-Identifier: GPL-2.0-or-later
# A cut file becomes a clean one with the same events; the input stays as it was.
# Expectation: compared here: the dump before and after; the report is made by tdat
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
cp cut.dat before.dat
rc=0
"$TDAT" repair -o fixed.dat cut.dat || rc=$?
cmp cut.dat before.dat
"$TDAT" check fixed.dat
"$TDAT" dump cut.dat >a 2>/dev/null || :
"$TDAT" dump fixed.dat >b
cmp a b
exit $rc
