-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Slices with the threads and processes that they lie on.
CREATE PERFETTO VIEW thread_slice(id ID, ts TIMESTAMP, dur DURATION, category STRING, name STRING, track_id LONG, track_name STRING, thread_name STRING, utid LONG, tid LONG, is_main_thread BOOL, process_name STRING, upid LONG, pid LONG, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, k.name AS track_name, t.name AS thread_name, t.utid, t.tid, t.is_main_thread,
  p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur
FROM slice AS s JOIN thread_track AS k ON s.track_id = k.id JOIN thread AS t USING (utid) LEFT JOIN process AS p USING (upid);
CREATE PERFETTO VIEW process_slice(id ID, ts TIMESTAMP, dur DURATION, category STRING, name STRING, track_id LONG, track_name STRING, process_name STRING, upid LONG, pid LONG, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, k.name AS track_name, p.name AS process_name, p.upid, p.pid,
  s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur
FROM slice AS s JOIN process_track AS k ON s.track_id = k.id JOIN process AS p USING (upid);
CREATE PERFETTO VIEW thread_or_process_slice(id ID, ts TIMESTAMP, dur DURATION, category STRING, name STRING, track_id LONG, track_name STRING, thread_name STRING, utid LONG, tid LONG, process_name STRING, upid LONG, pid LONG, depth LONG, parent_id LONG, arg_set_id LONG) AS
SELECT id, ts, dur, category, name, track_id, track_name, thread_name, utid, tid, process_name, upid, pid, depth, parent_id, arg_set_id FROM thread_slice
UNION ALL SELECT id, ts, dur, category, name, track_id, track_name, NULL, NULL, NULL, process_name, upid, pid, depth, parent_id, arg_set_id FROM process_slice;
