-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The parts of each slice of a thread in which none of its children is active.
CREATE PERFETTO TABLE _slice_flattened(slice_id LONG, ts TIMESTAMP, dur DURATION, depth LONG, name STRING, root_id LONG, track_id LONG, utid LONG, tid LONG, thread_name STRING, upid LONG, pid LONG, process_name STRING) AS
WITH RECURSIVE root(id, root_id) AS (
  SELECT id, id FROM _tdat_slice WHERE parent_id IS NULL
  UNION ALL SELECT c.id, root.root_id FROM root JOIN _tdat_slice AS c ON c.parent_id = root.id),
-- A part begins with the slice, or where a child ends, and lasts until the next child begins.
part AS (
  SELECT id, ts, lead(begin) OVER (PARTITION BY id ORDER BY begin) AS next_ts FROM (
    SELECT id, ts, ts - 1 AS begin FROM _tdat_slice
    UNION ALL SELECT parent_id, ts + dur, ts FROM _tdat_slice WHERE parent_id IS NOT NULL))
SELECT s.id AS slice_id, part.ts, ifnull(part.next_ts, s.ts + s.dur) - part.ts AS dur, s.depth, s.name, root.root_id, s.track_id,
  s.utid, s.tid, s.thread_name, s.upid, s.pid, s.process_name
FROM thread_slice AS s JOIN part ON part.id = s.id JOIN root ON root.id = s.id
WHERE s.dur <> -1 AND ifnull(part.next_ts, s.ts + s.dur) > part.ts;
