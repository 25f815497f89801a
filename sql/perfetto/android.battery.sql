-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_battery_charge(ts TIMESTAMP, current_avg_ua DOUBLE, capacity_percent DOUBLE, charge_uah DOUBLE, current_ua DOUBLE, voltage_uv DOUBLE, energy_counter_uwh DOUBLE, power_mw DOUBLE);
