# SPDX-License-Identifier: GPL-2.0-or-later
# Every capture of every importer: trace-cmd, dump and (where KSHARK_COUNT names the
# program that counts with it) KernelShark's library find as many events as convert
# says it wrote, without a word on stderr.
# Expectation: trace-cmd and KernelShark's library, run here, count the events
files=0
check() { # FILE: what convert wrote, its summary in messages
	n=$(sed -n 's/.*out.dat: \([0-9]*\) events\{0,1\} .*/\1/p' messages | tail -1)
	trace-cmd report -t out.dat >report 2>complaints || echo "$1: report failed"
	[ ! -s complaints ] || { echo "$1: trace-cmd says:" && cat complaints; }
	r=$(grep -c '^[^[]* \[[0-9]*\] *[0-9.]*: ' report || :)
	d=$("$TDAT" dump --json out.dat | wc -l)
	[ "$r" = "$n" ] && [ "$d" = "$n" ] || echo "$1: $n written, $r reported, $d dumped"
	if [ -n "${KSHARK_COUNT:-}" ] && [ "$n" -gt 0 ]; then
		k=$("$KSHARK_COUNT" out.dat 2>/dev/null | awk '{ print $1 }')
		[ "$k" = "$n" ] || echo "$1: $n written, KernelShark's library finds $k"
	fi
	files=$((files + 1))
}
for base in "$FIXTURES/foreign" ${SHARED:+"$SHARED/samples"}; do
	for in in "$base"/kmemtrace/*/ "$base"/ktr/*/ "$base"/gtsc/*/ "$base"/ftrace-text/*/ \
		"$base"/perf/*/; do
		rm -f out.dat
		"$TDAT" convert --compression none -o out.dat "$in" 2>messages || :
		[ ! -e out.dat ] || check "$in"
	done
	for order in little:le big:be; do
		rm -f out.dat
		"$TDAT" convert --from user_events --definitions "$base/user_events/defs.txt" \
			--endian "${order%:*}" --compression none -o out.dat \
			"$base/user_events/writes_${order#*:}.txt" 2>messages
		check "$base/user_events/${order#*:}"
	done
done
[ $files -ge 45 ] || echo "only $files files"
