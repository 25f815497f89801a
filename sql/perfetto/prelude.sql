-- SPDX-License-Identifier: LGPL-2.1-or-later
-- What Perfetto has without INCLUDE. Each statement runs when its name is first used. Names and
-- columns are facts of https://perfetto.dev/docs/analysis/sql-tables; tables "tdat.NAME" are the
-- tables of tdat. Facts that a trace.dat does not have are NULL.

-- ---- tasks ----

-- Births of tasks: a thread (CLONE_THREAD) is in the group of the task that made it.
CREATE PERFETTO TABLE _tdat_birth(pid ID, ts TIMESTAMP, by_pid LONG, is_thread BOOL) AS
SELECT pid, max(ts) AS ts, by_pid, is_thread FROM (
  SELECT ts, pid AS by_pid, EXTRACT_ARG(rowid, 'pid') AS pid, (EXTRACT_ARG(rowid, 'clone_flags') >> 16) & 1 AS is_thread
  FROM "tdat.events" WHERE event = 'task_newtask' AND EXISTS (SELECT 1 FROM events WHERE event = 'task_newtask'))
WHERE pid IS NOT NULL GROUP BY pid;

CREATE PERFETTO TABLE _tdat_task(pid ID, tgid LONG, name STRING) AS
WITH RECURSIVE
  known AS (
    SELECT pid, max(tgid) AS tgid, max(comm) AS name FROM (
      SELECT pid, tgid, comm FROM tasks WHERE used AND pid > 0
      UNION ALL SELECT pid, NULL, NULL FROM events WHERE pid > 0 GROUP BY pid)
    GROUP BY pid),
  maker(pid, by_pid, n) AS (
    SELECT pid, by_pid, 1 FROM _tdat_birth WHERE is_thread
    UNION ALL SELECT m.pid, b.by_pid, n + 1 FROM maker AS m JOIN _tdat_birth AS b ON b.pid = m.by_pid WHERE b.is_thread AND n < 1000),
  leader AS (SELECT pid, by_pid, max(n) FROM maker GROUP BY pid)
SELECT k.pid, coalesce(k.tgid, g.tgid, l.by_pid, k.pid) AS tgid, k.name
FROM known AS k LEFT JOIN leader AS l ON l.pid = k.pid LEFT JOIN known AS g ON g.pid = l.by_pid;

CREATE PERFETTO TABLE thread(utid ID, id LONG, tid LONG, name STRING, start_ts TIMESTAMP, end_ts TIMESTAMP, upid JOINID(process.id), is_main_thread BOOL, is_idle BOOL, machine_id JOINID(machine.id)) AS
SELECT t.pid AS utid, t.pid AS id, t.pid AS tid, t.name, b.ts AS start_ts, NULL AS end_ts, t.tgid AS upid,
  t.tgid = t.pid AS is_main_thread, 0 AS is_idle, 0 AS machine_id
FROM _tdat_task AS t LEFT JOIN _tdat_birth AS b ON b.pid = t.pid
UNION ALL
SELECT 0, 0, 0, 'swapper', NULL, NULL, 0, 1, 1, 0;
CREATE PERFETTO INDEX _tdat_thread_by_upid ON thread(upid);

CREATE PERFETTO TABLE process(upid ID, id LONG, pid LONG, name STRING, start_ts TIMESTAMP, end_ts TIMESTAMP, parent_upid JOINID(process.id), uid LONG, android_appid LONG, android_user_id LONG, cmdline STRING, arg_set_id LONG, machine_id JOINID(machine.id)) AS
SELECT t.upid, t.upid AS id, t.upid AS pid, nullif(max(iif(t.tid = t.upid, t.name, NULL)), 'swapper') AS name,
  b.ts AS start_ts, NULL AS end_ts, p.upid AS parent_upid, NULL AS uid, NULL AS android_appid,
  NULL AS android_user_id, NULL AS cmdline, NULL AS arg_set_id, 0 AS machine_id
FROM thread AS t LEFT JOIN _tdat_birth AS b ON b.pid = t.upid LEFT JOIN thread AS p ON p.utid = b.by_pid
GROUP BY t.upid;

-- ---- the machine and the trace ----

CREATE PERFETTO TABLE cpu(id ID, ucpu LONG, cpu LONG, cluster_id LONG, processor STRING, machine_id JOINID(machine.id), capacity LONG, arg_set_id LONG) AS
SELECT cpu AS id, cpu AS ucpu, cpu, NULL AS cluster_id, NULL AS processor, 0 AS machine_id,
  NULL AS capacity, NULL AS arg_set_id
FROM cpus GROUP BY cpu;

CREATE PERFETTO TABLE _tdat_uname(sysname STRING, nodename STRING, release STRING, arch STRING) AS
WITH words(n, word, rest) AS (
  SELECT 0, NULL, (SELECT value || ' ' FROM info WHERE key = 'uname' LIMIT 1)
  UNION ALL
  SELECT n + 1, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
  FROM words WHERE rest <> '' AND n < 16)
