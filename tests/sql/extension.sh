#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The sqlite3 program loads the extension and reads what tdat sql reads. Skipped without sqlite3.
# usage: extension.sh TDAT EXTENSION FILE
set -eu
tdat=$1
extension=$2
file=$3
other=${file%/*}/i386-61-fgraph.dat
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

# It needs no libsqlite3 of its own, and gives out nothing but its entry points.
! readelf -d "$extension" | grep -q 'NEEDED.*sqlite' || { echo "it needs libsqlite3"; bad=1; }
nm -D --defined-only "$extension" | awk '{ print $3 }' | grep -v '^_' | sort >"$tmp/symbols"
printf 'sqlite3_extension_init\nsqlite3_tdatsqlite_init\n' | diff - "$tmp/symbols" || bad=1

# same QUERY: sqlite3 with the extension and tdat sql give the same rows. Another file was attached before, and its
# functions were used.
attach="SELECT tdat_attach('$file') > 9 AS made"
same() {
	sqlite3 -csv -header :memory: ".load $extension" "SELECT tdat_attach('$other')" \
		"SELECT time('+0'), EXTRACT_ARG(1, 'ip') FROM events LIMIT 1" "$attach" "$1" |
		tr -d '\r' | sed 1,6d >"$tmp/sqlite3"
	"$tdat" sql --csv "$file" "$1" | tr -d '\r' >"$tmp/tdat"
	[ -s "$tmp/tdat" ] || { echo "$1: no rows"; bad=1; }
	diff "$tmp/tdat" "$tmp/sqlite3" || { echo "$1: sqlite3 has other rows"; bad=1; }
}
same 'SELECT event, count(*) AS n FROM events GROUP BY 1 ORDER BY 1'
same 'SELECT ts, cpu, prev_pid, next_comm FROM sched_switch WHERE cpu = 1 ORDER BY ts LIMIT 20'
same "SELECT ts, pid FROM \"sched/sched_switch\" WHERE ts > time('+10ms') AND ts < time('+20ms')"
same 'SELECT * FROM tasks'
same "SELECT count(*) AS n, EXTRACT_ARG(arg_set_id, 'next_pid') AS p FROM ftrace_event
	WHERE name = 'sched_switch' GROUP BY 2 ORDER BY 2"

# The table of the user stayed.
[ "$(sqlite3 :memory: ".load $extension" "CREATE TEMP TABLE cpus AS SELECT 'own'" \
	"$attach" "SELECT * FROM cpus" | tail -n 1)" = own ] || { echo "the table cpus is another"; bad=1; }

# A table in a database of the user is there again when it is opened once more.
q="SELECT count(*) FROM switches"
n=$("$tdat" sql --csv "$file" "SELECT count(*) FROM sched_switch" | tr -d '\r' | sed 1d)
[ "$n" -gt 10 ]
sqlite3 "$tmp/own.db" ".load $extension" \
	"CREATE VIRTUAL TABLE switches USING tdat('$file', 'sched/sched_switch')"
[ "$(sqlite3 "$tmp/own.db" ".load $extension" "$q")" = "$n" ] || { echo "not there again"; bad=1; }
[ "$(sqlite3 "$tmp/own.db" ".load $extension" "DROP TABLE switches" ".tables")" = "" ] || bad=1

# says SENTENCE STATEMENT: it fails with a sentence.
says() {
	! sqlite3 :memory: ".load $extension" "$2" >"$tmp/out" 2>&1 || { echo "$2 does not fail"; bad=1; }
	grep -qF -- "$1" "$tmp/out" || { echo "$2 does not say '$1':"; cat "$tmp/out"; bad=1; }
}
says "has no table nothing" "CREATE VIRTUAL TABLE t USING tdat('$file', 'nothing')"
says "$tmp/missing.dat" "SELECT tdat_attach('$tmp/missing.dat')"
says "a file and a table" "CREATE VIRTUAL TABLE t USING tdat()"
says "may not be modified" "CREATE VIRTUAL TABLE t USING tdat('$file', 'tasks'); DELETE FROM t"
exit $bad
