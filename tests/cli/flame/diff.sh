# SPDX-License-Identifier: GPL-2.0-or-later
# Two trees of stacks as one: lines have both weights, text both shares, and the picture opens as the others do.
# Expectation: compared here: the columns are those of both files alone; other lines are made by tdat
a=$FIXTURES/valid/i386-61-fgraph.dat
b=$FIXTURES/valid/x64-lab612-stack-v6-fgraph.dat
"$TDAT" flame --of function --diff "$a" "$b" >both
"$TDAT" flame --of function "$a" >a
"$TDAT" flame --of function "$b" >b
awk '$(NF - 1) { n = $NF; $NF = ""; sub(/ $/, ""); print }' both | cmp - a
awk '$NF { n = $NF; NF -= 2; print $0, n }' both | cmp - b
"$TDAT" flame --of function --diff --to text "$a" "$b" | head -n 6
"$TDAT" flame --of function --diff --to text "$a" "$a" | awk 'NR > 3 && ($5 != "+0.0" || $6 != "+0.0") && !/more callees/'
"$TDAT" flame --of function --diff -o d.svg "$a" "$b"
python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" d.svg
grep -c '<g data-x' d.svg
run() {
	"$TDAT" flame "$@" 2>&1 >/dev/null && echo "exit 0" || echo "exit $?"
}
run --diff "$a"
run --diff --to speedscope "$a" "$b"
run --diff "$a" "$FIXTURES/valid/s390x-61-kstack.dat"
