-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Slices by the names and categories of those around them.
CREATE PERFETTO VIEW slice_with_stack_id(id ID, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG, thread_instruction_count LONG, thread_instruction_delta LONG, stack_id LONG, parent_stack_id LONG) AS
SELECT * FROM slice;
CREATE PERFETTO FUNCTION ancestor_slice_by_stack(stack_hash LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT DISTINCT a.* FROM _tdat_slice AS k JOIN ancestor_slice(k.id) AS a WHERE k.stack_id = $stack_hash;
CREATE PERFETTO FUNCTION descendant_slice_by_stack(stack_hash LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT DISTINCT a.* FROM _tdat_slice AS k JOIN descendant_slice(k.id) AS a WHERE k.stack_id = $stack_hash;
