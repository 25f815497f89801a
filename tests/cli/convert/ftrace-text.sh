# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's text is converted and printed again: all columns but flags, and every event's text,
# are those of the text. Texts without events are refused.
# Expectation: from the kernel, whose text each dump is compared with; made by tdat: function_graph and the latency layout
texts=$FIXTURES/foreign/ftrace-text
# One blank between columns; no flags, thread group, "us" or padding; times in seconds.
plain() {
	sed -E -e '/^#/d' -e '/^CPU:/d' -e '/^<\/?|^  <|^cpus=/{/stack trace/!d}' -e 's/^ +([^ ])/\1/' \
		-e 's/^(.*-[0-9]+) +(\( *[0-9-]+\) )?\[([0-9]+)\] +([^ 0-9][^ ]{3,6} +)?([0-9]+\.[0-9]+): /\1 [\3] \5: /' \
		-e 's/: +/: /' -e 's/([0-9]: [a-z_0-9]+): +/\1: /' -e 's/[ ]+$//'
}
for name in marker pipe tgid report systrace; do
	"$TDAT" convert --from ftrace-text -q -f -o "$name.dat" "$texts/$name"/* || echo "exit $?"
	"$TDAT" dump -N "$name.dat" >"$name.txt"
	plain <"$name.txt" |
		sed -E 's/: print: tracing_mark_write/: tracing_mark_write/' >got
	cat "$texts/$name"/* | plain >want
	cmp want got && echo "$name: $(wc -l <got) lines"
done
# Depths, durations and tasks of function_graph; microseconds and stacks of the latency layout.
for name in graph latency console; do
	"$TDAT" convert --from ftrace-text -f -o "$name.dat" "$texts/$name"/* || echo "exit $?"
	"$TDAT" dump -N "$name.dat" | head -12
done
# Texts of CPUs in a copy of tracefs are put in order; beside the text of all they are not read.
mkdir -p tree/per_cpu/cpu0 tree/per_cpu/cpu1
for cpu in 0 1; do
	grep "\[00$cpu\]" "$texts/tgid/trace.txt" >tree/per_cpu/cpu$cpu/trace
done
"$TDAT" convert --from ftrace-text -q -f -o cpus.dat tree
cp "$texts/tgid/trace.txt" tree/trace
"$TDAT" convert --from ftrace-text -q -f -o all.dat tree
for name in cpus all; do
	"$TDAT" dump -N $name.dat | cmp - tgid.txt && echo "$name: the same"
done
printf 'softirq_raise: vec=1 [action=TIMER]\n' >none
"$TDAT" convert --from ftrace-text -f -o none.dat none || echo "exit $?"
