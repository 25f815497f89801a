#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat dump against trace-cmd report on the same file in the same run: medians
# and ratios. The text of both is compared first.
# usage: bench/dump.sh TDAT FILE.dat [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: dump.sh TDAT [FILE.dat] [RUNS]}
here=$(cd "$(dirname "$0")/.." && pwd)
file=${2:-${TDAT_SHARED:-$here/../shared}/corpus/big/mixed.dat.xz}
runs=${3:-5}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/tdat-bench-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
case $file in
*.xz)
	xz -dc "$file" >"$tmp/in.dat"
	file=$tmp/in.dat
	;;
esac

# Seconds of one command; its output goes to $out.
seconds() {
	start=$(date +%s%N)
	"$@" >"$out" 2>"$tmp/err"
	end=$(date +%s%N)
	echo $((end - start))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# Peak resident memory of one command, in KiB.
peak() {
	"$@" >/dev/null 2>&1 &
	pid=$!
	most=0
	while kill -0 "$pid" 2>/dev/null; do
		now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
		[ "${now:-0}" -gt "$most" ] && most=$now
		sleep 0.01
	done
	wait "$pid" || true
	echo "$most"
}

"$tdat" dump --compat debian12 "$file" >"$tmp/tdat.txt"
trace-cmd report "$file" >"$tmp/trace-cmd.txt" 2>/dev/null
if cmp -s "$tmp/tdat.txt" "$tmp/trace-cmd.txt"; then
	echo "text: equal, $(wc -l <"$tmp/tdat.txt") lines, $(wc -c <"$tmp/tdat.txt") bytes"
else
	echo "text: DIFFERS"
fi
rm -f "$tmp/tdat.txt" "$tmp/trace-cmd.txt"

for out in /dev/null "$tmp/out"; do
	: >"$tmp/one"; : >"$tmp/all"; : >"$tmp/tc"; : >"$tmp/cat"
	for _ in $(seq "$runs"); do
		seconds "$tdat" dump --threads 1 "$file" >>"$tmp/one"
		seconds "$tdat" dump "$file" >>"$tmp/all"
		seconds trace-cmd report "$file" >>"$tmp/tc"
		seconds cat "$file" >>"$tmp/cat"
	done
	awk -v out="${out#"$tmp"/}" -v one="$(median <"$tmp/one")" -v all="$(median <"$tmp/all")" \
		-v tc="$(median <"$tmp/tc")" -v c="$(median <"$tmp/cat")" -v n="$(nproc)" 'BEGIN {
		printf "to %s: trace-cmd / tdat --threads 1 = %.1f, trace-cmd / tdat on %d CPUs = %.1f, tdat / cat = %.1f\n",
			out, tc / one, n, tc / all, all / c }'
done
echo "resident: tdat $(peak "$tdat" dump "$file") KiB, trace-cmd $(peak trace-cmd report "$file") KiB"
