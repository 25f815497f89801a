-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How often and how long CPUs were in each idle state.
CREATE PERFETTO TABLE cpu_idle_stats(cpu LONG, state LONG, count LONG, dur DURATION, avg_dur DURATION, idle_percent DOUBLE) AS
SELECT * FROM (SELECT cpu, idle + 1 AS state, count(*) AS count, sum(dur) AS dur, sum(dur) / count(*) AS avg_dur,
  sum(dur) * 100.0 / sum(sum(dur)) OVER (PARTITION BY cpu) AS idle_percent
FROM cpu_idle_counters GROUP BY cpu, idle)
WHERE state > 0 ORDER BY cpu, state;
