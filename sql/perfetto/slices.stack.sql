-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Slices by the names and categories of those around them.
CREATE PERFETTO TABLE _tdat_slice_stack(id ID, stack_id LONG) AS
WITH RECURSIVE down(id, stack_id) AS (
  SELECT id, abs(hash(0, name, category)) FROM _tdat_slice WHERE parent_id IS NULL
  UNION ALL SELECT s.id, abs(hash(down.stack_id, s.name, s.category)) FROM down JOIN _tdat_slice AS s ON s.parent_id = down.id)
SELECT id, stack_id FROM down;
CREATE PERFETTO INDEX _tdat_slice_by_stack ON _tdat_slice_stack(stack_id);
CREATE PERFETTO VIEW slice_with_stack_id(id ID, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG, thread_instruction_count LONG, thread_instruction_delta LONG, stack_id LONG, parent_stack_id LONG) AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur,
  s.thread_instruction_count, s.thread_instruction_delta, k.stack_id, ifnull(p.stack_id, 0) AS parent_stack_id
FROM slice AS s JOIN _tdat_slice_stack AS k ON k.id = s.id LEFT JOIN _tdat_slice_stack AS p ON p.id = s.parent_id;
CREATE PERFETTO FUNCTION ancestor_slice_by_stack(stack_hash LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT DISTINCT a.id, a.ts, a.dur, a.track_id, a.category, a.name, a.depth, a.parent_id, a.arg_set_id, a.thread_ts, a.thread_dur
FROM _tdat_slice_stack AS k JOIN ancestor_slice(k.id) AS a WHERE k.stack_id = $stack_hash;
CREATE PERFETTO FUNCTION descendant_slice_by_stack(stack_hash LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT DISTINCT a.id, a.ts, a.dur, a.track_id, a.category, a.name, a.depth, a.parent_id, a.arg_set_id, a.thread_ts, a.thread_dur
FROM _tdat_slice_stack AS k JOIN descendant_slice(k.id) AS a WHERE k.stack_id = $stack_hash;