SELECT max(iif(n = 1, word, NULL)) AS sysname, max(iif(n = 2, word, NULL)) AS nodename,
  max(iif(n = 3, word, NULL)) AS release, max(iif(n = 4, word, NULL)) AS arch
FROM words;

CREATE PERFETTO VIEW machine(id ID, raw_id LONG, sysname STRING, release STRING, version STRING, arch STRING, num_cpus LONG, android_build_fingerprint STRING, android_device_manufacturer STRING, android_sdk_version LONG, name STRING) AS
SELECT 0 AS id, 0 AS raw_id, sysname, release, NULL AS version, arch,
  (SELECT count(*) FROM cpu) AS num_cpus, NULL AS android_build_fingerprint,
  NULL AS android_device_manufacturer, NULL AS android_sdk_version, nodename AS name
FROM _tdat_uname;

CREATE PERFETTO TABLE trace_bounds(start_ts TIMESTAMP, end_ts TIMESTAMP) AS
SELECT ifnull(min(ts), 0) AS start_ts, ifnull(max(ts), 0) AS end_ts FROM events;

CREATE PERFETTO FUNCTION trace_start() RETURNS TIMESTAMP AS SELECT start_ts FROM trace_bounds;
CREATE PERFETTO FUNCTION trace_end() RETURNS TIMESTAMP AS SELECT end_ts FROM trace_bounds;
CREATE PERFETTO FUNCTION trace_dur() RETURNS DURATION AS SELECT end_ts - start_ts FROM trace_bounds;

CREATE PERFETTO TABLE metadata(id ID, name STRING, key_type STRING, int_value LONG, str_value STRING, machine_id JOINID(machine.id), trace_id LONG) AS
SELECT row_number() OVER () - 1 AS id, name, 'single' AS key_type, int_value, str_value,
  0 AS machine_id, 0 AS trace_id
FROM (
  SELECT 'system_name' AS name, NULL AS int_value, sysname AS str_value FROM _tdat_uname
  UNION ALL SELECT 'system_release', NULL, release FROM _tdat_uname
  UNION ALL SELECT 'system_machine', NULL, arch FROM _tdat_uname
  UNION ALL SELECT 'trace_type', NULL, 'ftrace'
  UNION ALL SELECT 'trace_attribute.tracedat.' || key, NULL, value
    FROM info WHERE key IN ('version', 'clock'))
WHERE str_value IS NOT NULL;

CREATE PERFETTO TABLE stats(name STRING, idx LONG, severity STRING, source STRING, value LONG, description STRING, machine_id JOINID(machine.id), trace_id LONG) AS
SELECT name, cpu AS idx, 'data_loss' AS severity, 'trace' AS source, value, description,
  0 AS machine_id, 0 AS trace_id
FROM (
  SELECT 'ftrace_cpu_has_data_loss' AS name, cpu, count(ts) > 0 AS value,
    'Events of the CPU were lost within the recording' AS description
  FROM cpus LEFT JOIN lost USING (cpu) GROUP BY cpu
  UNION ALL
  SELECT 'ftrace_cpu_overrun_delta', cpu, ifnull(sum(lost), 0),
    'Events of the CPU that were lost, where their number is known'
  FROM cpus LEFT JOIN lost USING (cpu) GROUP BY cpu);

-- ---- events and their arguments ----

CREATE PERFETTO VIEW ftrace_event(id ID, ts TIMESTAMP, name STRING, cpu LONG, utid JOINID(thread.id), arg_set_id ARGSETID, common_flags LONG, ucpu LONG) AS
SELECT rowid AS id, ts, event AS name, cpu, pid AS utid, rowid AS arg_set_id,
  0 AS common_flags, cpu AS ucpu
FROM "tdat.events";

CREATE PERFETTO VIEW raw(id ID, ts TIMESTAMP, name STRING, cpu LONG, utid JOINID(thread.id), arg_set_id ARGSETID, common_flags LONG, ucpu LONG) AS
SELECT rowid AS id, ts, event AS name, cpu, pid AS utid, rowid AS arg_set_id,
  0 AS common_flags, cpu AS ucpu
FROM "tdat.events";

-- ---- scheduling ----

CREATE PERFETTO TABLE sched_slice(id ID, ts TIMESTAMP, dur DURATION, cpu LONG, utid JOINID(thread.id), end_state STRING, priority LONG, ucpu LONG) AS
SELECT row_number() OVER (ORDER BY ts, cpu) - 1 AS id, ts, ifnull(dur, -1) AS dur, cpu,
  pid AS utid, end_state, prio AS priority, cpu AS ucpu
FROM "tdat.sched" ORDER BY ts, cpu;
CREATE PERFETTO INDEX _tdat_sched_by_utid ON sched_slice(utid, ts);

CREATE PERFETTO VIEW sched(id ID, ts TIMESTAMP, dur DURATION, cpu LONG, utid JOINID(thread.id), end_state STRING, priority LONG, ucpu LONG, ts_end TIMESTAMP) AS
SELECT *, iif(dur = -1, trace_end(), ts + dur) AS ts_end FROM sched_slice;

