-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Threads of the kernel are those of kthreadd. A trace.dat tells parents only of tasks that were born in it, so kthreadd's
-- children are not known in general: this has kthreadd, and tasks of its thread group, if they were recorded.
CREATE PERFETTO TABLE linux_kernel_threads(upid LONG, utid LONG, pid LONG, tid LONG, process_name STRING, thread_name STRING, machine_id LONG) AS
SELECT p.upid, t.utid, p.pid, t.tid, p.name AS process_name, t.name AS thread_name, 0 AS machine_id
FROM process AS p JOIN thread AS t USING (upid) WHERE p.pid = 2 OR p.parent_upid = 2;
