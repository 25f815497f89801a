# SPDX-License-Identifier: GPL-2.0-or-later
# Queries give what dump and other commands say of the same file.
# Expectation: compared here with tdat stat and dump of the same file; the rest by hand
f=$FIXTURES/valid/i386-61-v7-buffers.dat
q() {
	"$TDAT" sql --csv "$f" "$1" | tr -d '\r'
}
# Text is the line of dump, the times are those of --from and --until.
q "SELECT text FROM events WHERE ts >= time('+1ms') AND ts <= time('+2ms')" | sed 1d |
	sed 's/^"//; s/"$//; s/""/"/g' >text
"$TDAT" dump --from +1ms --until +2ms "$f" 2>/dev/null | grep -v '^cpus=' >lines
wc -l <lines
cmp text lines && echo "the lines of dump"
# Counts of events, by the statistics of tdat stat.
q "SELECT event, count(*) FROM events GROUP BY 1 ORDER BY 2 DESC, 1" | sed 1d >counts
"$TDAT" stat --top 0 --json "$f" | python3 -c "
import json, sys
rows = {}
for e in json.load(sys.stdin)[0]['by_event']:
    rows[e['event']] = rows.get(e['event'], 0) + e['events']
for name, n in sorted(rows.items(), key=lambda r: (-r[1], r[0])):
    print('%s,%d' % (name, n))" >counts.stat
cmp counts counts.stat && echo "the counts of stat"
# Functions.
q "SELECT log2_bucket(0) AS a, log2_bucket(1) AS b, log2_bucket(1023) AS c, log2_bucket(1024) AS d,
	log2_bucket(-5) AS e, log2_bucket(NULL) AS f, log2_bucket(9223372036854775807) AS g"
q "SELECT percentile(v, 0) AS a, percentile(v, 50) AS b, percentile(v, 90) AS c,
	percentile(v, 100) AS d FROM (SELECT 1 AS v UNION ALL SELECT 2 UNION ALL SELECT 3
	UNION ALL SELECT 10 UNION ALL SELECT NULL)"
q "SELECT percentile(1, 50) AS none FROM events WHERE 0"
q "SELECT comm(0) AS idle, comm(pid) = comm AS same, comm(-7) AS unknown, count(*) > 0 AS some
	FROM tasks WHERE used GROUP BY 1, 2, 3"
q "SELECT time('+0') = min(ts) AS first, time('-0') = max(ts) AS last FROM events"
# Joins, over two tables of events and over what the file says of itself.
q "SELECT count(*) = (SELECT count(*) FROM sched_switch) AS all_known FROM sched_switch s
	WHERE EXISTS (SELECT 1 FROM fields f WHERE f.event = 'sched_switch' AND f.field = 'next_pid')"
