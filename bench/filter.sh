#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Filters with few matches and tdat stat: million events a second of one core
# (user and system time), and times against cat and trace-cmd report -F.
# usage: bench/filter.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: filter.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
events=$("$tdat" stat --json "$file" | sed -nE '0,/"events":/s/.*"events": ([0-9]+).*/\1/p')

# Least CPU time and least wall time of some runs, in milliseconds.
measure() {
	i=0
	while [ "$i" -lt "$runs" ]; do
		start=$(date +%s%N)
		sh -c '"$@" >/dev/null 2>&1; times' - "$@" | sed -n 2p |
			sed -E 's/([0-9]+)m([0-9.]+)s/\1 \2/g' |
			awk '{ printf "%.0f ", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }'
		end=$(date +%s%N)
		echo $(((end - start) / 1000000))
		i=$((i + 1))
	done | awk '{ if (NR == 1 || $1 < c) c = $1; if (NR == 1 || $2 < w) w = $2 }
		END { print (c ? c : 1), (w ? w : 1) }'
}

row() {
	name=$1
	shift
	measure "$@" | awk -v n="$name" -v e="$events" \
		'{ printf "%-44s %8.0f ms CPU %8.0f ms %10.1f M events/s\n", n, $1, $2, e / $1 / 1000 }'
}

echo "$events events, least of $runs runs"
row "cat" cat "$file"
row "tdat stat --threads 1" "$tdat" stat --threads 1 "$file"
row "tdat stat" "$tdat" stat "$file"
for f in 'sched_switch: prev_pid == 7777777' '.*: common_pid == 7777777' \
	'.*: COMM == "nobody"' 'sched.*: next_comm =~ "nosuch"'; do
	row "dump -F '$f'" "$tdat" dump --threads 1 -F "$f" "$file"
done
row "dump --pid 7777777" "$tdat" dump --threads 1 --pid 7777777 "$file"
row "dump --from -10ms" "$tdat" dump --threads 1 --from -10ms "$file"
row "dump --json" "$tdat" dump --threads 1 --json "$file"
if command -v trace-cmd >/dev/null; then
	runs=1
	row "trace-cmd report -F 'sched_switch: ...'" trace-cmd report \
		-F 'sched_switch: prev_pid == 7777777' "$file"
fi
