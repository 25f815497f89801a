-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How long a counter keeps a value. Of a run of equal values there is the first, and one for all others.
CREATE PERFETTO MACRO counter_leading_intervals(counter_table TableOrSubquery) RETURNS TableOrSubquery AS (
  SELECT id, ts, lead(ts, 1, trace_end()) OVER later - ts AS dur, track_id, value,
    lead(value) OVER later AS next_value, value - lag(value) OVER later AS delta_value
  FROM (
    SELECT id, ts, track_id, value, lag(value) OVER of_track AS before, lag(value, 2) OVER of_track AS before_that
    FROM $counter_table WINDOW of_track AS (PARTITION BY track_id ORDER BY ts, id))
  WHERE NOT (before IS value AND before_that IS value)
  WINDOW later AS (PARTITION BY track_id ORDER BY ts, id));
