#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat split of one per cent of a large file, by time: against reading all of it (cat,
# tdat dump) and against trace-cmd split of the same span. Medians, and the peak of
# memory. Then a filter that has to read all, and --shrink.
# usage: bench/split.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used,
#   repeated to 525 MB if repeat_pages is found beside tdat (ninja repeat_pages).
set -eu

tdat=${1:?usage: split.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
repeat=$(dirname "$tdat")/../bench/repeat_pages
if [ -z "${2:-}" ] && [ -x "$repeat" ]; then
	"$repeat" "$file" 2 "$tmp/big.dat"
	rm "$tmp/in.dat"
	file=$tmp/big.dat
fi
out=/dev/null

# First and last time of all, in ns, and a hundredth of it from the middle on, in s.
span=$("$tdat" info --json "$file" | sed -nE 's/.*"(first|last)_ts": ([0-9]+).*/\2/p' | sort -n |
	awk 'NR == 1 { a = $1 } { b = $1 } END { m = a + (b - a) / 2
		printf "%.6f %.6f", m / 1e9, (m + (b - a) / 100) / 1e9 }')
[ -n "$span" ] || { echo "no times in $file" >&2; exit 1; }
from=${span% *}
to=${span#* }

row() {
	name=$1
	shift
	i=0
	while [ "$i" -lt "$runs" ]; do
		nanoseconds "$@"
		i=$((i + 1))
	done | median | awk -v n="$name" -v c="${cat_ns:-0}" -v d="${dump_ns:-0}" '{
		printf "%-44s %9.1f ms", n, $1 / 1e6
		if (c) printf " %8.3f of cat", $1 / c
		if (d) printf " %8.4f of dump", $1 / d
		print ""
		print $1 >"'"$tmp"'/last" }'
}

peak() {
	/usr/bin/time -f "%M" "$@" 2>&1 >/dev/null | tail -n 1 |
		awk -v n="peak of memory" '{ printf "%-44s %9.1f MiB\n", n, $1 / 1024 }'
}

cat "$file" >/dev/null
echo "$(stat -c %s "$file") bytes, $from to $to, medians of $runs runs"
row "cat" cat "$file"
cat_ns=$(cat "$tmp/last")
all=$runs
runs=$((runs < 3 ? runs : 3))
row "tdat dump" "$tdat" dump "$file"
dump_ns=$(cat "$tmp/last")
runs=$all
row "tdat split FROM TO" "$tdat" split -q -f -i "$file" -o "$tmp/out" "$from" "$to"
peak "$tdat" split -q -f -i "$file" -o "$tmp/out" "$from" "$to"
row "cp of what it writes, and sync" sh -c "cp '$tmp/out.1' '$tmp/copy' && sync '$tmp/copy'"
row "tdat split --shrink FROM TO" "$tdat" split -q -f -i "$file" -o "$tmp/out" --shrink "$from" "$to"
row "tdat split --event sched_switch FROM TO" "$tdat" split -q -f -i "$file" -o "$tmp/out" \
	--event sched_switch "$from" "$to"
runs=$((runs < 3 ? runs : 3))
row "tdat split -F of few, all the time" "$tdat" split -q -f -i "$file" -o "$tmp/out" \
	-F 'sched_switch: prev_pid == 7777777'
row "tdat split, all of it" "$tdat" split -q -f -i "$file" -o "$tmp/out"
peak "$tdat" split -q -f -i "$file" -o "$tmp/out"
row "cp" cp "$file" "$tmp/copy"
if command -v trace-cmd >/dev/null; then
	runs=1
	row "trace-cmd split FROM TO" trace-cmd split -i "$file" -o "$tmp/theirs" "$from" "$to"
fi
