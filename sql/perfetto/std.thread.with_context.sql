-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Threads with the names of their processes.
CREATE PERFETTO VIEW _thread_with_process AS
SELECT t.utid, t.tid, t.name AS thread_name, t.is_main_thread, p.upid, p.pid, p.name AS process_name
FROM thread AS t LEFT JOIN process AS p USING (upid);
