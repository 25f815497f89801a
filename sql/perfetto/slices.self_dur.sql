-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The time of a slice that is not one of its children's.
CREATE PERFETTO TABLE slice_self_dur(id ID, self_dur DURATION) AS
SELECT s.id, iif(s.dur = -1, trace_end() - s.ts, s.dur) - ifnull((SELECT sum(iif(c.dur = -1, trace_end() - c.ts, c.dur)) FROM _tdat_slice AS c WHERE c.parent_id = s.id), 0) AS self_dur
FROM _tdat_slice AS s;
