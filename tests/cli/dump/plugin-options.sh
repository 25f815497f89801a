# SPDX-License-Identifier: GPL-2.0-or-later
# -O and --plugin-dir print what trace-cmd report prints with the same plugins.
# Expectation: trace-cmd, run here, prints the same
set -eu
f=$FIXTURES/valid/i386-61-function.dat
g=$FIXTURES/valid/i386-61-fgraph.dat
dir=$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins
for o in parent offset ftrace:parent indent=0; do
	trace-cmd report -O "$o" "$f" >want 2>/dev/null
	"$TDAT" dump --compat debian12 -O "$o" "$f" >got
	cmp want got
done
for k in s390x-61-kstack arm64-16k-612-kstack; do # addresses of kernel_stack
	trace-cmd report -O offset "$FIXTURES/valid/$k.dat" >want 2>/dev/null
	grep -q '^=> .*+0x.*  (' want
	"$TDAT" dump --compat debian12 -O offset "$FIXTURES/valid/$k.dat" >got
	cmp want got
done
trace-cmd report -O tailprint -O fgraph:depth "$g" >want 2>/dev/null
"$TDAT" dump --compat debian12 -O tailprint -O fgraph:depth "$g" >got
cmp want got
trace-cmd report -O parent "$f" >want 2>/dev/null
"$TDAT" dump --compat debian12 --plugin-dir "$dir" -O parent "$f" >got
cmp want got
