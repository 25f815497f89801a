-- SPDX-License-Identifier: LGPL-2.1-or-later
-- CPUs of each thread, by CPU.
CREATE PERFETTO TABLE cpu_cycles_per_thread_per_cpu(utid LONG, ucpu LONG, cpu LONG, millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT utid, ucpu, cpu, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq FROM _tdat_run GROUP BY utid, ucpu;
CREATE PERFETTO FUNCTION cpu_cycles_per_thread_per_cpu_in_interval(ts TIMESTAMP, dur LONG) RETURNS TABLE(utid LONG, ucpu LONG, cpu LONG, millicycles LONG, megacycles LONG, runtime DURATION, min_freq LONG, max_freq LONG, avg_freq LONG) AS
SELECT utid, ucpu, cpu, _tdat_millicycles!() AS millicycles, _tdat_megacycles!() AS megacycles, sum(dur) AS runtime, min(freq) AS min_freq, max(freq) AS max_freq, _tdat_avg_freq!() AS avg_freq
FROM _tdat_run_within($ts, $dur) GROUP BY utid, ucpu;
