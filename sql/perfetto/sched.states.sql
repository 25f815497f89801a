-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Words for the letters of states.
CREATE PERFETTO TABLE _tdat_state_word(letter STRING, word STRING) AS
SELECT column1 AS letter, column2 AS word FROM (VALUES
  ('R', 'Runnable'), ('S', 'Sleeping'), ('D', 'Uninterruptible Sleep'), ('T', 'Stopped'), ('t', 'Traced'),
  ('X', 'Exit (Dead)'), ('Z', 'Exit (Zombie)'), ('x', 'Task Dead'), ('I', 'Idle'), ('K', 'Wakekill'),
  ('W', 'Waking'), ('P', 'Parked'), ('N', 'No Load'), ('+', '(Preempted)'));

CREATE PERFETTO FUNCTION sched_state_to_human_readable_string(short_name STRING) RETURNS STRING AS
SELECT CASE $short_name WHEN 'Running' THEN 'Running' WHEN 'R+' THEN 'Runnable (Preempted)'
  ELSE (SELECT word FROM _tdat_state_word WHERE letter = $short_name) END;

CREATE PERFETTO FUNCTION sched_state_io_to_human_readable_string(sched_state STRING, io_wait BOOL) RETURNS STRING AS
SELECT sched_state_to_human_readable_string($sched_state) || CASE $io_wait WHEN 1 THEN ' (IO)' WHEN 0 THEN ' (non-IO)' ELSE '' END;
