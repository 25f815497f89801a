#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Converts a made capture and compares with cp of the same bytes, in one
# run: MB/s of input, the ratio, and the most memory taken.
# usage: import.sh TDAT kmemtrace|ktr [MIB] [CPUS]
set -eu
tdat=$(realpath "$1")
kind=$2
mib=${3:-512}
cpus=${4:-4}
here=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/in"
${CC:-cc} -O2 -o "$dir/make" "$here/make_$kind.c"
"$dir/make" "$dir/in" "$mib" "$cpus"

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
convert() { "$tdat" convert -q --from "$kind" --compression "$codec" -o "$dir/out.dat" "$dir/in"; }

best copy
cp_ms=$best
echo "cp: $((mib * 1000 / cp_ms)) MiB/s"
for codec in none zstd; do
	best convert
	echo "convert, $codec: $((mib * 1000 / best)) MiB/s, $((best * 100 / cp_ms))% of cp's time"
done
if [ -x /usr/bin/time ]; then
	rm -f "$dir/out.dat"
	/usr/bin/time -f "most memory: %M KiB" "$tdat" convert -q --from "$kind" \
		-o "$dir/out.dat" "$dir/in"
fi
