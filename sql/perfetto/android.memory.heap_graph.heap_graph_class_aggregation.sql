-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_heap_graph_class_aggregation(upid LONG, graph_sample_ts TIMESTAMP, type_id LONG, type_name STRING, is_libcore_or_array BOOL, obj_count LONG, size_bytes LONG, native_size_bytes LONG, reachable_obj_count LONG, reachable_size_bytes LONG, reachable_native_size_bytes LONG, dominated_obj_count LONG, dominated_size_bytes LONG, dominated_native_size_bytes LONG);
