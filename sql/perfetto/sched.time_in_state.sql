-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Time of threads in each state. As in Perfetto, states that are open count as -1.
CREATE PERFETTO TABLE sched_time_in_state_for_thread(utid LONG, total_runtime LONG, state STRING, time_in_state LONG, percentage_in_state LONG) AS
SELECT utid, total_runtime, state, time_in_state, time_in_state * 100 / total_runtime AS percentage_in_state
FROM (
  SELECT utid, state, sum(dur) AS time_in_state, sum(sum(dur)) OVER (PARTITION BY utid) AS total_runtime
  FROM _tdat_state
  GROUP BY utid, state);

CREATE PERFETTO TABLE sched_percentage_of_time_in_state(utid LONG, running LONG, runnable LONG, runnable_preempted LONG, sleeping LONG, uninterruptible_sleep LONG, other LONG) AS
SELECT utid, max(iif(state = 'Running', percentage_in_state, NULL)) AS running,
  max(iif(state = 'R', percentage_in_state, NULL)) AS runnable,
  max(iif(state = 'R+', percentage_in_state, NULL)) AS runnable_preempted,
  max(iif(state = 'S', percentage_in_state, NULL)) AS sleeping,
  max(iif(state = 'D', percentage_in_state, NULL)) AS uninterruptible_sleep,
  sum(iif(state NOT IN ('Running', 'R', 'R+', 'S', 'D'), time_in_state, NULL)) * 100 / max(total_runtime) AS other
FROM sched_time_in_state_for_thread GROUP BY utid;

-- The part of [ts, ts + dur) that a state has.
CREATE PERFETTO FUNCTION _tdat_states_within(ts TIMESTAMP, dur DURATION) RETURNS TABLE(utid LONG, state STRING, cpu LONG, dur DURATION) AS
SELECT utid, state, cpu, min($ts + $dur, s_end) - max($ts, s_ts) AS dur
FROM (SELECT utid, state, cpu, ts AS s_ts, ts + dur AS s_end FROM _tdat_state WHERE dur > 0)
WHERE s_ts < $ts + $dur AND s_end > $ts;

CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid LONG)
RETURNS TABLE(state STRING, io_wait BOOL, blocked_function LONG, dur DURATION) AS
SELECT state, NULL AS io_wait, NULL AS blocked_function, sum(dur) AS dur
FROM _tdat_states_within($ts, $dur) WHERE utid = $utid GROUP BY state ORDER BY sum(dur) DESC;

CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(ts TIMESTAMP, dur DURATION, utid LONG)
RETURNS TABLE(state STRING, io_wait BOOL, cpu LONG, blocked_function LONG, dur DURATION) AS
SELECT state, NULL AS io_wait, cpu, NULL AS blocked_function, sum(dur) AS dur
FROM _tdat_states_within($ts, $dur) WHERE utid = $utid GROUP BY state, cpu ORDER BY sum(dur) DESC;

CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(cpu LONG, ts TIMESTAMP, dur LONG)
RETURNS TABLE(end_state STRING, dur LONG) AS
SELECT end_state, sum(min($ts + $dur, ts_end) - max($ts, ts)) AS dur
FROM sched WHERE cpu = $cpu AND ts < $ts + $dur AND ts_end > $ts GROUP BY end_state;
