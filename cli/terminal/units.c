/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes numbers for people: three digits and a unit. Below 1000, counts and bytes are exact.
 * Digits that are left out are rounded, also into the next unit: 999,950 is 1.00 M. With exact
 * (--exact) all digits are there, in one unit for all sizes.
 */
#include "terminal/units.h"

#include <inttypes.h>
#include <stdio.h>

/* Three digits of value; false: it would round to 1000. */
static int put(char *buf, double value, const char *unit)
{
	if (value >= 999.5)
		return 0;
	snprintf(buf, CLI_UNIT_ROOM,
		 value < 9.995	 ? "%.2f %s"
		 : value < 99.95 ? "%.1f %s"
				 : "%.0f %s",
		 value, unit);
	return 1;
}

/* The first unit in which the value has at most three digits before its point. */
static const char *scaled(char *buf, double value, const char *const *units)
{
	for (; units[1] && !put(buf, value, *units); units++)
		value /= 1000;
	if (!units[1] && !put(buf, value, *units))
		snprintf(buf, CLI_UNIT_ROOM, "%.0f %s", value, *units);
	return buf;
}

const char *cli_unit_count(char buf[CLI_UNIT_ROOM], uint64_t count, bool exact)
{
	static const char *const units[] = {"k", "M", "G", "T", "P", "E", NULL};

	if (count >= 1000 && !exact)
		return scaled(buf, (double)count / 1000, units);
	snprintf(buf, CLI_UNIT_ROOM, "%" PRIu64, count);
	return buf;
}

const char *cli_unit_bytes(char buf[CLI_UNIT_ROOM], uint64_t bytes, bool exact)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB", NULL};

	if (bytes >= 1000 && !exact)
		return scaled(buf, (double)bytes / 1000, units);
	snprintf(buf, CLI_UNIT_ROOM, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
	return buf;
}

const char *cli_unit_ns(char buf[CLI_UNIT_ROOM], uint64_t ns, bool exact)
{
	static const char *const units[] = {"us", "ms", "s", NULL};
	const double seconds = (double)ns / 1e9;

	if (exact)
		snprintf(buf, CLI_UNIT_ROOM, "%" PRIu64 ".%09" PRIu64 " s", ns / 1000000000,
			 ns % 1000000000);
	else if (ns < 1000)
		snprintf(buf, CLI_UNIT_ROOM, "%" PRIu64 " ns", ns);
	else if (seconds < 999.5)
		scaled(buf, (double)ns / 1000, units);
	else if (!put(buf, seconds / 60, "min") && !put(buf, seconds / 3600, "h"))
		snprintf(buf, CLI_UNIT_ROOM, "%.0f days", seconds / 86400);
	return buf;
}

const char *cli_unit_share(char buf[CLI_UNIT_ROOM], uint64_t part, uint64_t whole)
{
	if (!whole)
		snprintf(buf, CLI_UNIT_ROOM, "-");
	else
		snprintf(buf, CLI_UNIT_ROOM, "%.1f %%", 100.0 * (double)part / (double)whole);
	return buf;
}