CREATE PERFETTO TABLE _tdat_state(id ID, ts TIMESTAMP, dur DURATION, cpu LONG, utid JOINID(thread.id), state STRING, waker_utid JOINID(thread.id)) AS
-- Perfetto has no state of a new task before it runs first.
SELECT row_number() OVER (ORDER BY ts, pid) - 1 AS id, ts, ifnull(dur, -1) AS dur,
  CASE WHEN state = 'running' THEN cpu END AS cpu, pid AS utid,
  CASE state WHEN 'running' THEN 'Running' WHEN 'runnable' THEN 'R' WHEN 'preempted' THEN 'R+' ELSE prev_state END AS state,
  CASE WHEN state = 'runnable' THEN waker_pid END AS waker_utid
FROM (SELECT *, row_number() OVER (PARTITION BY pid ORDER BY ts) AS n FROM "tdat.thread_state")
WHERE NOT (n = 1 AND state = 'runnable' AND wakeup_ts IS ts) ORDER BY ts, pid;
CREATE PERFETTO INDEX _tdat_state_by_utid ON _tdat_state(utid, ts);

CREATE PERFETTO VIEW thread_state(id ID, ts TIMESTAMP, dur DURATION, cpu LONG, utid JOINID(thread.id), state STRING, io_wait LONG, blocked_function STRING, waker_utid JOINID(thread.id), waker_id JOINID(thread_state.id), irq_context LONG, ucpu LONG) AS
SELECT id, ts, dur, cpu, utid, state, NULL AS io_wait, NULL AS blocked_function, waker_utid,
  (SELECT w.id FROM _tdat_state AS w WHERE w.utid = s.waker_utid AND w.ts <= s.ts ORDER BY w.ts DESC LIMIT 1) AS waker_id,
  NULL AS irq_context, cpu AS ucpu
FROM _tdat_state AS s;

-- ---- slices ----

-- Each interval, with the track that it lies on.
CREATE PERFETTO TABLE _tdat_interval(ts TIMESTAMP, dur DURATION, open STRING, type STRING, track_name STRING, cpu LONG, utid LONG, upid LONG, cookie STRING, category STRING, name STRING, track STRING) AS
SELECT *, type || '|' || ifnull(cpu, '') || '|' || ifnull(utid, '') || '|' || ifnull(upid, '') || '|' || ifnull(length(track_name), '') || '|' || ifnull(track_name, '') || ifnull(cookie, '') AS track FROM (
SELECT ts, iif(name = 'rt_sigreturn', 0, dur) AS dur, open, 'thread_execution' AS type, NULL AS track_name, NULL AS cpu,
  pid AS utid, NULL AS upid, NULL AS cookie, NULL AS category,
  'sys_' || CASE name WHEN 'newuname' THEN 'uname' WHEN 'newstat' THEN 'stat' WHEN 'newlstat' THEN 'lstat'
    WHEN 'newfstat' THEN 'fstat' WHEN 'sendfile64' THEN 'sendfile' WHEN 'umount' THEN 'umount2'
    ELSE ifnull(name, nr) END AS name
FROM "tdat.syscall"
UNION ALL
SELECT ts, dur, open, 'thread_execution', NULL, NULL, pid, NULL, NULL, 'workqueue',
  substr(function, 1, instr(function || '+', '+') - 1)
FROM "tdat.workqueue"
UNION ALL
SELECT ts, iif(kind = 'instant', 0, dur), open, 'thread_execution', NULL, NULL, pid, NULL, NULL, NULL, name
FROM "tdat.slice" WHERE kind <> 'async'
UNION ALL
SELECT ts, 0, NULL, 'thread_execution', NULL, NULL, iif(event = 'signal_generate', EXTRACT_ARG(rowid, 'pid'), pid), NULL, NULL, NULL, event
FROM "tdat.events" WHERE event IN ('signal_generate', 'signal_deliver')
  AND EXISTS (SELECT 1 FROM events WHERE event IN ('signal_generate', 'signal_deliver'))
UNION ALL
SELECT ts, dur, open, 'atrace_async_slice', name, NULL, NULL, tgid, cookie, NULL, name
FROM "tdat.slice" WHERE kind = 'async'
UNION ALL
SELECT ts, dur, open, iif(pid = 0, 'cpu_funcgraph', 'thread_funcgraph'), iif(pid = 0, 'swapper' || cpu || ' Funcgraph', 'Funcgraph'),
  iif(pid = 0, cpu, NULL), nullif(pid, 0), NULL, NULL, NULL, substr(func, 1, instr(func || '+', '+') - 1)
FROM "tdat.function"
UNION ALL
SELECT ts, dur, open, 'cpu_irq', 'Irq Cpu ' || cpu, cpu, NULL, NULL, NULL, 'irq', 'IRQ (' || name || ')'
FROM "tdat.irq"
UNION ALL
SELECT ts, dur, iif(dur IS NULL, 'unended', NULL), 'cpu_irq', 'Irq Cpu ' || cpu, cpu, NULL, NULL, NULL, 'irq', 'IRQ (LocalTimer)'
FROM (
  SELECT ts, cpu, event, iif(lead(event) OVER of_cpu = 'local_timer_exit', lead(ts) OVER of_cpu - ts, NULL) AS dur
  FROM events WHERE event IN ('local_timer_entry', 'local_timer_exit') AND system = 'irq_vectors'
  WINDOW of_cpu AS (PARTITION BY cpu ORDER BY ts))
WHERE event = 'local_timer_entry'
UNION ALL
SELECT ts, dur, iif(dur IS NULL, 'unended', NULL), 'cpu_hotplug', 'CPU Hotplug ' || of_cpu, of_cpu, NULL, NULL, NULL, 'cpu', 'cpuhp(' || idx || ')'
FROM (
  SELECT ts, event, of_cpu, idx, iif(lead(event) OVER of_step = 'cpuhp_exit', lead(ts) OVER of_step - ts, NULL) AS dur
  FROM (
    SELECT ts, event, rowid AS id, EXTRACT_ARG(rowid, 'cpu') AS of_cpu, EXTRACT_ARG(rowid, 'idx') AS idx
    FROM "tdat.events" WHERE event IN ('cpuhp_enter', 'cpuhp_multi_enter', 'cpuhp_exit')
      AND EXISTS (SELECT 1 FROM events WHERE event IN ('cpuhp_enter', 'cpuhp_multi_enter')))
  WINDOW of_step AS (PARTITION BY of_cpu, idx ORDER BY id))
WHERE event <> 'cpuhp_exit'
UNION ALL
SELECT ts, dur, open, 'cpu_softirq', 'SoftIrq Cpu ' || cpu, cpu, NULL, NULL, NULL, 'irq', name
FROM "tdat.softirq"
UNION ALL
SELECT ts, dur, open, 'cpu_hrtimer', 'Hrtimer Cpu ' || cpu, cpu, NULL, NULL, NULL, 'hrtimer',
  substr(function, 1, instr(function || '+', '+') - 1)
FROM "tdat.timer" WHERE kind = 'hrtimer');

