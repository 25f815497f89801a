# SPDX-License-Identifier: GPL-2.0-or-later
# Names of user events that trace-cmd cannot read: told of, or written so that it can.
# Expectation: trace-cmd, run here, prints half of the golden; sentences and the lines of dump
# are made by tdat
cat >defs.txt <<'EOF'
test u32 count; char[16] name
test u64 count
a-b u32 n
a_b u32 n
EOF
cat >log.txt <<'EOF'
1000 0 7 000000000500000061626300000000000000000000000000
2000 0 8 010000000900000000000000
3000 0 9 0200000003000000
4000 0 9 0300000004000000
EOF
for names in "" --word-names; do
	"$TDAT" convert --from user_events --multi-format $names --compression none -f -o out.dat \
		defs.txt log.txt && echo "exit 0" || echo "exit $?"
	trace-cmd report out.dat
	"$TDAT" dump out.dat
done
sed -i 1d defs.txt
sed -i -e 1d -e 's/ 0\([0-9]\)000000/ 0#\1000000/' -e 's/#1/0/' -e 's/#2/1/' -e 's/#3/2/' log.txt
"$TDAT" convert --from user_events --word-names --compression none -q -f -o out.dat defs.txt log.txt
trace-cmd report out.dat
