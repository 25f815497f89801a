#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat export to CTF and to Chrome's trace events, against trace-cmd report of the same file to
# /dev/null: processor time (the machine may be busy), time that passes, events a second, peak of
# memory, bytes written. Medians of the processor time.
# usage: bench/export_events.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: export_events.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-3}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
memory
events=$("$tdat" stat --json "$file" | sed -nE 's/^ *"events": ([0-9]+).*/\1/p' | head -n 1)
[ -n "$events" ] || events=$("$tdat" dump "$file" | grep -c '\[[0-9]*\]')

# row NAME OUTPUT COMMAND...
row() {
	name=$1
	made=$2
	shift 2
	i=0
	while [ "$i" -lt "$runs" ]; do
		rm -rf "$made"
		/usr/bin/time -a -o "$tmp/times" -f '%U %S %e %M' "$@" >/dev/null 2>"$tmp/err"
		i=$((i + 1))
	done
	bytes=$(du -sb "$made" 2>/dev/null | cut -f 1)
	awk '{ print ($1 + $2), $3, $4 }' "$tmp/times" | sort -n |
		awk -v n="$name" -v e="$events" -v b="${bytes:-0}" -v report="${report:-0}" '
		{ cpu[NR] = $1; wall[NR] = $2; if ($3 > most) most = $3 }
		END {
			m = int((NR + 1) / 2)
			printf "%-28s %7.2f s CPU %7.2f s %6.2f M events/s of CPU %4d MiB", n, cpu[m], wall[m],
				e / cpu[m] / 1e6, most / 1024
			if (b) printf " %7.1f MB", b / 1e6
			if (report) printf " %6.1f times report", report / cpu[m]
			print ""
			print cpu[m] >"'"$tmp"'/last"
		}'
	rm -f "$tmp/times"
}

echo "$file: $events events, medians of $runs runs"
row "trace-cmd report" /nonexistent trace-cmd report -i "$file"
report=$(cat "$tmp/last")
row "tdat dump" /nonexistent "$tdat" dump "$file"
row "tdat export --to ctf, 1" "$mem/ctf" "$tdat" export -q --threads 1 --to ctf -o "$mem/ctf" "$file"
row "tdat export --to ctf" "$mem/ctf" "$tdat" export -q --to ctf -o "$mem/ctf" "$file"
row "tdat export --to chrome" "$mem/x.json" "$tdat" export -q --to chrome -o "$mem/x.json" "$file"