-- Each value of a counter, with its track.
CREATE PERFETTO TABLE _tdat_value(ts TIMESTAMP, type STRING, track_name STRING, cpu LONG, upid LONG, value DOUBLE, track STRING) AS
SELECT *, type || '|' || ifnull(cpu, '') || '|' || ifnull(upid, '') || '|' || track_name AS track FROM (
SELECT ts, CASE WHEN tgid IS NULL THEN name ELSE 'atrace_counter' END AS type,
  CASE WHEN tgid IS NOT NULL THEN name WHEN name = 'cpu_idle' THEN 'cpuidle' ELSE 'cpufreq' END AS track_name,
  CASE WHEN tgid IS NULL THEN cpu END AS cpu, tgid AS upid,
  CASE WHEN tgid IS NULL AND value < 0 THEN value + 4294967296 ELSE value END AS value
FROM "tdat.counter"
WHERE tgid IS NOT NULL OR name IN ('cpu_idle', 'cpu_frequency')
UNION ALL
SELECT ts, 'process_memory', member, NULL, upid, size FROM _tdat_rss);

-- Sizes of rss_stat, whose process is the last that counted an address space as its own.
CREATE PERFETTO TABLE _tdat_rss(ts TIMESTAMP, upid LONG, member STRING, size LONG) AS
WITH stat AS (
  SELECT e.*, t.upid FROM (
    SELECT rowid AS id, ts, pid, EXTRACT_ARG(rowid, 'mm_id') AS mm, EXTRACT_ARG(rowid, 'curr') AS curr,
      EXTRACT_ARG(rowid, 'member') AS member, EXTRACT_ARG(rowid, 'size') AS size
    FROM "tdat.events" WHERE event = 'rss_stat' AND EXISTS (SELECT 1 FROM events WHERE event = 'rss_stat')) AS e
  JOIN thread AS t ON t.utid = e.pid WHERE e.mm IS NOT NULL),
owned AS (
  SELECT s.*, max(iif(curr, id, NULL)) OVER (PARTITION BY mm ORDER BY id) AS owner_at FROM stat AS s),
kept AS (
  SELECT o.*, w.upid AS owner, max(iif(NOT o.curr AND o.upid = w.upid, o.id, NULL)) OVER (PARTITION BY o.mm ORDER BY o.id) AS given_up_at
  FROM owned AS o JOIN owned AS w ON w.id = o.owner_at)
SELECT ts, owner AS upid, CASE member WHEN 0 THEN 'mem.rss.file' WHEN 1 THEN 'mem.rss.anon' WHEN 2 THEN 'mem.swap' ELSE 'mem.rss.shmem' END AS member, size
FROM kept WHERE size >= 0 AND ifnull(given_up_at, -1) < owner_at ORDER BY id;

