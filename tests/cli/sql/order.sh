# SPDX-License-Identifier: GPL-2.0-or-later
# Rows and groups come in the order that the query asks for.
# Expectation: compared here with sort(1), and with tdat dump of the same files; the lines that say so by hand
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
g=$FIXTURES/valid/x64-61-conv-v7-zlib.dat
q() {
	query=$1
	shift
	"$TDAT" sql --csv "$@" "$query" | tr -d '\r' | sed 1d
}
# ORDER BY beside GROUP BY of the same columns.
q "SELECT event, count(*) FROM events GROUP BY 1 ORDER BY 1" "$f" >groups
[ -s groups ] && LC_ALL=C sort -c groups && echo "groups in order"
q "SELECT event, count(*) FROM events GROUP BY 1 ORDER BY 1 DESC" "$f" >turned
LC_ALL=C sort -r groups | cmp - turned &&
	echo "and the other way round"
q "SELECT DISTINCT cpu, pid FROM events ORDER BY cpu DESC, pid" "$f" >pairs
[ -s pairs ] && sort -t, -k1,1nr -k2,2n pairs | cmp - pairs && echo "pairs in order"
# One table of two files, whose formats differ by file: the order of events is that of dump.
q "SELECT ts, file FROM sched_switch" "$f" "$g" >rows
"$TDAT" dump --json -e sched_switch "$f" "$g" |
	sed 's/^{"ts":\([0-9]*\),.*"file":"\([^"]*\)".*/\1,\2/' | cmp - rows && wc -l <rows
