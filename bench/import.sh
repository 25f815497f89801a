#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Converts made captures and compares with cp of the same bytes, in one run: MiB/s of input and
# the ratio, by the time that passes; the same on one core, by processor time, and what it is
# where cp makes 3,000 MiB/s; the most memory taken. Medians of five.
# usage: import.sh TDAT KIND|all [MIB] [CPUS]
# KIND: kmemtrace, ktr, gtsc, record, blktrace, ftrace-text, perf, perf-text
set -eu
tdat=$(realpath "$1")
kinds=$2
mib=${3:-512}
cpus=${4:-4}
[ "$kinds" != all ] || kinds="kmemtrace ktr gtsc record blktrace ftrace-text perf perf-text"
. "$(dirname "$(realpath "$0")")/import_lib.sh"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# Sets passed and used, the milliseconds that passed and those of processors; $1 says what runs.
median() {
	for _ in 1 2 3 4 5; do
		rm -rf "$dir/copy" "$dir/out.dat"
		measure="/usr/bin/time -f %e+%U+%S -o $dir/time $core"
		"$@"
		measure=
		tail -n 1 "$dir/time"
	done >"$dir/times"
	passed=$(cut -d+ -f1 "$dir/times" | sort -n | awk 'NR == 3 { print int($1 * 1000) + 1 }')
	used=$(awk -F+ '{ print $2 + $3 }' "$dir/times" | sort -n | awk 'NR == 3 { print int($1 * 1000) + 1 }')
}

copy() { $measure cp -r "$dir/in" "$dir/copy"; }
convert() { convert_capture "$kind" "$dir/in" "$dir/out.dat" --compression "$codec"; }

for kind in $kinds; do
	dir=$top/$kind
	mkdir "$dir"
	make_capture "$kind" "$dir" "$mib" "$cpus"
	core=
	median copy
	cp_ms=$passed
	echo "$kind: cp: $((mib * 1000 / cp_ms)) MiB/s"
	for codec in none zstd; do
		median convert
		echo "$kind: convert, $codec: $((mib * 1000 / passed)) MiB/s, $((passed * 100 / cp_ms))% of cp's time"
	done
	core='taskset -c 0'
	codec=none
	median copy
	cp_ms=$used
	median convert
	echo "$kind: convert, a core: $((mib * 1000 / used)) MiB/s, $((used * 100 / cp_ms))% of cp's time;" \
		"$((3000 * cp_ms / used)) where cp makes 3,000"
	rm -f "$dir/out.dat"
	most_memory convert_capture "$kind" "$dir/in" "$dir/out.dat"
	rm -rf "$dir"
done
