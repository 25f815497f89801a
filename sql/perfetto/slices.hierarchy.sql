-- SPDX-License-Identifier: LGPL-2.1-or-later
-- A slice with those around it, or within it.
CREATE PERFETTO FUNCTION _slice_ancestor_and_self(slice_id LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur FROM slice WHERE id = $slice_id
UNION ALL SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur FROM ancestor_slice($slice_id);
CREATE PERFETTO FUNCTION _slice_descendant_and_self(slice_id LONG) RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG) AS
SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur FROM slice WHERE id = $slice_id
UNION ALL SELECT id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur FROM descendant_slice($slice_id);
