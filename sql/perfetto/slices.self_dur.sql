-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The time of a slice that is not one of its children's. As in Perfetto, slices that are open count as -1.
CREATE PERFETTO TABLE slice_self_dur(id ID, self_dur DURATION) AS
SELECT s.id, s.dur - ifnull((SELECT sum(c.dur) FROM _tdat_slice AS c WHERE c.parent_id = s.id), 0) AS self_dur
FROM _tdat_slice AS s;
