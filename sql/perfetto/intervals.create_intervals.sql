-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Intervals from each start to the next end.
CREATE PERFETTO MACRO _interval_create(starts_table TableOrSubquery, ends_table TableOrSubquery) RETURNS TableOrSubquery AS (
  SELECT s.ts, (SELECT min(e.ts) FROM $ends_table AS e WHERE e.ts > s.ts) - s.ts AS dur
  FROM $starts_table AS s WHERE EXISTS (SELECT 1 FROM $ends_table AS e WHERE e.ts > s.ts));
