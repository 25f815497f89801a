-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Interrupts, as slices of the tracks of CPUs.
CREATE PERFETTO VIEW linux_hard_irqs(ts TIMESTAMP, dur DURATION, name STRING, id LONG, parent_id LONG) AS
SELECT s.ts, s.dur, s.name, s.id, s.parent_id FROM slice AS s JOIN track AS t ON s.track_id = t.id WHERE t.type = 'cpu_irq';
CREATE PERFETTO VIEW linux_soft_irqs(ts TIMESTAMP, dur DURATION, name STRING, id LONG) AS
SELECT s.ts, s.dur, s.name, s.id FROM slice AS s JOIN track AS t ON s.track_id = t.id WHERE t.type = 'cpu_softirq';
CREATE PERFETTO VIEW linux_irqs(ts TIMESTAMP, dur DURATION, name STRING, id LONG, parent_id LONG, is_soft_irq BOOL) AS
SELECT ts, dur, name, id, parent_id, 0 AS is_soft_irq FROM linux_hard_irqs
UNION ALL SELECT ts, dur, name, id, NULL, 1 FROM linux_soft_irqs;
CREATE PERFETTO TABLE linux_interrupt_mapping(id ID, irq_id LONG, name STRING, machine_id LONG) AS
SELECT row_number() OVER (ORDER BY irq, name) - 1 AS id, irq AS irq_id, name, 0 AS machine_id FROM "tdat.irq" GROUP BY irq, name;
