-- SPDX-License-Identifier: LGPL-2.1-or-later
-- _interval_intersect! is in sql/perfetto_lists.c, as it goes through a list of tables.
CREATE PERFETTO MACRO _interval_intersect_single(ts Expr, dur Expr, t TableOrSubquery) RETURNS TableOrSubquery AS (
  SELECT id, max(ts, $ts) AS ts, min(ts + dur, ($ts) + ($dur)) - max(ts, $ts) AS dur
  FROM $t WHERE ts < ($ts) + ($dur) AND ts + dur > $ts);
CREATE PERFETTO MACRO interval_self_intersect(intervals TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH _edge AS (SELECT ts FROM $intervals UNION SELECT ts + dur FROM $intervals),
  _piece AS (SELECT ts, lead(ts) OVER (ORDER BY ts) - ts AS dur, row_number() OVER (ORDER BY ts) - 1 AS group_id FROM _edge)
  SELECT p.ts, p.dur, p.group_id, i.id, i.ts = p.ts AS interval_starts_at_ts
  FROM _piece AS p JOIN $intervals AS i ON i.ts < p.ts + p.dur AND i.ts + i.dur > p.ts);
