# SPDX-License-Identifier: GPL-2.0-or-later
# Twenty events in a file with nothing else that they do not need.
# Expectation: trace-cmd, run here, reports the same of both files; sizes are made by tdat
in=$FIXTURES/valid/x64-lab612-stack-v6-fgraph.dat
for in in $FIXTURES/valid/x64-lab612-stack-v6-fgraph.dat $FIXTURES/valid/x64-lab612-trace-printk.dat \
	$FIXTURES/valid/arm64-16k-612-kstack.dat $FIXTURES/valid/x64-61-syscalls.dat; do
	"$TDAT" split -q -f -i "$in" -o whole -e 20
	"$TDAT" split -q -f -i "$in" -o small -e 20 --shrink
	"$TDAT" check small.1 | sed 's/in [0-9]* pages*/in some pages/'
	"$TDAT" dump whole.1 >dump
	"$TDAT" dump small.1 | cmp dump -
	trace-cmd report whole.1 >report
	trace-cmd report small.1 | cmp report -
	echo "$(basename "$in"): $(stat -c %s whole.1) to $(stat -c %s small.1) bytes"
done
"$TDAT" info --json small.1 | jq -c '.[0].events // empty'
# Nothing at all is a file, too.
cp "$in" in.dat
"$TDAT" split -f -i in.dat -o none --shrink --pid 7777777
"$TDAT" check none.1
trace-cmd report none.1
