-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tracks of counters that belong to the whole machine.
CREATE PERFETTO FUNCTION _counter_track_is_only_name_dimension(track_id LONG) RETURNS BOOL AS
SELECT EXISTS (SELECT 1 FROM _tdat_track WHERE id = $track_id AND is_counter AND cpu IS NULL AND utid IS NULL AND upid IS NULL);
