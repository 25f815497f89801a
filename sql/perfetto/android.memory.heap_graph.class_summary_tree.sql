-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_heap_graph_class_summary_tree(graph_sample_ts TIMESTAMP, upid LONG, id LONG, parent_id LONG, name STRING, root_type STRING, self_count LONG, self_size LONG, cumulative_count LONG, cumulative_size LONG);
