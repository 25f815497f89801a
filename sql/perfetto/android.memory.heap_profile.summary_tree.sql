-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_heap_profile_summary_tree(id LONG, parent_id LONG, name STRING, mapping_name STRING, source_file STRING, line_number LONG, self_size LONG, cumulative_size LONG, self_alloc_size LONG, cumulative_alloc_size LONG);
