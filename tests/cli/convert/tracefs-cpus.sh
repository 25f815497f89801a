# SPDX-License-Identifier: GPL-2.0-or-later
# Folders of a tracefs copy that hold CPU data and are called like no CPU, or like one that is
# there already: each is told of with its size, and the exit status is 1. Empty ones are not.
# So is a CPU whose stats count events that were not copied, CPU data in other places, and
# events without a format.
# Expectation: by hand: each bad name with exit status 1, the events of the CPUs that have a
# number, the highest number that is one, the 632 entries that stats of CPU 1 has, and the id
# of the format that is taken away
set -eu
cp -r "$FIXTURES/foreign/tracefs/x64-fgraph" t
chmod -R u+w t
"$TDAT" convert -q --from tracefs -o want.dat t
"$TDAT" dump want.dat >want
raw=t/per_cpu/cpu0/trace_pipe_raw
for name in cpu70000 cpu-1 cpu4294967297 cpu65536 cpu cpu0x1 core0 cpu00; do
	mkdir "t/per_cpu/$name"
	cp "$raw" "t/per_cpu/$name/trace_pipe_raw"
	rc=0
	"$TDAT" convert -q --from tracefs -f -o out.dat t 2>err || rc=$?
	echo "$name: exit $rc, $(sed 's/^[^:]*: //' err)"
	"$TDAT" dump out.dat | cmp - want || echo "$name: other events"
	: >"t/per_cpu/$name/trace_pipe_raw"
	"$TDAT" convert -q --from tracefs -f -o out.dat t || echo "$name, empty: exit $?"
	rm -r "t/per_cpu/$name"
done
for name in trace_pipe_raw per_cpu2/cpu0/trace_pipe_raw per_cpu/cpu0/a/trace_pipe_raw \
	per_cpu/cpu0/snapshot_raw.1 instances/i/trace_pipe_raw per_cpu/cpu0/trace_pipe_raw.gz; do
	mkdir -p "t/$(dirname $name)"
	cp "$raw" "t/$name"
	rc=0
	"$TDAT" convert -q --from tracefs -f -o out.dat t 2>err || rc=$?
	echo "$name: exit $rc, $(sed 's/^[^:]*: //' err)"
	"$TDAT" dump out.dat | cmp - want || echo "$name: other events"
	rm "t/$name"
	find t -type d -empty -delete
done
mkdir -p t/per_cpu/cpu65535 t/instances/i/per_cpu/cpu65537
cp "$raw" t/per_cpu/cpu65535/trace_pipe_raw
cp "$raw" t/instances/i/per_cpu/cpu65537/trace_pipe_raw
"$TDAT" convert -q --from tracefs -f -o out.dat t || echo "exit $?"
"$TDAT" info --json out.dat | jq -c '.[0].buffers[].cpus[-1].cpu'
rm -r t/instances t/per_cpu/cpu65535
rm t/per_cpu/cpu1/trace_pipe_raw # its stats still count events
rc=0
"$TDAT" convert -q --from tracefs -f -o out.dat t 2>err || rc=$?
echo "no data of CPU 1: exit $rc, $(cat err)"
mv t/events/ftrace/funcgraph_entry/format format
grep ID: format
rc=0
"$TDAT" convert -q --from tracefs -f -o out.dat t 2>err || rc=$?
echo "a format is not there: exit $rc, $(grep 'events/' err)"
"$TDAT" dump out.dat 2>&1 >dump | cut -c1-80
: >t/trace_clock
"$TDAT" convert -q --from tracefs -f -o out.dat t 2>&1 | grep clock
