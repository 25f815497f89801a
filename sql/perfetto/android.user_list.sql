-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_user_list(android_user_id LONG, type STRING);