CREATE PERFETTO TABLE _tdat_track(id ID, type STRING, name STRING, cpu LONG, utid LONG, upid LONG, is_counter BOOL, track STRING) AS
SELECT row_number() OVER (ORDER BY first_ts, track) - 1 AS id, type, name, cpu, utid, upid, is_counter, track
FROM (
  SELECT min(ts) AS first_ts, type, track_name AS name, cpu, utid, upid, 0 AS is_counter, track
  FROM _tdat_interval GROUP BY track
  UNION ALL
  SELECT min(ts), type, track_name, cpu, NULL, upid, 1, track FROM _tdat_value GROUP BY track);
CREATE PERFETTO INDEX _tdat_track_by_key ON _tdat_track(track, is_counter);

-- Arguments of tracks have negative numbers: those of events are not.
CREATE PERFETTO TABLE _tdat_track_arg(id ID, arg_set_id LONG, flat_key STRING, key STRING, int_value LONG, string_value STRING, real_value DOUBLE, value_type STRING, display_value STRING) AS
SELECT -row_number() OVER () AS id, -1 - id AS arg_set_id, key AS flat_key, key, value AS int_value, NULL AS string_value,
  NULL AS real_value, 'int' AS value_type, CAST(value AS TEXT) AS display_value
FROM (
  SELECT id, 'cpu' AS key, cpu AS value FROM _tdat_track WHERE cpu IS NOT NULL
  UNION ALL SELECT id, 'utid', utid FROM _tdat_track WHERE utid IS NOT NULL
  UNION ALL SELECT id, 'upid', upid FROM _tdat_track WHERE upid IS NOT NULL);
CREATE PERFETTO INDEX _tdat_track_arg_by_set ON _tdat_track_arg(arg_set_id);

CREATE PERFETTO VIEW track(id ID, name STRING, type STRING, dimension_arg_set_id ARGSETID, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), track_group_id LONG) AS
SELECT id, name, type, (SELECT arg_set_id FROM _tdat_track_arg WHERE arg_set_id = -1 - _tdat_track.id LIMIT 1) AS dimension_arg_set_id, NULL AS parent_id, NULL AS source_arg_set_id,
  0 AS machine_id, NULL AS track_group_id
FROM _tdat_track;

CREATE PERFETTO VIEW thread_track(id ID, name STRING, type STRING, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), utid JOINID(thread.id)) AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, 0 AS machine_id, utid
FROM _tdat_track WHERE utid IS NOT NULL AND NOT is_counter;

CREATE PERFETTO VIEW process_track(id ID, name STRING, type STRING, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), upid JOINID(process.id)) AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, 0 AS machine_id, upid
FROM _tdat_track WHERE upid IS NOT NULL AND NOT is_counter;

CREATE PERFETTO VIEW cpu_track(id ID, name STRING, type STRING, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), cpu LONG) AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, 0 AS machine_id, cpu
FROM _tdat_track WHERE cpu IS NOT NULL AND NOT is_counter;

CREATE PERFETTO VIEW counter_track(id ID, name STRING, parent_id JOINID(track.id), type STRING, dimension_arg_set_id ARGSETID, source_arg_set_id ARGSETID, machine_id JOINID(machine.id), unit STRING, description STRING) AS
SELECT id, name, NULL AS parent_id, type, (SELECT arg_set_id FROM _tdat_track_arg WHERE arg_set_id = -1 - _tdat_track.id LIMIT 1) AS dimension_arg_set_id, NULL AS source_arg_set_id, 0 AS machine_id,
  NULL AS unit, NULL AS description
FROM _tdat_track WHERE is_counter;

CREATE PERFETTO VIEW cpu_counter_track(id ID, name STRING, type STRING, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), unit STRING, description STRING, cpu LONG) AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, 0 AS machine_id, NULL AS unit, NULL AS description, cpu
FROM _tdat_track WHERE is_counter AND cpu IS NOT NULL;

CREATE PERFETTO VIEW process_counter_track(id ID, name STRING, type STRING, parent_id JOINID(track.id), source_arg_set_id ARGSETID, machine_id JOINID(machine.id), unit STRING, description STRING, upid JOINID(process.id)) AS
SELECT id, name, type, NULL AS parent_id, NULL AS source_arg_set_id, 0 AS machine_id, NULL AS unit, NULL AS description, upid
FROM _tdat_track WHERE is_counter AND upid IS NOT NULL;

-- Slices whose end was lost have nothing within them.
CREATE PERFETTO TABLE _tdat_slice(id ID, ts TIMESTAMP, dur DURATION, track_id JOINID(track.id), category STRING, name STRING, depth LONG, stack_id LONG, parent_stack_id LONG, parent_id JOINID(slice.id)) AS
SELECT id, ts, dur, track_id, category, name, nest_depth(id, ts, length) OVER nested AS depth,
  nest_stack(id, ts, length, name, category) OVER nested AS stack_id, nest_parent_stack(id, ts, length, name, category) OVER nested AS parent_stack_id, nest_parent(id, ts, length) OVER nested AS parent_id
