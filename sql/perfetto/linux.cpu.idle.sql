-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Times of a CPU in an idle state; -1 is none.
CREATE PERFETTO TABLE cpu_idle_counters(id LONG, track_id LONG, ts TIMESTAMP, dur DURATION, idle LONG, cpu LONG) AS
SELECT c.id, c.track_id, c.ts, c.dur, CAST(iif(c.value = 4294967295, -1, c.value) AS INT) AS idle, t.cpu
FROM counter_leading_intervals!((
  SELECT c.* FROM counter AS c JOIN cpu_counter_track AS t ON c.track_id = t.id WHERE t.type = 'cpu_idle')) AS c
JOIN cpu_counter_track AS t ON t.id = c.track_id;
