# SPDX-License-Identifier: GPL-2.0-or-later
# Page size and byte order from the pages alone: little filled pages of large sizes without a
# header_page, and as many damaged pages as sound ones. Whatever is guessed, a file that
# 'tdat check' finds damaged is never written without a warning and exit 1.
# Expectation: compared here: the events of the same pages converted with their header_page;
# sentences and counts are made by tdat
set -eu

# pages FILE SIZE: the pages of FILE (4096 bytes each), each followed by zeros up to SIZE.
pages() {
	i=0
	while [ $((i * 4096)) -lt "$(stat -c %s "$1")" ]; do
		dd if="$1" bs=4096 skip=$i count=1 status=none
		head -c $(($2 - 4096)) /dev/zero
		i=$((i + 1))
	done
}

# same NAME ARGS: converts t without doubts to the events of want, and to a sound file.
same() {
	name=$1
	shift
	"$TDAT" convert -q --from tracefs -f -o out.dat "$@" t || echo "$name: exit $?"
	"$TDAT" check out.dat >found || { echo "$name:" && cat found; }
	"$TDAT" dump out.dat | cmp - want || echo "$name: other events"
}

for sample in s390x-sched x64-fgraph; do
	rm -rf t
	cp -r "$FIXTURES/foreign/tracefs/$sample" t
	chmod -R u+w t
	rm t/per_cpu/cpu*/stats # which would tell of the pages that are left out below
	for raw in t/per_cpu/cpu*/trace_pipe_raw; do
		cpu=$(basename "$(dirname "$raw")")
		head -c 24576 "$raw" >"whole-$cpu"
		cp "whole-$cpu" "$raw"
	done
	"$TDAT" convert -q --from tracefs -f -o want.dat t
	"$TDAT" dump want.dat >want
	mv t/events/header_page header_page
	for size in 4096 8192 16384 65536 1048576; do
		for raw in t/per_cpu/cpu*/trace_pipe_raw; do
			pages "whole-$(basename "$(dirname "$raw")")" $size >"$raw"
		done
		same "$sample, $size bytes"
	done
	# One page of one CPU.
	mv header_page t/events/header_page
	for raw in t/per_cpu/cpu*/trace_pipe_raw; do
		: >"$raw"
	done
	head -c 4096 whole-cpu0 >t/per_cpu/cpu0/trace_pipe_raw
	"$TDAT" convert -q --from tracefs -f -o want.dat t
	"$TDAT" dump want.dat >want
	mv t/events/header_page header_page
	for size in 4096 16384 65536; do
		head -c 4096 whole-cpu0 >page
		pages page $size >t/per_cpu/cpu0/trace_pipe_raw
		same "$sample, one page of $size bytes"
	done
	mv header_page t/events/header_page
	# As many damaged pages as sound ones, and more: the sound ones tell the byte order.
	for bad in 1 2 5; do
		{
			head -c $((bad * 4096)) /dev/zero | tr '\0' '\377'
			cat page
		} >t/per_cpu/cpu0/trace_pipe_raw
		"$TDAT" convert -q --from tracefs -f -o out.dat t 2>said && echo "exit 0"
		grep -c 'claims 0xffffffffffffffff bytes' said
		"$TDAT" dump out.dat | cmp - want
	done
	# What is wrong is told before it is written.
	head -c 8192 whole-cpu0 >t/per_cpu/cpu0/trace_pipe_raw
	"$TDAT" convert -q --from tracefs --page-size 8192 -f -o out.dat t && echo "exit 0"
	"$TDAT" check out.dat >found && echo "no damage"
	pages page 8192 >t/per_cpu/cpu0/trace_pipe_raw
	"$TDAT" convert -q --from tracefs --page-size 4096 -f -o out.dat t && echo "exit 0"
	"$TDAT" check out.dat >found || cat found
done
