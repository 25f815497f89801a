-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_cpu_per_uid_track(id LONG, uid LONG, cluster LONG, total_cpu_millis LONG, package_name STRING);
CREATE PERFETTO TABLE android_cpu_per_uid_counter(id LONG, ts LONG, dur LONG, track_id LONG, diff_ms LONG, cpu_ratio DOUBLE);
