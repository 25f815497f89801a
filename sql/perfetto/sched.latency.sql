-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How long a thread was runnable before it ran.
CREATE PERFETTO TABLE sched_latency_for_running_interval(thread_state_id LONG, sched_id LONG, utid LONG, runnable_latency_id LONG, latency_dur LONG) AS
SELECT r.id AS thread_state_id, s.id AS sched_id, r.utid, p.prev_runnable_id AS runnable_latency_id, w.dur AS latency_dur
FROM sched_previous_runnable_on_thread AS p JOIN _tdat_state AS r ON r.id = p.id
JOIN sched_slice AS s ON s.utid = r.utid AND s.ts = r.ts
JOIN _tdat_state AS w ON w.id = p.prev_runnable_id;
