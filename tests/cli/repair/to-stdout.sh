# SPDX-License-Identifier: GPL-2.0-or-later
# Where the output is standard output, the report goes to standard error, so that the file is sound.
# Expectation: by hand
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" repair -q -o want.dat cut.dat || true
same() {
	cmp got.dat want.dat && echo "the same; $(head -n 1 report)"
}
"$TDAT" repair -o - cut.dat >got.dat 2>report || true
same
"$TDAT" repair --json -o - cut.dat >got.dat 2>report || true
same
"$TDAT" repair -o - cut.dat 2>report | cat >got.dat
same
"$TDAT" repair -o /dev/stdout cut.dat 2>report | cat >got.dat
same
