-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_power_rails_counters(id LONG, ts TIMESTAMP, dur DURATION, power_rail_name STRING, raw_power_rail_name STRING, energy_since_boot DOUBLE, energy_since_boot_at_end DOUBLE, average_power DOUBLE, energy_delta DOUBLE, track_id LONG, value DOUBLE);
CREATE PERFETTO TABLE android_power_rails_metadata(power_rail_name STRING, raw_power_rail_name STRING, friendly_name STRING, track_id LONG, subsystem_name STRING, machine_id LONG);
