# SPDX-License-Identifier: GPL-2.0-or-later
# What texts say besides events is kept: losses, unknown clocks and tasks, times that no clock has. Many
# CPUs take little room. Texts of trace-cmd report are read in each of its layouts.
# Expectation: by hand
line() {
	printf '%16s-%-7d [%03d] d..2. %12s: %s\n' "$@"
}
{
	echo '# tracer: nop'
	echo '# entries-in-buffer/entries-written: 3/10   #P:2'
	line bash 1 1 1.000001 'foo: a'
	echo '##### CPU 0 buffer started ####'
	line '<...>' 2 0 1.000002 'foo: b'
	line bash 1 1 1.000003 'foo: c'
} >lost
sed 's/#P:2/#P:1/; /\[000\]/d; /started/d' lost >one
for text in lost one; do
	"$TDAT" info $text | grep -E '^  (Made by|Clock|Events)|^ +[01] '
	"$TDAT" stat $text | sed -n '3,6p'
done
# A time that 64 bits do not hold.
{
	line bash 1 0 18446744073.000001 'foo: a'
	line bash 1 0 18446744074.000001 'foo: b'
	line bash 1 0 99999999999999999999.000001 'foo: c'
} >late
"$TDAT" dump late || echo "exit $?"
# A page of 4 KiB for each of many CPUs; a bound on all of them.
for cpu in $(seq 0 1999); do
	line bash 1 "$cpu" "1.$((cpu + 100000))" 'foo: a'
done >cpus
"$TDAT" stat --max imported=20M --json cpus | grep -c '"cpu":'
"$TDAT" stat --max imported=1M --json cpus || echo "exit $?"
# Text of trace-cmd report: calls of function_graph, -l, --ts-diff.
{
	echo 'cpus=1'
	echo '            bash-1     [000]     1.000001: funcgraph_entry:                   |  outer() {'
	echo '            bash-1     [000]     1.000002: funcgraph_entry:      + 76.580 us  |    leaf();'
	echo '            bash-1     [000]     1.000003: funcgraph_entry:      1000000 us   |    long_leaf();'
	echo '            bash-1     [000]     1.000090: funcgraph_exit:       ! 183.611 us |  }'
} >graph
"$TDAT" dump graph
{
	echo 'cpus=1'
	echo '            bash-1     [000]     1.000001:          foo:                  a'
	echo '            bash-1     [000]     1.000740: (+739)   foo:                  b'
} >diff
"$TDAT" dump diff
{
	echo 'cpus=1'
	echo '    bash-1       0d.h1.     1.000001: foo:                  a'
	echo ' migrati-12      0d..2.     1.000740: foo:                  b'
} >latency
"$TDAT" dump latency
# A page of old versions of systrace.
{
	printf '%s\n' '<!DOCTYPE HTML>' '<html><script>' '  var linuxPerfData = "\' '# tracer: nop\n\'
	line bash 1 0 1.000001 'foo: a' | sed 's/$/\\n\\/'
	line bash 1 0 1.000002 'foo: b' | sed 's/$/\\n\\/'
	printf '%s\n' '\n";' '</script></html>'
} >page.html
"$TDAT" dump page.html
# The check of times reads the files that report reads.
"$TDAT" report --ts-check page.html | sed -n '$p'
