# SPDX-License-Identifier: GPL-2.0-or-later
# What trace-cmd split cuts becomes the same again.
# Expectation: trace-cmd, run here, cuts the file; compared here: the dump before and after;
# counts are made by tdat
in=$FIXTURES/valid/x64-61-v7-none-tiny.dat
trace-cmd split -i "$in" -o part -e 20 -r >/dev/null 2>&1
ls part* | wc -l
"$TDAT" merge --as parts -o out.dat part*
"$TDAT" check out.dat
"$TDAT" dump "$in" >want
"$TDAT" dump out.dat | cmp - want
