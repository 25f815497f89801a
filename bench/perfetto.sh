#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat export --to perfetto against trace-cmd report, whose text Perfetto can be given as well, on
# the same file in the same run: processor time (medians), which other work on the machine changes
# less than the time on the clock, bytes and memory.
# usage: bench/perfetto.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: perfetto.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
memory

# Milliseconds of processor time of one command; its output goes to $out.
processor() {
	rm -f "$out"
	"$@" >"$out" 2>"$tmp/err" &
	pid=$!
	wait "$pid" || true
	times >"$tmp/times" # of this shell, then of its children
	awk 'NR == 2 { split($0, t, /[ms ]+/); print (60 * t[1] + t[2] + 60 * t[3] + t[4]) * 1000 }' "$tmp/times"
}

out=$mem/out
for what in one all report; do
	for _ in $(seq "$runs"); do
		case $what in
		one) (processor "$tdat" export --to perfetto --threads 1 "$file") ;;
		all) (processor "$tdat" export --to perfetto "$file") ;;
		report) (processor trace-cmd report "$file") ;;
		esac
	done >"$tmp/$what"
	wc -c <"$out" >"$tmp/$what.len"
done
events=$("$tdat" stat --json "$file" | python3 -c 'import json, sys
print(sum(f["events"] for f in json.load(sys.stdin)))')
awk -v n="$events" -v one="$(median <"$tmp/one")" -v all="$(median <"$tmp/all")" \
	-v tc="$(median <"$tmp/report")" -v len="$(cat "$tmp/one.len")" \
	-v text="$(cat "$tmp/report.len")" 'BEGIN {
	printf "%.2f million events; processor time: --threads 1 %.2f s, %.1f million a second; all threads %.2f s\n",
		n / 1e6, one / 1e3, n / one / 1e3, all / 1e3
	printf "trace-cmd report / tdat = %.1f; bytes %d / %d = %.3f\n", tc / one, len, text, len / text }'
echo "resident: tdat $(peak "$tdat" export --to perfetto "$file") KiB"
