-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Cycles of slices of threads.
CREATE PERFETTO TABLE cpu_cycles_per_thread_slice(id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, millicycles LONG, megacycles LONG) AS
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name,
  CAST(sum((min(r.ts + r.dur, s.ts + s.dur) - max(r.ts, s.ts)) * r.freq / 1000) AS INT) AS millicycles,
  CAST(sum((min(r.ts + r.dur, s.ts + s.dur) - max(r.ts, s.ts)) * r.freq / 1000) / 1e9 AS INT) AS megacycles
FROM thread_slice AS s LEFT JOIN _tdat_run AS r ON r.utid = s.utid AND r.ts < s.ts + s.dur AND r.ts + r.dur > s.ts
GROUP BY s.id;
CREATE PERFETTO FUNCTION cpu_cycles_per_thread_slice_in_interval(ts TIMESTAMP, dur DURATION) RETURNS TABLE(id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, millicycles LONG, megacycles LONG) AS
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name,
  CAST(sum((min(r.ts + r.dur, s.ts + s.dur, $ts + $dur) - max(r.ts, s.ts, $ts)) * r.freq / 1000) AS INT) AS millicycles,
  CAST(sum((min(r.ts + r.dur, s.ts + s.dur, $ts + $dur) - max(r.ts, s.ts, $ts)) * r.freq / 1000) / 1e9 AS INT) AS megacycles
FROM thread_slice AS s JOIN _tdat_run AS r ON r.utid = s.utid AND r.ts < min(s.ts + s.dur, $ts + $dur) AND r.ts + r.dur > max(s.ts, $ts)
WHERE s.dur > 0 AND r.freq IS NOT NULL GROUP BY s.id;
