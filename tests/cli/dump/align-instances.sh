# SPDX-License-Identifier: GPL-2.0-or-later
# --align-ts: zero is the first event of the top buffer, also when an instance has earlier
# ones, whose times lie below 2^64 ns, and when --cpu leaves it out.
# Expectation: trace-cmd, run here, prints the same; the last line is made by tdat
set -eu
a=$FIXTURES/valid/i386-61-v7-buffers.dat
b=$FIXTURES/valid/x64-61-v6-tiny.dat
for options in "$a" "-t $a" "--ts-diff $a" "-i $a -i $b" "-i $b -i $a" "--cpu 1 $b"; do
	trace-cmd report --align-ts $options >want 2>/dev/null
	"$TDAT" dump --compat debian12 --align-ts $options >got
	cmp want got || echo "$options"
done
trace-cmd report --align-ts "$a" 2>/dev/null | grep -c ' 18446744073[.]'

# Without events in the top buffer trace-cmd aligns nothing; tdat takes the instances'.
"$TDAT" split -q --buffer foo -o foo.dat -i "$a"
"$TDAT" dump --align-ts foo.dat.1 | sed -n 2p
