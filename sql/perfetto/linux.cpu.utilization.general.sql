-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The parts of each slice of a CPU at one frequency.
CREATE PERFETTO VIEW _tdat_ran AS SELECT ts, dur, ucpu, cpu, utid FROM sched_slice WHERE utid <> 0 AND dur > 0;
CREATE PERFETTO VIEW _tdat_freq AS SELECT ts, dur, ucpu, freq FROM cpu_frequency_counters;
CREATE VIRTUAL TABLE _tdat_ran_at USING SPAN_LEFT_JOIN(_tdat_ran PARTITIONED ucpu, _tdat_freq PARTITIONED ucpu);
CREATE PERFETTO TABLE _tdat_run(ts TIMESTAMP, dur DURATION, utid LONG, upid LONG, ucpu LONG, cpu LONG, freq LONG) AS
SELECT r.ts, r.dur, r.utid, t.upid, r.ucpu, r.cpu, r.freq FROM _tdat_ran_at AS r LEFT JOIN thread AS t USING (utid);
CREATE PERFETTO INDEX _tdat_run_by_utid ON _tdat_run(utid, ts);

-- The same within [ts, ts + dur).
CREATE PERFETTO FUNCTION _tdat_run_within(ts TIMESTAMP, dur DURATION) RETURNS TABLE(dur DURATION, utid LONG, upid LONG, ucpu LONG, cpu LONG, freq LONG) AS
SELECT min(r.ts + r.dur, $ts + $dur) - max(r.ts, $ts) AS dur, r.utid, r.upid, r.ucpu, r.cpu, r.freq
FROM _tdat_run AS r WHERE r.ts < $ts + $dur AND r.ts + r.dur > $ts;

-- Aggregates of _tdat_run. kHz times ns are 10^-3 of a thousandth of a cycle.
CREATE PERFETTO MACRO _tdat_millicycles() RETURNS Expr AS CAST(sum(dur * freq / 1000) AS INT);
CREATE PERFETTO MACRO _tdat_megacycles() RETURNS Expr AS CAST(sum(dur * freq / 1000) / 1e9 AS INT);
CREATE PERFETTO MACRO _tdat_avg_freq() RETURNS Expr AS CAST(sum(dur * freq / 1000) / (sum(iif(freq IS NULL, NULL, dur)) / 1000) AS INT);

-- The part of the time that CPUs were busy, in periods that begin at multiples of their length.
CREATE PERFETTO MACRO _cpu_avg_utilization_per_period(interval Expr, sched_table TableOrSubquery) RETURNS TableOrSubquery AS (
  WITH RECURSIVE part(ts) AS (
    SELECT trace_start() / ($interval) * ($interval)
    UNION ALL SELECT ts + ($interval) FROM part WHERE ts + ($interval) < trace_end()),
  ran AS (SELECT ts, iif(dur = -1, trace_end(), ts + dur) AS ts_end FROM $sched_table WHERE dur <> 0),
  piece AS (
    SELECT ts / ($interval) * ($interval) AS ts, ts_end - ts AS dur FROM ran WHERE ts / ($interval) = (ts_end - 1) / ($interval)
    UNION ALL
    SELECT part.ts, min(ran.ts_end, part.ts + ($interval)) - max(ran.ts, part.ts)
    FROM ran JOIN part ON part.ts < ran.ts_end AND part.ts + ($interval) > ran.ts
    WHERE ran.ts / ($interval) <> (ran.ts_end - 1) / ($interval))
  SELECT part.ts, ifnull(sum(piece.dur), 0) * 1.0 / ($interval) / (SELECT max(cpu) + 1 FROM cpu) AS utilization,
    ifnull(sum(piece.dur), 0) * 1.0 / ($interval) AS unnormalized_utilization
  FROM part LEFT JOIN piece ON piece.ts = part.ts GROUP BY part.ts ORDER BY part.ts);
