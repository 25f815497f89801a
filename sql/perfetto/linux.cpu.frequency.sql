-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Times of a CPU at a frequency, in kHz.
CREATE PERFETTO TABLE cpu_frequency_counters(id LONG, track_id LONG, ts TIMESTAMP, dur DURATION, freq LONG, ucpu LONG, cpu LONG) AS
SELECT c.id, c.track_id, c.ts, c.dur, CAST(c.value AS INT) AS freq, t.cpu AS ucpu, t.cpu
FROM counter_leading_intervals!((
  SELECT c.* FROM counter AS c JOIN cpu_counter_track AS t ON c.track_id = t.id WHERE t.type = 'cpu_frequency')) AS c
JOIN cpu_counter_track AS t ON t.id = c.track_id;
