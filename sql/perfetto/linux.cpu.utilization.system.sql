-- SPDX-License-Identifier: LGPL-2.1-or-later
-- CPUs of the whole machine.
CREATE PERFETTO FUNCTION cpu_utilization_per_period(interval LONG) RETURNS TABLE(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM _cpu_avg_utilization_per_period!($interval, (SELECT * FROM sched WHERE utid <> 0));
CREATE PERFETTO TABLE cpu_utilization_per_second(ts TIMESTAMP, utilization DOUBLE, unnormalized_utilization DOUBLE) AS
SELECT * FROM _cpu_avg_utilization_per_period!(1000000000, (SELECT * FROM sched WHERE utid <> 0));
CREATE PERFETTO TABLE cpu_cycles(millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq FROM _tdat_run;
CREATE PERFETTO FUNCTION cpu_cycles_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(millicycles LONG, megacycles LONG, runtime DURATION, awake_runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, sum(dur) AS awake_runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq
FROM _tdat_run_within($ts, $dur);
CREATE PERFETTO FUNCTION cpu_utilization_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(awake_dur LONG, awake_utilization DOUBLE, awake_unnormalized_utilization DOUBLE) AS
SELECT $dur AS awake_dur, sum(dur) * 1.0 / $dur / (SELECT max(cpu) + 1 FROM cpu) AS awake_utilization, sum(dur) * 1.0 / $dur AS awake_unnormalized_utilization
FROM _tdat_run_within($ts, $dur);
CREATE PERFETTO TABLE cpu_cycles_per_cpu(ucpu LONG, cpu LONG, millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT ucpu, cpu, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq FROM _tdat_run GROUP BY ucpu;
CREATE PERFETTO FUNCTION cpu_cycles_per_cpu_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(ucpu LONG, cpu LONG, millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT ucpu, cpu, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq
FROM _tdat_run_within($ts, $dur) GROUP BY ucpu;