FROM (
  SELECT row_number() OVER (ORDER BY i.ts, i.dur IS NOT NULL, i.dur DESC, t.id) - 1 AS id, i.ts,
    ifnull(i.dur, -1) AS dur, iif(i.dur IS NULL AND i.open <> 'end', 0, ifnull(i.dur, -1)) AS length, t.id AS track_id, i.category, i.name
  FROM _tdat_interval AS i JOIN _tdat_track AS t
    ON t.track = i.track AND t.is_counter = 0)
WINDOW nested AS (PARTITION BY track_id ORDER BY id ROWS UNBOUNDED PRECEDING)
ORDER BY id;
CREATE PERFETTO INDEX _tdat_slice_by_track ON _tdat_slice(track_id, ts);
CREATE PERFETTO INDEX _tdat_slice_by_parent ON _tdat_slice(parent_id);
CREATE PERFETTO INDEX _tdat_slice_by_stack ON _tdat_slice(stack_id);

CREATE PERFETTO VIEW slice(id ID, ts TIMESTAMP, dur DURATION, track_id JOINID(track.id), category STRING, name STRING, depth LONG, stack_id LONG, parent_stack_id LONG, parent_id JOINID(slice.id), arg_set_id ARGSETID, thread_ts TIMESTAMP, thread_dur DURATION, thread_instruction_count LONG, thread_instruction_delta LONG, cat STRING, slice_id JOINID(slice.id)) AS
SELECT id, ts, dur, track_id, category, name, depth, stack_id, parent_stack_id, parent_id, NULL AS arg_set_id, NULL AS thread_ts,
  NULL AS thread_dur, NULL AS thread_instruction_count, NULL AS thread_instruction_delta,
  category AS cat, id AS slice_id
FROM _tdat_slice;

CREATE PERFETTO VIEW slices AS SELECT * FROM slice;

CREATE PERFETTO VIEW instant(ts TIMESTAMP, track_id JOINID(track.id), name STRING, arg_set_id ARGSETID) AS
SELECT ts, track_id, name, NULL AS arg_set_id FROM _tdat_slice WHERE dur = 0;

CREATE PERFETTO FUNCTION ancestor_slice(slice_id JOINID(slice.id))
RETURNS TABLE(id ID, ts TIMESTAMP, dur DURATION, track_id JOINID(track.id), category STRING, name STRING, depth LONG, parent_id JOINID(slice.id), arg_set_id ARGSETID, thread_ts TIMESTAMP, thread_dur DURATION, thread_instruction_count LONG, thread_instruction_delta LONG) AS
WITH up(id) AS (
  SELECT parent_id FROM _tdat_slice WHERE id = $slice_id
  UNION ALL SELECT s.parent_id FROM up JOIN _tdat_slice AS s ON s.id = up.id)
SELECT slice.* FROM up JOIN slice ON slice.id = up.id;

CREATE PERFETTO FUNCTION descendant_slice(slice_id JOINID(slice.id))
RETURNS TABLE(id ID, ts TIMESTAMP, dur DURATION, track_id JOINID(track.id), category STRING, name STRING, depth LONG, parent_id JOINID(slice.id), arg_set_id ARGSETID, thread_ts TIMESTAMP, thread_dur DURATION, thread_instruction_count LONG, thread_instruction_delta LONG) AS
WITH down(id) AS (
  SELECT id FROM _tdat_slice WHERE parent_id = $slice_id
  UNION ALL SELECT s.id FROM down JOIN _tdat_slice AS s ON s.parent_id = down.id)
SELECT slice.* FROM down JOIN slice ON slice.id = down.id ORDER BY slice.id;

CREATE PERFETTO FUNCTION slice_is_ancestor(ancestor_id JOINID(slice.id), descendant_id JOINID(slice.id)) RETURNS BOOL AS
SELECT EXISTS (SELECT 1 FROM ancestor_slice($descendant_id) WHERE id = $ancestor_id);

-- ---- counters ----

CREATE PERFETTO TABLE _tdat_counter(id ID, ts TIMESTAMP, track_id JOINID(track.id), value DOUBLE) AS
SELECT row_number() OVER (ORDER BY v.ts, t.id) - 1 AS id, v.ts, t.id AS track_id, v.value
FROM _tdat_value AS v JOIN _tdat_track AS t
  ON t.track = v.track AND t.is_counter = 1
ORDER BY 1;
CREATE PERFETTO INDEX _tdat_counter_by_track ON _tdat_counter(track_id, ts);

CREATE PERFETTO VIEW counter(id ID, ts TIMESTAMP, track_id JOINID(track.id), value DOUBLE, arg_set_id ARGSETID) AS
SELECT id, ts, track_id, value, NULL AS arg_set_id FROM _tdat_counter;

