# SPDX-License-Identifier: GPL-2.0-or-later
# SQLite is told which conditions and orders the reader sees to.
# Expectation: made by tdat, read and found right by hand; proves only that nothing changed
f=$FIXTURES/valid/i386-61-v7-buffers.dat
plan() {
	"$TDAT" sql --csv "$f" "EXPLAIN QUERY PLAN $1" | tr -d '\r' | sed '1d; s/^[^,]*,[^,]*,[^,]*,//'
}
plan "SELECT comm FROM events WHERE ts > 5 AND ts <= time('+1s') AND cpu = 1 AND pid IN (1, 2)"
plan "SELECT 1 FROM events WHERE event = 'sched_switch' AND system IN ('sched', 'irq') AND comm = 'x'"
plan "SELECT event, count(*) FROM events GROUP BY 1"
plan "SELECT DISTINCT comm, cpu FROM events WHERE cpu = 0"
plan "SELECT event, count(*) FROM events WHERE ts > 5 GROUP BY 1"
plan "SELECT ts, text FROM events ORDER BY ts LIMIT 3"
plan "SELECT ts FROM events ORDER BY ts DESC"
plan "SELECT count(*) FROM sched_switch"
plan "SELECT e.ts, t.comm FROM sched_switch e JOIN tasks t ON t.used AND t.pid = e.next_pid"
plan "SELECT * FROM tasks WHERE comm = 'sh' COLLATE NOCASE"
plan "SELECT * FROM lost WHERE cpu = 3 ORDER BY ts"
plan "SELECT dur FROM sched WHERE ts >= time('+1s') AND ts < 9 AND cpu = 1 AND pid IN (3, 4) LIMIT 2"
