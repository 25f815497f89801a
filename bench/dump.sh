#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat dump against trace-cmd report on the same file in the same run: medians
# and ratios. The text of both is compared first.
# usage: bench/dump.sh TDAT FILE.dat [RUNS] [OTHER.dat]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
#   OTHER.dat has the same events in a form that trace-cmd can read (Debian's cannot
#   read zlib), and is what trace-cmd reads.
set -eu

tdat=${1:?usage: dump.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
other=${4:-$file}

"$tdat" dump --compat debian12 "$file" >"$tmp/tdat.txt"
trace-cmd report "$other" >"$tmp/trace-cmd.txt" 2>/dev/null
if cmp -s "$tmp/tdat.txt" "$tmp/trace-cmd.txt"; then
	echo "text: equal, $(wc -l <"$tmp/tdat.txt") lines, $(wc -c <"$tmp/tdat.txt") bytes"
else
	echo "text: DIFFERS"
fi
rm -f "$tmp/tdat.txt" "$tmp/trace-cmd.txt"

memory
for out in /dev/null "$mem/file-in-memory" "$tmp/file"; do
	: >"$tmp/one"; : >"$tmp/all"; : >"$tmp/tc"; : >"$tmp/cat"
	for _ in $(seq "$runs"); do
		nanoseconds "$tdat" dump --compat debian12 --threads 1 "$file" >>"$tmp/one"
		nanoseconds "$tdat" dump --compat debian12 "$file" >>"$tmp/all"
		nanoseconds trace-cmd report "$other" >>"$tmp/tc"
		nanoseconds cat "$file" >>"$tmp/cat"
	done
	awk -v out="$(basename "$out")" -v one="$(median <"$tmp/one")" -v all="$(median <"$tmp/all")" \
		-v tc="$(median <"$tmp/tc")" -v c="$(median <"$tmp/cat")" -v n="$(nproc)" 'BEGIN {
		printf "to %s: trace-cmd / tdat --threads 1 = %.1f, trace-cmd / tdat on %d CPUs = %.1f, tdat / cat = %.1f\n",
			out, tc / one, n, tc / all, all / c }'
done
echo "resident: tdat $(peak "$tdat" dump "$file") KiB, trace-cmd $(peak trace-cmd report "$other") KiB"
