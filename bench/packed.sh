#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Unpacks text by tdat and by the tool that packed it, to a file in the same folder: MiB/s of
# content, the best of three, and the most memory taken. What is unpacked is no trace.dat: tdat
# refuses it at once, so that only the unpacking is timed.
# usage: packed.sh TDAT [MIB]
set -eu
tdat=$(realpath "$1")
mib=${2:-256}
. "$(dirname "$(realpath "$0")")/import_lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TMPDIR=$dir
measure=
export TMPDIR
seq -f '  worker-7 [001] d..2. 1234.567890: sched_wakeup: comm=task pid=%.0f prio=120' 100000000 |
	head -c "${mib}M" >"$dir/in"

best() { # best of three, in ms
	best=
	for _ in 1 2 3; do
		start=$(date +%s%N)
		"$@" || :
		ms=$((($(date +%s%N) - start) / 1000000 + 1))
		[ -n "$best" ] && [ "$best" -le "$ms" ] || best=$ms
	done
}

by_tool() { "$@" -dc "$dir/packed" >"$dir/out"; }
by_tdat() { $measure "$tdat" info "$dir/packed" >"$dir/log" 2>&1; }

for tool in gzip 'xz -1' zstd bzip2; do
	# shellcheck disable=SC2086 # xz -1 are two words
	$tool -c "$dir/in" >"$dir/packed"
	best by_tool "${tool%% *}"
	tool_ms=$best
	rm "$dir/out"
	best by_tdat
	ours=$best
	echo "${tool%% *}: $((mib * 1000 / tool_ms)) MiB/s, tdat $((mib * 1000 / ours)) MiB/s"
done
most_memory by_tdat || :
