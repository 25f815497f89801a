# SPDX-License-Identifier: GPL-2.0-or-later
# Buffers chosen and renamed.
# Expectation: trace-cmd, run here, prints the lines of the chosen buffer; counts are made by
# tdat
in=$FIXTURES/valid/i386-61-v7-buffers.dat
say() {
	"$TDAT" check out.1 | sed 's/in [0-9]* pages*/in some pages/'
	"$TDAT" info --json out.1 | jq -c '[.[0].buffers[].name]'
}
"$TDAT" split -q -f -i "$in" -o out && say
"$TDAT" split -q -f -i "$in" -o out -B foo && say
"$TDAT" split -q -f -i "$in" -o out -B foo -t && say
trace-cmd report out.1 >top 2>/dev/null
trace-cmd report "$in" 2>/dev/null | sed -n 's/^foo: *\(.*\)/\1/p' >want
sed -n '2,$p' top | sed 's/^ *//' | cmp want -
"$TDAT" split -q -f -i "$in" -o out --top -b old -B foo -t && say
"$TDAT" split -q -f -i "$in" -o out --buffer foo && say
"$TDAT" split -q -f -i "$in" -o out --file-version 6 --top -b old && say
trace-cmd report out.1 2>/dev/null | sed -n 2p
