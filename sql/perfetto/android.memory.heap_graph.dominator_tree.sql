-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE heap_graph_dominator_tree(id LONG, idom_id LONG, dominated_obj_count LONG, dominated_size_bytes LONG, dominated_native_size_bytes LONG, depth LONG);
