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
---- births of processes
SELECT p.pid, p.name, p.start_ts FROM process AS p WHERE p.start_ts IS NOT NULL
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
---- memory of processes
SELECT c.ts, c.value, t.name AS counter_name, p.pid FROM counter AS c JOIN process_counter_track AS t ON c.track_id = t.id
JOIN process AS p USING (upid) WHERE t.name LIKE 'mem.%'
---- slices by their stack
SELECT s.name, COUNT(*) AS n, COUNT(DISTINCT parent_stack_id) AS parents FROM slice AS s JOIN track AS t ON s.track_id = t.id
WHERE t.type <> 'thread_execution' GROUP BY s.name, s.stack_id
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
---- module sched.with_context
INCLUDE PERFETTO MODULE sched.with_context;
SELECT ts, dur, cpu, thread_name, process_name, end_state, priority FROM sched_with_thread_process
---- module slices.with_context
INCLUDE PERFETTO MODULE slices.with_context;
SELECT ts, dur, name, thread_name, process_name, tid, pid, depth FROM thread_slice WHERE dur >= 0
---- module slices.with_context, of threads and processes
INCLUDE PERFETTO MODULE slices.with_context;
SELECT ts, dur, name, thread_name, process_name, pid FROM thread_or_process_slice WHERE dur > 1000000
---- module time.conversion
INCLUDE PERFETTO MODULE time.conversion;
SELECT time_to_ms(1234567890) AS ms, time_to_us(1999) AS us, time_from_ms(10) AS ns, time_from_s(2) AS s, time_to_s(2500000000) AS ts, time_to_min(120000000000) AS m
---- module sched.states
INCLUDE PERFETTO MODULE sched.states;
SELECT column1, sched_state_to_human_readable_string(column1) AS word FROM
(VALUES ('Running'), ('R'), ('R+'), ('S'), ('D'), ('T'), ('t'), ('X'), ('Z'), ('I'), ('P'), ('W'), ('K'), ('N'))
---- module sched.states, with I/O
INCLUDE PERFETTO MODULE sched.states;
SELECT sched_state_io_to_human_readable_string('D', 1) AS io, sched_state_io_to_human_readable_string('D', 0) AS not_io, sched_state_io_to_human_readable_string('S', NULL) AS s
---- module sched.runnable
INCLUDE PERFETTO MODULE sched.runnable;
SELECT r.ts, t.tid, p.ts, p.state, w.ts FROM sched_previous_runnable_on_thread AS x JOIN thread_state AS r ON r.id = x.id JOIN thread AS t USING (utid)
LEFT JOIN thread_state AS p ON p.id = x.prev_runnable_id LEFT JOIN thread_state AS w ON w.id = x.prev_wakeup_runnable_id
---- module sched.latency
INCLUDE PERFETTO MODULE sched.latency;
SELECT r.ts, s.ts, s.cpu, t.tid, p.ts, x.latency_dur FROM sched_latency_for_running_interval AS x JOIN thread_state AS r ON r.id = x.thread_state_id
JOIN sched AS s ON s.id = x.sched_id JOIN thread AS t ON t.utid = x.utid JOIN thread_state AS p ON p.id = x.runnable_latency_id
---- module sched.thread_level_parallelism, runnable
INCLUDE PERFETTO MODULE sched.thread_level_parallelism;
SELECT * FROM sched_runnable_thread_count
---- module sched.thread_level_parallelism, waiting
INCLUDE PERFETTO MODULE sched.thread_level_parallelism;
SELECT * FROM sched_uninterruptible_sleep_thread_count
---- module sched.thread_level_parallelism, CPUs
INCLUDE PERFETTO MODULE sched.thread_level_parallelism;
SELECT * FROM sched_active_cpu_count
---- module sched.time_in_state
INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT t.tid, x.total_runtime, x.state, x.time_in_state, x.percentage_in_state FROM sched_time_in_state_for_thread AS x JOIN thread AS t USING (utid)
---- module sched.time_in_state, percentages
INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT t.tid, running, runnable, runnable_preempted, sleeping, uninterruptible_sleep, other FROM sched_percentage_of_time_in_state AS x JOIN thread AS t USING (utid)
---- module sched.time_in_state, of an interval
INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT t.tid, x.state, x.dur FROM thread AS t JOIN sched_time_in_state_for_thread_in_interval(trace_start() + 10000000, 20000000, t.utid) AS x
---- module sched.time_in_state, of an interval and CPU
INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT t.tid, x.state, x.cpu, x.dur FROM thread AS t JOIN sched_time_in_state_and_cpu_for_thread_in_interval(trace_start() + 10000000, 20000000, t.utid) AS x
---- module sched.time_in_state, of a CPU
INCLUDE PERFETTO MODULE sched.time_in_state;
SELECT x.end_state, x.dur FROM sched_time_in_state_for_cpu_in_interval(0, trace_start() + 10000000, 20000000) AS x
---- module linux.irqs
INCLUDE PERFETTO MODULE linux.irqs;
SELECT ts, dur, name, is_soft_irq FROM linux_irqs
---- module linux.cpu.frequency
INCLUDE PERFETTO MODULE linux.cpu.frequency;
SELECT ts, freq, cpu FROM cpu_frequency_counters
---- module linux.cpu.idle
INCLUDE PERFETTO MODULE linux.cpu.idle;
SELECT ts, dur, idle, cpu FROM cpu_idle_counters
---- module linux.cpu.idle_stats
INCLUDE PERFETTO MODULE linux.cpu.idle_stats;
SELECT cpu, state, count, dur, avg_dur, idle_percent FROM cpu_idle_stats
---- module linux.cpu.utilization.system
INCLUDE PERFETTO MODULE linux.cpu.utilization.system;
SELECT ts, utilization, unnormalized_utilization FROM cpu_utilization_per_period(100000000)
---- module linux.cpu.utilization.system, seconds
INCLUDE PERFETTO MODULE linux.cpu.utilization.system;
SELECT ts, utilization, unnormalized_utilization FROM cpu_utilization_per_second
---- module linux.cpu.utilization.system, cycles
INCLUDE PERFETTO MODULE linux.cpu.utilization.system;
SELECT millicycles, megacycles, runtime, min_freq, max_freq, avg_freq FROM cpu_cycles
---- module linux.cpu.utilization.system, cycles of CPUs
INCLUDE PERFETTO MODULE linux.cpu.utilization.system;
SELECT cpu, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq FROM cpu_cycles_per_cpu
---- module linux.cpu.utilization.thread
INCLUDE PERFETTO MODULE linux.cpu.utilization.thread;
SELECT t.tid, millicycles, megacycles, runtime, min_freq, max_freq, avg_freq FROM cpu_cycles_per_thread JOIN thread AS t USING (utid)
---- module linux.cpu.utilization.thread, periods
INCLUDE PERFETTO MODULE linux.cpu.utilization.thread;
SELECT t.tid, x.ts, x.utilization FROM thread AS t JOIN cpu_thread_utilization_per_period(100000000, t.utid) AS x WHERE t.tid <> 0 AND x.utilization > 0
---- module linux.cpu.utilization.process
INCLUDE PERFETTO MODULE linux.cpu.utilization.process;
SELECT p.pid, SUM(millicycles) AS mc, SUM(runtime) AS ns, MIN(min_freq) AS least, MAX(max_freq) AS most FROM cpu_cycles_per_process JOIN process AS p USING (upid) GROUP BY p.pid
---- module linux.cpu.utilization.slice
INCLUDE PERFETTO MODULE linux.cpu.utilization.slice;
SELECT name, millicycles, megacycles, thread_name FROM cpu_cycles_per_thread_slice
---- module slices.cpu_time
INCLUDE PERFETTO MODULE slices.cpu_time;
SELECT s.ts, x.name, x.thread_name, x.cpu_time FROM thread_slice_cpu_time AS x JOIN slice AS s USING (id)
---- module slices.time_in_state
INCLUDE PERFETTO MODULE slices.time_in_state;
SELECT s.ts, x.name, x.thread_name, x.state, x.dur FROM thread_slice_time_in_state AS x JOIN slice AS s USING (id)
---- module slices.self_dur
INCLUDE PERFETTO MODULE slices.self_dur;
SELECT s.ts, s.name, x.self_dur FROM slice_self_dur AS x JOIN slice AS s USING (id) JOIN track AS t ON s.track_id = t.id WHERE t.type <> 'thread_execution'
---- module slices.flat_slices
INCLUDE PERFETTO MODULE slices.flat_slices;
SELECT s.ts AS slice_ts, f.ts, f.dur, f.depth, f.name, r.ts AS root_ts, f.tid, f.thread_name FROM _slice_flattened AS f
JOIN slice AS s ON s.id = f.slice_id JOIN slice AS r ON r.id = f.root_id JOIN track AS t ON s.track_id = t.id WHERE t.type <> 'thread_execution'
---- parts of a text
SELECT STR_SPLIT('a::b::c', '::', 0), STR_SPLIT('a::b::c', '::', 1), STR_SPLIT('a::b::c', '::', 2), STR_SPLIT('a::b', '::', 2), STR_SPLIT('', ',', 0)
---- module slices.hierarchy
INCLUDE PERFETTO MODULE slices.hierarchy;
SELECT s.ts, a.ts, a.name FROM slice AS s JOIN _slice_ancestor_and_self(s.id) AS a JOIN track AS t ON s.track_id = t.id WHERE t.type <> 'thread_execution'
---- module slices.stack
INCLUDE PERFETTO MODULE slices.stack;
SELECT s.name, COUNT(*) AS n FROM slice_with_stack_id AS s JOIN track AS t ON s.track_id = t.id WHERE t.type <> 'thread_execution' GROUP BY s.name, s.stack_id
---- module counters.intervals
INCLUDE PERFETTO MODULE counters.intervals;
WITH data(id, ts, value, track_id) AS (VALUES (0, 0, 10, 1), (1, 0, 10, 2), (2, 10, 10, 1), (3, 10, 20, 2), (4, 20, 30, 1), (5, 30, 30, 1), (6, 40, 30, 1), (7, 50, 30, 1), (8, 60, 40, 1))
SELECT id, ts, track_id, value, next_value, delta_value FROM counter_leading_intervals!(data)
---- module intervals.overlap
INCLUDE PERFETTO MODULE intervals.overlap;
SELECT * FROM intervals_overlap_count!((SELECT ts, dur FROM sched WHERE dur > 0 AND priority = 120), ts, dur)
---- module intervals.overlap, groups
INCLUDE PERFETTO MODULE intervals.overlap;
SELECT * FROM intervals_overlap_count_by_group!((SELECT ts, dur, cpu FROM sched WHERE dur > 0), ts, dur, cpu)
---- module intervals.overlap, merged
INCLUDE PERFETTO MODULE intervals.overlap;
WITH data(ts, dur) AS (VALUES (10, 20), (15, 2), (32, 8), (60, 5)) SELECT ts, dur FROM interval_merge_overlapping!(data, 2)
---- module intervals.overlap, merged by CPU
INCLUDE PERFETTO MODULE intervals.overlap;
SELECT ts, dur, cpu FROM interval_merge_overlapping_partitioned!((SELECT ts, dur, cpu FROM sched WHERE dur > 0), (cpu))
---- module intervals.intersect
INCLUDE PERFETTO MODULE intervals.intersect;
CREATE PERFETTO TABLE a AS SELECT id, ts, dur, cpu FROM sched WHERE dur > 0 AND utid IN (SELECT utid FROM thread WHERE NOT is_idle);
CREATE PERFETTO TABLE b AS SELECT row_number() OVER () AS id, ts, dur, cpu FROM sched WHERE dur > 100000;
SELECT i.ts, i.dur, a.ts, b.ts, i.cpu FROM _interval_intersect!((a, b), (cpu)) AS i JOIN a ON a.id = i.id_0 JOIN b ON b.id = i.id_1
---- module intervals.intersect, of three without a column
INCLUDE PERFETTO MODULE intervals.intersect;
CREATE PERFETTO TABLE a AS SELECT column1 AS id, column2 AS ts, column3 AS dur FROM (VALUES (0, 0, 10), (1, 20, 10));
CREATE PERFETTO TABLE b AS SELECT column1 AS id, column2 AS ts, column3 AS dur FROM (VALUES (7, 5, 20));
CREATE PERFETTO TABLE c AS SELECT column1 AS id, column2 AS ts, column3 AS dur FROM (VALUES (3, 6, 2), (4, 22, 100));
SELECT ts, dur, id_0, id_1, id_2 FROM _interval_intersect!((a, b, c), ())
---- module intervals.intersect, with one interval
INCLUDE PERFETTO MODULE intervals.intersect;
SELECT ts, dur FROM _interval_intersect_single!(trace_start() + 10000000, 20000000, (SELECT id, ts, dur FROM sched WHERE dur > 0 AND cpu = 0))
