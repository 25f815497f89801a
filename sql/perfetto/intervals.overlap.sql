-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How many intervals are open at a time: a row for each change.
CREATE PERFETTO MACRO intervals_overlap_count(segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName) RETURNS TableOrSubquery AS (
  SELECT ts, sum(step) OVER (ORDER BY ts) AS value FROM (
    SELECT ts, sum(step) AS step FROM (
      SELECT $ts_column AS ts, 1 AS step FROM $segments
      UNION ALL SELECT $ts_column + $dur_column, -1 FROM $segments WHERE $dur_column <> -1)
    GROUP BY ts));
CREATE PERFETTO MACRO intervals_overlap_count_by_group(segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName, group_column ColumnName) RETURNS TableOrSubquery AS (
  SELECT ts, sum(step) OVER (PARTITION BY group_name ORDER BY ts) AS value, group_name FROM (
    SELECT ts, group_name, sum(step) AS step FROM (
      SELECT $ts_column AS ts, $group_column AS group_name, 1 AS step FROM $segments
      UNION ALL SELECT $ts_column + $dur_column, $group_column, -1 FROM $segments WHERE $dur_column <> -1)
    GROUP BY ts, group_name) ORDER BY ts);
CREATE PERFETTO MACRO _intervals_overlap_in_table(intervals TableOrSubquery) RETURNS Expr AS (
  SELECT EXISTS (SELECT 1 FROM (SELECT ts + dur AS ts_end, lead(ts) OVER (ORDER BY ts) AS next_ts FROM $intervals) WHERE next_ts < ts_end));
-- Intervals that overlap, or lie within epsilon, become one.
CREATE PERFETTO MACRO interval_merge_overlapping(intervals TableOrSubquery, epsilon Expr) RETURNS TableOrSubquery AS (
  SELECT min(ts) AS ts, max(ts + dur) - min(ts) AS dur FROM (
    SELECT ts, dur, sum(first) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS g FROM (
      SELECT ts, dur, ts > ifnull(max(ts + dur) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ts - 1 - ($epsilon)) + ($epsilon) AS first FROM $intervals))
  GROUP BY g ORDER BY ts);
