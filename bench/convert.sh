#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat convert against cp, trace-cmd convert and one thread of zlib, on the same
# file in the same run: medians and ratios of the time that passes, of the time all
# CPUs work (which hardly depends on what else runs), and peak memory.
# usage: bench/convert.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: convert.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
memory
out=/dev/null
new=$mem/new.dat
"$tdat" convert -q --file-version 6 -o "$mem/v6.dat" "$file"
"$tdat" convert -q --file-version 7 --compression none -o "$mem/v7.dat" "$file"
[ "$mem" = "$tmp" ] || rm -f "$tmp/in.dat"

# run COMMAND TO: appends the nanoseconds and the CPU seconds it takes to TO.ns, TO.cpu.
run() {
	rm -f "$new"
	nanoseconds sh -c "$1; times >'$tmp/times'" >>"$2.ns"
	# "0m0.41s 0m0.05s" of what that shell ran
	tail -n 1 "$tmp/times" | tr ms '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }' >>"$2.cpu"
	size=$(stat -c %s "$new")
}

# compare NAME, then two commands as words of the shell that write $new.
compare() {
	rm -f "$tmp"/a.* "$tmp"/b.*
	for _ in $(seq "$runs"); do
		run "$2" "$tmp/a"
		size_a=$size
		run "$3" "$tmp/b"
	done
	awk -v name="$1" -v a="$(median <"$tmp/a.ns")" -v b="$(median <"$tmp/b.ns")" \
		-v ca="$(median <"$tmp/a.cpu")" -v cb="$(median <"$tmp/b.cpu")" -v sa="$size_a" \
		-v sb="$size" 'BEGIN {
		printf "%s: %.3f s / %.3f s = %.2f; CPU %.2f s / %.2f s = %.2f; %d and %d bytes\n",
			name, a / 1e9, b / 1e9, a / b, ca, cb, ca / (cb > 0 ? cb : 0.01), sa, sb }'
}

# What one thread of zlib takes for the bytes of the file, in chunks as trace.dat has them.
zlib='import sys, zlib
src, dst = open(sys.argv[1], "rb"), open(sys.argv[2], "wb")
while chunk := src.read(40960): dst.write(zlib.compress(chunk, 6))'
[ ! -x "$(command -v python3)" ] || printf '%s\n' "$zlib" >"$tmp/zlib.py"

export tdat file new mem tmp
# shellcheck disable=SC2016 # expanded by the shells that run them
{
	compare "version 6 to 7, tdat / cp" \
		'"$tdat" convert -q --file-version 7 --compression none -o "$new" "$mem/v6.dat"' \
		'cp "$mem/v6.dat" "$new"'
	compare "to zstd, trace-cmd / tdat" \
		'trace-cmd convert --compression zstd -i "$mem/v7.dat" -o "$new"' \
		'"$tdat" convert -q --compression zstd -o "$new" "$mem/v7.dat"'
	if [ -f "$tmp/zlib.py" ]; then
		compare "to zlib level 6, one thread of zlib (python3) / tdat" \
			'python3 "$tmp/zlib.py" "$mem/v7.dat" "$new"' \
			'"$tdat" convert -q --compression zlib --level 6 -o "$new" "$mem/v7.dat"'
	else
		compare "to zlib level 6, gzip / tdat" 'gzip -6 <"$mem/v7.dat" >"$new"' \
			'"$tdat" convert -q --compression zlib --level 6 -o "$new" "$mem/v7.dat"'
	fi
}
for name in none zstd zlib; do
	rm -f "$new"
	echo "resident to $name: $(peak "$tdat" convert -q --compression $name -o "$new" "$mem/v6.dat" \
		--file-version 7) KiB"
done