CREATE PERFETTO VIEW counters(id ID, ts TIMESTAMP, track_id JOINID(track.id), value DOUBLE, arg_set_id ARGSETID, name STRING, unit STRING) AS
SELECT v.id, v.ts, v.track_id, v.value, NULL AS arg_set_id, t.name, NULL AS unit
FROM _tdat_counter AS v JOIN _tdat_track AS t ON v.track_id = t.id ORDER BY v.ts;

-- ---- tables of what only Perfetto's own recorders record: they have no rows ----

CREATE PERFETTO TABLE heap_profile_allocation(id LONG, ts LONG, upid LONG, heap_name STRING, callsite_id LONG, count LONG, size LONG);
CREATE PERFETTO TABLE stack_profile_callsite(id LONG, depth LONG, parent_id LONG, frame_id LONG);
CREATE PERFETTO TABLE stack_profile_frame(id LONG, name STRING, mapping LONG, rel_pc LONG, symbol_set_id LONG, deobfuscated_name STRING);
CREATE PERFETTO TABLE stack_profile_mapping(id LONG, build_id STRING, exact_offset LONG, start_offset LONG, start LONG, end LONG, load_bias LONG, name STRING);
CREATE PERFETTO TABLE stack_profile_symbol(id LONG, symbol_set_id LONG, name STRING, source_file STRING, line_number LONG);
CREATE PERFETTO TABLE perf_sample(id LONG, ts LONG, utid LONG, cpu LONG, cpu_mode STRING, callsite_id LONG, unwind_error STRING, perf_session_id LONG);
CREATE PERFETTO TABLE perf_session(id LONG, cmdline STRING, perf_session_id LONG);
CREATE PERFETTO TABLE cpu_profile_stack_sample(id LONG, ts LONG, callsite_id LONG, utid LONG, process_priority LONG);
CREATE PERFETTO TABLE instruments_sample(id LONG, ts LONG, utid LONG, callsite_id LONG, cpu LONG);
CREATE PERFETTO TABLE android_logs(id LONG, ts LONG, utid LONG, prio LONG, tag STRING, msg STRING);
CREATE PERFETTO TABLE android_dumpstate(id LONG, section STRING, service STRING, line STRING);
CREATE PERFETTO TABLE android_game_intervention_list(id LONG, package_name STRING, uid LONG, current_mode LONG, standard_mode_supported LONG, standard_mode_downscale DOUBLE, standard_mode_use_angle LONG, standard_mode_fps DOUBLE, perf_mode_supported LONG, perf_mode_downscale DOUBLE, perf_mode_use_angle LONG, perf_mode_fps DOUBLE, battery_mode_supported LONG, battery_mode_downscale DOUBLE, battery_mode_use_angle LONG, battery_mode_fps DOUBLE);
CREATE PERFETTO TABLE package_list(id LONG, package_name STRING, uid LONG, debuggable LONG, profileable_from_shell LONG, version_code LONG);
CREATE PERFETTO TABLE protolog(id LONG, ts LONG, level STRING, tag STRING, message STRING, stacktrace STRING, location STRING);
CREATE PERFETTO TABLE flow(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG);
CREATE PERFETTO TABLE filedescriptor(id LONG, ufd LONG, fd LONG, ts LONG, upid LONG, path STRING);
CREATE PERFETTO TABLE clock_snapshot(id LONG, ts LONG, clock_id LONG, clock_name STRING, clock_value LONG, snapshot_id LONG, machine_id LONG);
CREATE PERFETTO TABLE gpu(id LONG, ugpu LONG, gpu LONG, name STRING, vendor STRING, model STRING, architecture STRING, uuid STRING, pci_bdf STRING, machine_id LONG, arg_set_id LONG);
CREATE PERFETTO TABLE gpu_counter_track(id LONG, name STRING, type STRING, parent_id LONG, source_arg_set_id LONG, machine_id LONG, unit STRING, description STRING, gpu_id LONG);
CREATE PERFETTO TABLE gpu_track(id LONG, name STRING, type STRING, parent_id LONG, source_arg_set_id LONG, dimension_arg_set_id LONG, machine_id LONG, scope STRING, description STRING, context_id LONG);
CREATE PERFETTO TABLE gpu_slice(id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, context_id ANY, render_target ANY, render_target_name ANY, render_pass ANY, render_pass_name ANY, command_buffer ANY, command_buffer_name ANY, frame_id ANY, submission_id ANY, hw_queue_id ANY, upid ANY, render_subpasses ANY);
CREATE PERFETTO TABLE frame_slice(id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, layer_name ANY, frame_number ANY, queue_to_acquire_time ANY, acquire_to_latch_time ANY, latch_to_present_time ANY);
CREATE PERFETTO TABLE gpu_counter_group(id LONG, group_id LONG, track_id LONG);
CREATE PERFETTO TABLE thread_counter_track(id LONG, name STRING, type STRING, parent_id LONG, source_arg_set_id LONG, machine_id LONG, unit STRING, description STRING, utid LONG);
CREATE PERFETTO TABLE perf_counter_track(id LONG, name STRING, type STRING, parent_id LONG, source_arg_set_id LONG, machine_id LONG, unit STRING, description STRING, perf_session_id LONG, cpu LONG, is_timebase LONG);
CREATE PERFETTO TABLE expected_frame_timeline_slice(id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, display_frame_token LONG, surface_frame_token LONG, upid LONG, layer_name STRING);
CREATE PERFETTO TABLE actual_frame_timeline_slice(id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, display_frame_token LONG, surface_frame_token LONG, upid LONG, layer_name STRING, present_type STRING, on_time_finish LONG, gpu_composition LONG, jank_type STRING, jank_severity_type STRING, prediction_type STRING, jank_tag STRING);
CREATE PERFETTO TABLE vulkan_memory_allocations(id LONG, arg_set_id LONG, source STRING, operation STRING, timestamp LONG, upid LONG, device LONG, device_memory LONG, memory_type LONG, heap LONG, function_name STRING, object_handle LONG, memory_address LONG, memory_size LONG, scope STRING);
CREATE PERFETTO TABLE profiler_smaps(id LONG, upid LONG, ts LONG, path STRING, size_kb LONG, private_dirty_kb LONG, swap_kb LONG, file_name STRING, start_address LONG, module_timestamp LONG, module_debugid STRING, module_debug_path STRING, protection_flags LONG, private_clean_resident_kb LONG, shared_dirty_resident_kb LONG, shared_clean_resident_kb LONG, locked_kb LONG, proportional_resident_kb LONG);
CREATE PERFETTO TABLE cpu_available_frequencies(id LONG, cpu LONG, freq LONG, ucpu LONG);
CREATE PERFETTO TABLE surfaceflinger_layers_snapshot(id LONG, ts LONG, arg_set_id LONG, base64_proto_id LONG, sequence_id LONG);
CREATE PERFETTO TABLE surfaceflinger_layer(id LONG, snapshot_id LONG, arg_set_id LONG, base64_proto_id LONG, layer_id LONG, layer_name STRING, is_visible LONG, parent LONG, corner_radius_tl DOUBLE, corner_radius_tr DOUBLE, corner_radius_bl DOUBLE, corner_radius_br DOUBLE, hwc_composition_type LONG, is_hidden_by_policy LONG, z_order_relative_of LONG, is_missing_z_parent LONG, layer_rect_id LONG, input_rect_id LONG);
CREATE PERFETTO TABLE surfaceflinger_transactions(id LONG, ts LONG, arg_set_id LONG, base64_proto_id LONG, vsync_id LONG);
CREATE PERFETTO TABLE window_manager_shell_transitions(id LONG, ts LONG, transition_id LONG, arg_set_id LONG, transition_type LONG, send_time_ns LONG, dispatch_time_ns LONG, duration_ns LONG, finish_time_ns LONG, shell_abort_time_ns LONG, handler LONG, status STRING, flags LONG, start_transaction_id LONG, finish_transaction_id LONG);
CREATE PERFETTO TABLE window_manager_shell_transition_handlers(id LONG, handler_id LONG, handler_name STRING, base64_proto_id LONG);
CREATE PERFETTO TABLE trace_metrics(name STRING);
CREATE PERFETTO TABLE experimental_missing_chrome_processes(id LONG, upid LONG, reliable_from LONG);
CREATE PERFETTO TABLE heap_graph_object(id LONG, upid LONG, graph_sample_ts LONG, self_size LONG, native_size LONG, reference_set_id LONG, reachable LONG, heap_type STRING, type_id LONG, root_type STRING, root_distance LONG, object_data_id LONG);
CREATE PERFETTO TABLE heap_graph_class(id LONG, name STRING, deobfuscated_name STRING, location STRING, superclass_id LONG, classloader_id LONG, kind STRING);
CREATE PERFETTO TABLE heap_graph_reference(id LONG, reference_set_id LONG, owner_id LONG, owned_id LONG, field_name STRING, field_type_name STRING, deobfuscated_field_name STRING);
CREATE PERFETTO TABLE trace_file(id LONG, parent_id LONG, name STRING, size LONG, trace_type STRING, processing_order LONG, trace_id LONG);
CREATE PERFETTO TABLE logs(id LONG, ts LONG, utid LONG, prio LONG, tag STRING, msg STRING);

CREATE PERFETTO FUNCTION directly_connected_flow(slice_id LONG) RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT id, slice_out, slice_in, trace_id, arg_set_id FROM flow WHERE slice_out = $slice_id OR slice_in = $slice_id;
CREATE PERFETTO FUNCTION following_flow(slice_id LONG) RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT id, slice_out, slice_in, trace_id, arg_set_id FROM flow WHERE slice_out = $slice_id;
CREATE PERFETTO FUNCTION preceding_flow(slice_id LONG) RETURNS TABLE(id LONG, slice_out LONG, slice_in LONG, trace_id LONG, arg_set_id LONG) AS
SELECT id, slice_out, slice_in, trace_id, arg_set_id FROM flow WHERE slice_in = $slice_id;
