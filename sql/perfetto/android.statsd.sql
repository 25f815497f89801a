-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_statsd_atoms(id LONG, ts TIMESTAMP, dur DURATION, arg_set_id LONG, thread_instruction_count LONG, thread_instruction_delta LONG, track_id LONG, category STRING, name STRING, depth LONG, parent_id LONG, thread_ts TIMESTAMP, thread_dur LONG);
