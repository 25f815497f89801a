# SPDX-License-Identifier: GPL-2.0-or-later
# The option --buffer chooses one buffer instance, or the top one.
# Expectation: compared here: the lines of a buffer with those of the whole dump; complaints are
# made by tdat
f=$FIXTURES/valid/i386-61-v7-buffers.dat
"$TDAT" dump "$f" >all
"$TDAT" dump --buffer foo "$f" >foo
"$TDAT" dump --buffer top "$f" >top
# The rows of each buffer are those of the whole, in the same order.
grep '^foo: ' all >want-foo
grep '^     ' all >want-top
sed 1d foo | cmp - want-foo
sed 1d top | cmp - want-top
"$TDAT" dump --buffer bar "$f" || echo "status $?"
