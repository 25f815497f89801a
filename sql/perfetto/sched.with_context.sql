-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Slices of CPUs with the names of their threads and processes.
CREATE PERFETTO VIEW sched_with_thread_process(id ID, ts TIMESTAMP, dur DURATION, utid LONG, thread_name STRING, upid LONG, process_name STRING, cpu LONG, end_state STRING, priority LONG) AS
SELECT s.id, s.ts, s.dur, s.utid, t.name AS thread_name, t.upid, p.name AS process_name, s.cpu, s.end_state, s.priority
FROM sched_slice AS s LEFT JOIN thread AS t ON t.utid = s.utid LEFT JOIN process AS p ON p.upid = t.upid;
