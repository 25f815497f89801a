-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE linux_perf_sample_with_counters(sample_id LONG, ts TIMESTAMP, utid LONG, cpu LONG, cpu_mode STRING, callsite_id LONG, unwind_error STRING, perf_session_id LONG, counter_id LONG, track_id LONG, counter_value DOUBLE);
