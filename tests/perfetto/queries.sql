-- SPDX-License-Identifier: GPL-2.0-or-later
-- Queries of the kind that Perfetto's documentation has, each behind a line "---- what it asks".
-- queries.py runs them with Perfetto's trace processor and with tdat sql, and compares the rows.
---- slices of CPUs with their threads and processes
SELECT ts, dur, cpu, end_state, priority, process.name, thread.name
FROM sched_slice LEFT JOIN thread USING (utid) LEFT JOIN process USING (upid)
---- the first slices of a CPU
SELECT ts, dur, tid FROM sched JOIN thread USING (utid) WHERE cpu = 0 ORDER BY ts LIMIT 10
---- columns of sched in their order
SELECT ts, dur, cpu, end_state, priority, ucpu, ts_end FROM sched WHERE dur <> -1
---- the time on CPUs of each thread
SELECT thread.name AS thread_name, tid, SUM(dur) AS cpu_time, COUNT(*) AS n
FROM sched JOIN thread USING (utid) WHERE dur > 0 AND NOT is_idle GROUP BY utid ORDER BY cpu_time DESC, tid LIMIT 10
---- the processes that used most time
CREATE VIEW busy_processes AS
SELECT process.name AS process_name, CAST(SUM(sched.dur) / 1e3 AS INT64) AS cpu_us, COUNT(DISTINCT utid) AS num_threads
FROM sched INNER JOIN thread USING (utid) INNER JOIN process USING (upid)
WHERE process.pid > 0 AND dur > 0 GROUP BY process.pid ORDER BY cpu_us DESC LIMIT 5;
SELECT * FROM busy_processes
---- states of threads
SELECT s.ts, s.dur, s.cpu, t.tid, s.state FROM thread_state AS s JOIN thread AS t USING (utid)
---- who woke whom
SELECT s.ts, t.tid AS woken, w.tid AS waker FROM thread_state AS s
JOIN thread AS t USING (utid) JOIN thread AS w ON s.waker_utid = w.utid WHERE s.state = 'R'
---- the state of the waker
SELECT s.ts, t.tid, r.state, r.ts, r.cpu FROM thread_state AS s
JOIN thread AS t USING (utid) JOIN thread_state AS r ON s.waker_id = r.id JOIN thread AS w ON w.utid = s.waker_utid
WHERE w.tid <> 0
---- time in each state
SELECT state, COUNT(*) AS n, SUM(dur) AS total FROM thread_state WHERE dur > 0 GROUP BY state ORDER BY state
---- waits that cannot be interrupted
SELECT blocked_function, COUNT(thread_state.id), SUM(dur) FROM thread_state
JOIN thread USING (utid) WHERE state = 'D' AND dur > 0 GROUP BY blocked_function ORDER BY SUM(dur) DESC
---- tasks that ran
SELECT tid, thread.name, is_idle FROM thread WHERE utid IN (SELECT utid FROM sched WHERE utid > 0)
---- processes of tasks that ran
SELECT DISTINCT process.pid, process.name FROM sched JOIN thread USING (utid) JOIN process USING (upid) WHERE tid > 0
---- numbers of CPUs
SELECT cpu FROM cpu ORDER BY cpu
---- the machine
SELECT id, raw_id, sysname, release, arch FROM machine
---- bounds of the trace
SELECT trace_start() AS s, (SELECT start_ts FROM trace_bounds) AS b
---- events by name
SELECT name, COUNT(*) AS n FROM ftrace_event GROUP BY name ORDER BY name
---- events by CPU
SELECT cpu.cpu, COUNT(*) AS n FROM ftrace_event JOIN cpu USING (ucpu) GROUP BY cpu.cpu ORDER BY 1
---- raw is ftrace_event
SELECT r.ts, r.name, r.cpu, t.tid FROM raw AS r JOIN thread AS t USING (utid)
---- arguments of a switch
SELECT ts, EXTRACT_ARG(arg_set_id, 'prev_comm') AS prev, EXTRACT_ARG(arg_set_id, 'next_pid') AS next
FROM ftrace_event WHERE name = 'sched_switch' ORDER BY ts
---- arguments by a join
SELECT f.ts, a.key, a.int_value, a.string_value FROM ftrace_event AS f JOIN args AS a USING (arg_set_id)
WHERE f.name = 'sched_waking' AND a.key IN ('pid', 'prio', 'comm')
---- an argument by a query within
SELECT ts, (SELECT string_value FROM args WHERE key = 'next_comm' AND args.arg_set_id = f.arg_set_id) AS comm
FROM ftrace_event AS f WHERE name = 'sched_switch'
---- slices by track
SELECT s.ts, s.dur, s.name, s.category, t.name AS track, t.type
FROM slice AS s JOIN track AS t ON s.track_id = t.id WHERE s.category IS NOT NULL
---- slices of threads
SELECT s.ts, s.dur, t.tid, s.name AS slice_name, s.depth
FROM slice AS s LEFT JOIN thread_track AS trk ON s.track_id = trk.id LEFT JOIN thread AS t ON trk.utid = t.utid
WHERE trk.type = 'thread_funcgraph' OR s.category = 'workqueue'
---- system calls
SELECT ts, dur, t.tid, s.name, depth FROM slices AS s LEFT JOIN thread_track AS tt ON s.track_id = tt.id
LEFT JOIN thread AS t ON tt.utid = t.utid WHERE s.name LIKE 'sys_%' AND s.dur >= 0
---- functions by the time they took
SELECT slice.name, COUNT(*) AS calls, SUM(dur) AS total FROM slice JOIN track ON slice.track_id = track.id
WHERE track.name = 'Funcgraph' GROUP BY slice.name ORDER BY total DESC, slice.name LIMIT 20
---- slices and their parents
SELECT s.ts, s.name, p.ts, p.name FROM slice AS s JOIN slice AS p ON s.parent_id = p.id
JOIN track AS t ON s.track_id = t.id WHERE t.type <> 'thread_execution'
---- quantiles of slices
SELECT name, COUNT(dur) AS n, MAX(dur) AS longest, MIN(dur) AS shortest, CAST(AVG(dur) AS INT) AS mean
FROM slice WHERE name REGEXP '^(SCHED|TIMER|RCU)$' AND dur >= 0 GROUP BY name ORDER BY name
---- the outermost slice of each
CREATE VIEW some_slices AS SELECT id, ts, dur, name, track_id FROM slice WHERE depth > 0;
SELECT some_slices.ts, some_slices.name, ancestor.ts, ancestor.name
FROM some_slices JOIN ancestor_slice(some_slices.id) AS ancestor ON ancestor.depth = 0
---- how many slices lie within
SELECT s.ts, s.name, (SELECT COUNT(*) FROM descendant_slice(s.id)) AS n FROM slice AS s
JOIN track ON s.track_id = track.id WHERE track.type = 'thread_funcgraph'
---- is it within
SELECT COUNT(*) AS n FROM slice AS a JOIN slice AS b ON a.track_id = b.track_id AND b.depth > a.depth AND b.depth <= a.depth + 2
JOIN track AS t ON a.track_id = t.id WHERE t.type = 'thread_funcgraph' AND slice_is_ancestor(a.id, b.id)
---- slices of CPUs by their argument
SELECT s.ts, s.name, EXTRACT_ARG(t.dimension_arg_set_id, 'cpu') AS cpu FROM slice AS s JOIN track AS t ON s.track_id = t.id
WHERE t.type IN ('cpu_irq', 'cpu_softirq')
---- tracks of CPUs
SELECT name, type, cpu FROM cpu_track ORDER BY name
---- values of counters of CPUs
SELECT ts, t.name, cpu, value FROM counter AS c LEFT JOIN cpu_counter_track AS t ON c.track_id = t.id
WHERE t.name = 'cpuidle' OR t.name = 'cpufreq'
---- values of counters of processes
SELECT ts, p.pid, t.name AS counter_name, c.value FROM counter AS c JOIN process_counter_track AS t ON c.track_id = t.id
LEFT JOIN process AS p ON t.upid = p.upid
---- counters by type
SELECT t.type, COUNT(*) AS n FROM counter JOIN counter_track AS t ON t.id = counter.track_id
WHERE t.type IN ('cpu_idle', 'cpu_frequency', 'atrace_counter') GROUP BY 1
---- a function of Perfetto
CREATE PERFETTO FUNCTION plus(x LONG, y LONG) RETURNS LONG AS SELECT $x + $y;
SELECT plus(2, 3) AS five, plus(plus(1, 1), 1) AS three
---- a function of a table
CREATE PERFETTO FUNCTION slices_of_cpu(cpu LONG) RETURNS TABLE(ts LONG, dur LONG) AS
SELECT ts, dur FROM sched WHERE cpu = $cpu;
SELECT cpu.cpu, s.ts, s.dur FROM cpu, slices_of_cpu(cpu.cpu) AS s
---- a function of constants
CREATE PERFETTO FUNCTION constants() RETURNS TABLE(ts LONG, dur LONG) AS
SELECT column1 AS ts, column2 AS dur FROM (VALUES (100, 10), (200, 20));
SELECT * FROM constants()
---- a table of Perfetto
CREATE PERFETTO TABLE long_slices AS SELECT ts, dur, cpu FROM sched WHERE dur > 1000000;
SELECT * FROM long_slices
---- a typed table and an index
CREATE PERFETTO TABLE typed(x LONG, y STRING) AS SELECT 1 AS x, 'test' AS y;
CREATE PERFETTO INDEX typed_x ON typed(x);
CREATE OR REPLACE PERFETTO INDEX typed_x_y ON typed(x, y);
SELECT * FROM typed WHERE x = 1
---- a view of Perfetto
CREATE PERFETTO VIEW typed_view(x LONG, y STRING) AS SELECT 1 AS x, 'test' AS y;
CREATE OR REPLACE PERFETTO VIEW typed_view(x LONG, y STRING) AS SELECT 2 AS x, 'more' AS y;
SELECT * FROM typed_view
---- macros
CREATE PERFETTO MACRO one() RETURNS Expr AS (SELECT 1);
CREATE PERFETTO MACRO two_bare() RETURNS Expr AS 2;
CREATE PERFETTO MACRO same(x Expr) RETURNS Expr AS (SELECT $x);
SELECT one!() + same!(100) AS sum, two_bare!() AS two
---- a macro of a table
CREATE PERFETTO MACRO shifted(x TableOrSubquery, y Expr) RETURNS TableOrSubquery AS (SELECT t.ts + $y AS ts FROM $x AS t);
SELECT COUNT(*) AS n, MIN(ts) AS first FROM shifted!(sched, 5)
---- macros within macros
CREATE PERFETTO MACRO twice(x Expr) RETURNS Expr AS ($x + $x);
SELECT twice!(twice!(3)) AS n
---- a join of spans, inner
CREATE PERFETTO TABLE left_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS l FROM
(VALUES (0, 10, 1, 'a'), (20, 10, 1, 'b'), (5, 5, 2, 'c'), (0, 100, 4, 'd'));
CREATE PERFETTO TABLE right_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS r FROM
(VALUES (5, 20, 1, 'x'), (26, 2, 1, 'y'), (0, 3, 3, 'z'), (10, 10, 4, 'v'), (20, 10, 4, 'w'));
CREATE VIRTUAL TABLE inner_spans USING SPAN_JOIN(left_spans PARTITIONED part, right_spans PARTITIONED part);
SELECT * FROM inner_spans
---- a join of spans, left
CREATE PERFETTO TABLE left_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS l FROM
(VALUES (0, 10, 1, 'a'), (20, 10, 1, 'b'), (5, 5, 2, 'c'), (0, 100, 4, 'd'));
CREATE PERFETTO TABLE right_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS r FROM
(VALUES (5, 20, 1, 'x'), (26, 2, 1, 'y'), (0, 3, 3, 'z'), (10, 10, 4, 'v'), (20, 10, 4, 'w'));
CREATE VIRTUAL TABLE left_joined USING SPAN_LEFT_JOIN(left_spans PARTITIONED part, right_spans PARTITIONED part);
SELECT * FROM left_joined
---- a join of spans, outer
CREATE PERFETTO TABLE left_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS l FROM
(VALUES (0, 10, 1, 'a'), (20, 10, 1, 'b'), (5, 5, 2, 'c'), (0, 100, 4, 'd'));
CREATE PERFETTO TABLE right_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS r FROM
(VALUES (5, 20, 1, 'x'), (26, 2, 1, 'y'), (0, 3, 3, 'z'), (10, 10, 4, 'v'), (20, 10, 4, 'w'));
CREATE VIRTUAL TABLE outer_spans USING SPAN_OUTER_JOIN(left_spans PARTITIONED part, right_spans PARTITIONED part);
SELECT * FROM outer_spans
---- a join of spans with one partitioned side
CREATE PERFETTO TABLE left_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS part, column4 AS l FROM
(VALUES (0, 10, 1, 'a'), (20, 10, 1, 'b'), (5, 5, 2, 'c'));
CREATE PERFETTO TABLE all_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS r FROM
(VALUES (5, 20, 'x'), (26, 2, 'y'));
CREATE VIRTUAL TABLE mixed_spans USING SPAN_JOIN(left_spans PARTITIONED part, all_spans);
SELECT * FROM mixed_spans
---- a join of spans without partitions
CREATE PERFETTO TABLE some_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS l FROM (VALUES (0, 10, 'a'), (20, 10, 'b'));
CREATE PERFETTO TABLE all_spans AS SELECT column1 AS ts, column2 AS dur, column3 AS r FROM (VALUES (5, 20, 'x'), (26, 2, 'y'));
CREATE VIRTUAL TABLE plain_spans USING SPAN_JOIN(some_spans, all_spans);
SELECT * FROM plain_spans
---- slices of CPUs with the frequency
CREATE VIEW sp_sched AS SELECT ts, dur, cpu, utid FROM sched WHERE dur > 0;
CREATE VIEW sp_frequency AS SELECT ts, lead(ts) OVER (PARTITION BY track_id ORDER BY ts) - ts AS dur, cpu, value AS freq
FROM counter JOIN cpu_counter_track ON counter.track_id = cpu_counter_track.id WHERE cpu_counter_track.name = 'cpuidle';
CREATE VIRTUAL TABLE sched_with_frequency USING SPAN_JOIN(sp_sched PARTITIONED cpu, sp_frequency PARTITIONED cpu);
SELECT s.ts, s.dur, s.cpu, t.tid, s.freq FROM sched_with_frequency AS s JOIN thread AS t USING (utid)
---- what is not in any trace.dat has no rows
SELECT a.ts, f.name FROM heap_profile_allocation AS a JOIN stack_profile_callsite AS c ON a.callsite_id = c.id
JOIN stack_profile_frame AS f ON c.frame_id = f.id JOIN stack_profile_mapping AS m ON f.mapping = m.id
---- logs
SELECT l.ts, t.tid, l.prio, l.tag, l.msg FROM android_logs AS l LEFT JOIN thread AS t USING (utid)
---- flows
SELECT COUNT(*) AS n FROM flow JOIN slice AS o ON flow.slice_out = o.id JOIN slice AS i ON flow.slice_in = i.id
---- losses
SELECT name, idx, value FROM stats WHERE name = 'ftrace_cpu_has_data_loss' AND value > 0 ORDER BY idx
