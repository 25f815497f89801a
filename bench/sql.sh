#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat sql: rows a second of one core where all events are read, the time until the first rows,
# and a window of time against tdat dump --from --until. trace.sql of Python: bench/python.py.
# usage: bench/sql.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used.
set -eu

tdat=${1:?usage: sql.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-5}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"
events=$("$tdat" sql --csv "$file" "SELECT count(*) FROM events" | tr -d '\r' | sed 1d)

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

# row NAME ROWS COMMAND...: ROWS 0 where a rate would say nothing.
row() {
	name=$1
	rows=$2
	shift 2
	measure "$@" | awk -v n="$name" -v e="$rows" '{
		printf "%-52s %8.0f ms CPU %8.0f ms", n, $1, $2
		if (e)
			printf " %10.1f M rows/s", e / $1 / 1000
		print ""
	}'
}

q() {
	name=$1
	rows=$2
	shift 2
	row "$name" "$rows" "$tdat" sql "$file" "$@"
}

echo "$events events, least of $runs runs"
row "tdat stat --threads 1" "$events" "$tdat" stat --threads 1 "$file"
row "tdat stat --threads 1 --by event" "$events" "$tdat" stat --threads 1 --by event "$file"
row "tdat stat --threads 1 --by pid,event" "$events" "$tdat" stat --threads 1 --by pid,event "$file"
q "SELECT event, count(*) ... GROUP BY 1" "$events" "SELECT event, count(*) FROM events GROUP BY 1"
q "the same, --no-pushdown: SQLite sorts" "$events" --no-pushdown \
	"SELECT event, count(*) FROM events GROUP BY 1"
q "SELECT comm, cpu, count(*) ... GROUP BY 1, 2" "$events" \
	"SELECT comm, cpu, count(*) FROM events GROUP BY 1, 2"
q "SELECT pid, event, count(*) ... GROUP BY 1, 2" "$events" \
	"SELECT pid, event, count(*) FROM events GROUP BY 1, 2"
q "SELECT ts / 100000000, count(*) ... GROUP BY 1" "$events" \
	"SELECT ts / 100000000, count(*) FROM events GROUP BY 1"
q "SELECT count(*) FROM events" "$events" "SELECT count(*) FROM events"
q "SELECT max(ts), sum(pid) FROM events" "$events" "SELECT max(ts), sum(pid) FROM events"
q "SELECT * FROM events LIMIT 10" 0 "SELECT * FROM events LIMIT 10"
q "SELECT * FROM sched_switch ORDER BY ts LIMIT 10" 0 "SELECT * FROM sched_switch ORDER BY ts LIMIT 10"
row "dump --from +2s --until +2.001s" 0 "$tdat" dump --threads 1 --from +2s --until +2.001s "$file"
q "text WHERE ts BETWEEN +2s AND +2.001s" 0 \
	"SELECT text FROM events WHERE ts BETWEEN time('+2s') AND time('+2.001s')"
