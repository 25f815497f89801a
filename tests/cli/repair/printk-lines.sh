# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of printk formats that no kernel writes are told of; what readers take of them stays in the
# repaired file.
# Expectation: by hand; the events of the repaired file are those that dump gave
file=$FIXTURES/valid/x64-lab612-trace-printk.dat
LC_ALL=C sed 's/^0x\(ffff[0-9a-f]* : "\)/zx\1/' "$file" >address.dat
LC_ALL=C sed 's/^\(0xffff[0-9a-f]* : ".*\)"$/\1./' "$file" >quote.dat
for f in address quote; do
	"$TDAT" check $f.dat || echo "check: exit $?"
	"$TDAT" dump $f.dat >events || echo "dump: exit $?"
	"$TDAT" repair -f -o fixed.dat $f.dat || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump fixed.dat | diff events -
done
