# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of texts are those of the lines that the texts have: perf's call chains, and what the kernel prints with
# option stacktrace; offsets go, and an address without a name stays one.
# Expectation: by hand from the lines
"$TDAT" convert -q -f -o perf.dat "$FIXTURES/foreign/perf-text/mixed"
"$TDAT" flame perf.dat | head -3
printf '# tracer: nop\n#\n' >trace
{
	echo '            task-12      [001] d..2.   100.000001: sched_waking: comm=a pid=1 prio=120 target_cpu=000'
	echo '            task-12      [001] d..2.   100.000002: <stack trace>'
	printf ' => inner+0x1/0x20\n => cafe\n => outer <ffffffff81000000>\n => 0xffffffffc04bb083\n'
	echo '            task-12      [001] d..2.   100.000003: <user stack trace>'
	printf ' =>  <00007f480bf4cbd3>\n'
} >>trace
"$TDAT" convert -q -f -o text.dat --from ftrace-text trace
"$TDAT" flame text.dat
"$TDAT" flame --of user-stack text.dat
