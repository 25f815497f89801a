#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Converts a made capture and compares with cp of the same bytes, in one
# run: MB/s of input, the ratio, and the most memory taken.
# usage: import.sh TDAT kmemtrace|ktr|gtsc|record|blktrace|ftrace-text|perf|perf-text [MIB] [CPUS]
set -eu
tdat=$(realpath "$1")
kind=$2
mib=${3:-512}
cpus=${4:-4}
. "$(dirname "$(realpath "$0")")/import_lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make_capture "$kind" "$dir" "$mib" "$cpus"

now() { date +%s%N; }

best() { # best of three, in ms; $1 says what runs
	best=
	for _ in 1 2 3; do
		rm -rf "$dir/copy" "$dir/out.dat"
		start=$(now)
		"$@"
		ms=$((($(now) - start) / 1000000 + 1))
		[ -n "$best" ] && [ "$best" -le "$ms" ] || best=$ms
	done
}

copy() { cp -r "$dir/in" "$dir/copy"; }
convert() { convert_capture "$kind" "$dir/in" "$dir/out.dat" --compression "$codec"; }

best copy
cp_ms=$best
echo "cp: $((mib * 1000 / cp_ms)) MiB/s"
for codec in none zstd; do
	best convert
	echo "convert, $codec: $((mib * 1000 / best)) MiB/s, $((best * 100 / cp_ms))% of cp's time"
done
rm -f "$dir/out.dat"
most_memory convert_capture "$kind" "$dir/in" "$dir/out.dat"
