# SPDX-License-Identifier: GPL-2.0-or-later
# perf script's text is converted and printed again: tasks, CPUs, times and texts are those of the text.
# Names of tasks hold blanks, brackets, colons and slashes. -F leaves columns out, which stay unknown.
# Expectation: compared here with the text of perf, which each dump prints again; made by tdat: samples, call chains and texts with fewer columns
texts=$FIXTURES/foreign/perf-text
plain() {
	sed -E -e 's/^ +//' -e 's/ +$//' -e 's/^(.*[^ ]) +([0-9]+\/)?([0-9]+) +\[([0-9]+)\] +([0-9.]+): +[a-z_]+:([a-z0-9_]+): /\1-\3 [\4] \5: \6: /' \
		-e 's/^swapper-0 /<idle>-0 /'
}
# The last columns of dump, with one blank between them.
dumped() {
	sed -E -e '/^cpus=/d' -e 's/^ +//' -e 's/ +$//' -e 's/^(.*-[0-9]+) +(\[[0-9]+\]) +([0-9.]+: [a-z0-9_]+:) +/\1 \2 \3 /'
}
for name in syscalls comms ns; do
	"$TDAT" convert -q -f -o $name.dat "$texts/$name" || echo "exit $?"
	case $name in
	syscalls) "$TDAT" dump --compat 3.1 -N $name.dat ;;
	comms) "$TDAT" dump $name.dat ;;
	ns) "$TDAT" dump -N -t $name.dat ;;
	esac | dumped >got
	plain <"$texts/$name" >want
	# A dump of trace-cmd's has one name for each task.
	[ $name != syscalls ] || sed -i -E 's/^[^[]*-([0-9]+) \[/\1 [/' got want
	cmp want got && echo "$name: $(wc -l <got) lines"
done
for name in mixed nocpu tasks narrow probes; do
	"$TDAT" convert -f -o $name.dat "$texts/$name" || echo "exit $?"
	"$TDAT" dump -t $name.dat | head -18
done
# The same events with fewer columns; a number alone is the thread.
columns() {
	"$TDAT" convert -f -o few.dat few || echo "exit $?"
	"$TDAT" dump few.dat | sed -n 2p
}
sed -E 's/^.{16} +[0-9]+ \[[0-9]+\] +[0-9.]+: *//' "$texts/syscalls" >few
columns
sed -E 's/^.{16} +([0-9]+) (\[[0-9]+\]) +[0-9.]+: */\1 \2 /' "$texts/syscalls" >few
columns
sed -E 's/ \[[0-9]+\] +[0-9.]+: */ /' "$texts/syscalls" >few
columns
sed -E 's/^.{16} +[0-9]+ \[[0-9]+\]//' "$texts/syscalls" >few
columns
# A thread and a name far behind it; an address behind a text, which is no part of its last field.
sed -E 's/^.{16} +([0-9]+) \[[0-9]+\] +[0-9.]+: */\1                    /' "$texts/syscalls" >few
columns
sed -E 's/$/         ce0aebff [unknown]/' "$texts/comms" >few
"$TDAT" convert -q -f -o few.dat few
"$TDAT" dump few.dat | grep -vE '_stack:|^ => ' | dumped >got
plain <"$texts/comms" | cmp - got
printf 'sched_switch: no columns\n' >none
"$TDAT" convert --from perf-text -f -o none.dat none || echo "exit $?"
