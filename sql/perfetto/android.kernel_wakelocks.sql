-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_kernel_wakelocks(ts TIMESTAMP, dur DURATION, awake_dur DURATION, name STRING, type STRING, held_dur DURATION, held_ratio DOUBLE);
