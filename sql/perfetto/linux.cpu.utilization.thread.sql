-- SPDX-License-Identifier: LGPL-2.1-or-later
-- CPUs of each thread.
CREATE PERFETTO FUNCTION cpu_thread_utilization_per_period(interval LONG, utid LONG) RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM _cpu_avg_utilization_per_period!($interval, (SELECT s.* FROM sched AS s JOIN thread AS t USING (utid) WHERE t.utid = $utid));
CREATE PERFETTO FUNCTION cpu_thread_utilization_per_second(utid LONG) RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM _cpu_avg_utilization_per_period!(1000000000, (SELECT s.* FROM sched AS s JOIN thread AS t USING (utid) WHERE t.utid = $utid));
CREATE PERFETTO TABLE cpu_cycles_per_thread(utid LONG, millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT utid, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq FROM _tdat_run GROUP BY utid;
CREATE PERFETTO FUNCTION cpu_cycles_per_thread_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(utid LONG, millicycles LONG, megacycles LONG, runtime DURATION, awake_runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT utid, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, sum(dur) AS awake_runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq
FROM _tdat_run_within($ts, $dur) GROUP BY utid;
CREATE PERFETTO FUNCTION cpu_thread_utilization_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(upid LONG, utid LONG, thread_name STRING, awake_dur LONG, awake_utilization DOUBLE, awake_unnormalized_utilization DOUBLE) AS
SELECT r.upid, r.utid, t.name AS thread_name, sum(r.dur) AS awake_dur, sum(r.dur) * 1.0 / $dur / (SELECT max(cpu) + 1 FROM cpu) AS awake_utilization, sum(r.dur) * 1.0 / $dur AS awake_unnormalized_utilization
FROM _tdat_run_within($ts, $dur) AS r JOIN thread AS t USING (utid) GROUP BY r.utid;
