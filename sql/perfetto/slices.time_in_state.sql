-- SPDX-License-Identifier: LGPL-2.1-or-later
-- What threads did during their slices.
CREATE PERFETTO TABLE thread_slice_time_in_state(id LONG, name STRING, utid LONG, thread_name STRING, upid LONG, process_name STRING, state STRING, io_wait BOOL, blocked_function STRING, dur DURATION) AS
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, r.state, NULL AS io_wait, NULL AS blocked_function,
  sum(min(r.ts + r.dur, s.ts + s.dur) - max(r.ts, s.ts)) AS dur
FROM thread_slice AS s JOIN _tdat_state AS r ON r.utid = s.utid AND r.ts < s.ts + s.dur AND r.dur > 0 AND r.ts + r.dur > s.ts
WHERE s.dur > 0 GROUP BY s.id, r.state;
