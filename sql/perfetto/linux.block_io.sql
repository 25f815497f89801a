-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Requests of block devices that are open.
CREATE PERFETTO VIEW linux_active_block_io_operations_by_device AS
SELECT ts, value AS ops_in_queue_or_device, group_name AS dev
FROM intervals_overlap_count_by_group!((
  SELECT ts, dur, (CAST(substr(dev, 1, instr(dev, ',') - 1) AS INT) << 20) | CAST(substr(dev, instr(dev, ',') + 1) AS INT) AS dev
  FROM "tdat.block_io"), ts, dur, dev);
CREATE PERFETTO FUNCTION linux_device_major_id(dev LONG) RETURNS LONG AS SELECT $dev >> 20;
CREATE PERFETTO FUNCTION linux_device_minor_id(dev LONG) RETURNS LONG AS SELECT $dev & 0xFFFFF;
