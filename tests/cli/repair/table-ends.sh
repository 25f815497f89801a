# SPDX-License-Identifier: GPL-2.0-or-later
# Tables of text that end within a line, that say two things of one task or address, or whose pids
# are none are told of, by check and dump alike; the repaired file is clean and prints the same.
# Expectation: by hand; the events of the repaired file are those that dump gave
file=$FIXTURES/valid/x64-lab612-trace-printk.dat
LC_ALL=C sed '/^115 trace-cmd$/{N;s/\n/./}' "$file" >end.dat
LC_ALL=C sed 's/^104 insmod$/103 insmod/' "$file" >task.dat
LC_ALL=C sed 's/^118 insmod$/0x8 insmod/' "$file" >number.dat
LC_ALL=C sed 's/^0xffffffff8195f295 : /0xffffffff8195f285 : /' "$file" >address.dat
for f in end task number address; do
	! cmp -s "$file" $f.dat || echo "$f: not changed"
	"$TDAT" check $f.dat || echo "check: exit $?"
	"$TDAT" dump $f.dat >events || echo "dump: exit $?"
	"$TDAT" repair -f -q -o fixed.dat $f.dat || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump fixed.dat | diff events -
done

# The last line of a copied table counts, whatever ends it.
cp -r "$FIXTURES/foreign/tracefs/x64-fgraph" copy
chmod -R u+w copy
"$TDAT" convert --from tracefs -q -o want.dat copy
for table in kallsyms printk_formats saved_cmdlines; do
	[ ! -s copy/$table ] || truncate -s -1 copy/$table
done
"$TDAT" convert --from tracefs -q -o got.dat copy || echo "convert: exit $?"
cmp want.dat got.dat && echo "the same file"
