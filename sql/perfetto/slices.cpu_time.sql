-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The time that the threads of slices ran during them.
CREATE PERFETTO TABLE thread_slice_cpu_time(id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, cpu_time LONG) AS
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name,
  sum(min(r.ts + r.dur, s.ts + s.dur) - max(r.ts, s.ts)) AS cpu_time
FROM thread_slice AS s JOIN sched_slice AS r ON r.utid = s.utid AND r.ts < s.ts + s.dur AND r.ts + r.dur > s.ts
WHERE s.dur > 0 AND s.utid > 0 GROUP BY s.id;
CREATE PERFETTO VIEW thread_slice_cpu_cycles(id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, millicycles LONG, megacycles LONG) AS
SELECT id, name, utid, thread_name, upid, process_name, millicycles, megacycles FROM cpu_cycles_per_thread_slice;
