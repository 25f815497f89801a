-- SPDX-License-Identifier: LGPL-2.1-or-later
-- How many threads are runnable, wait without signals, or run.
CREATE PERFETTO TABLE sched_runnable_thread_count(ts TIMESTAMP, runnable_thread_count LONG) AS
SELECT ts, value AS runnable_thread_count FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'R'), ts, dur) ORDER BY ts;
CREATE PERFETTO TABLE sched_uninterruptible_sleep_thread_count(ts TIMESTAMP, uninterruptible_sleep_thread_count LONG) AS
SELECT ts, value AS uninterruptible_sleep_thread_count FROM intervals_overlap_count!((SELECT ts, dur FROM thread_state WHERE state = 'D'), ts, dur) ORDER BY ts;
CREATE PERFETTO TABLE sched_active_cpu_count(ts TIMESTAMP, active_cpu_count LONG) AS
SELECT ts, value AS active_cpu_count FROM intervals_overlap_count!((SELECT ts, dur FROM sched WHERE utid NOT IN (SELECT utid FROM thread WHERE is_idle)), ts, dur) ORDER BY ts;
