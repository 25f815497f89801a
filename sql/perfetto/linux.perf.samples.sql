-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE linux_perf_samples_summary_tree(id LONG, parent_id LONG, name STRING, mapping_name STRING, source_file STRING, line_number LONG, self_count LONG, cumulative_count LONG);
