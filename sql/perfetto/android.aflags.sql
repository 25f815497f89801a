-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_aflags(ts TIMESTAMP, package STRING, name STRING, flag_namespace STRING, container STRING, value STRING, staged_value STRING, permission STRING, value_picked_from STRING, storage_backend STRING, type STRING);
