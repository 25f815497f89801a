-- SPDX-License-Identifier: LGPL-2.1-or-later
-- For each time that a thread ran, the runnable state before it.
CREATE PERFETTO TABLE sched_previous_runnable_on_thread(id ID, prev_runnable_id LONG, prev_wakeup_runnable_id LONG) AS
SELECT id, prev_runnable_id, prev_wakeup_runnable_id FROM (
  SELECT id, state,
    max(iif(state IN ('R', 'R+'), id, NULL)) OVER before AS prev_runnable_id,
    max(iif(state IN ('R', 'R+') AND waker_utid IS NOT NULL, id, NULL)) OVER before AS prev_wakeup_runnable_id
  FROM _tdat_state WHERE dur <> -1
  WINDOW before AS (PARTITION BY utid ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
WHERE state = 'Running';
