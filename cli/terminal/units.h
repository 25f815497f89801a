/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for people: three digits and a unit, or all digits. */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* Room for a number with its unit. */
enum { CLI_UNIT_ROOM = 40 };

/*
 * All write into buf and return it: "6.03 M", "264 MB" (powers of 1000), "74.4 s", "12.3 us".
 * exact: "6030000", "264000000 bytes", "74.400000000 s".
 */
const char *cli_unit_count(char buf[CLI_UNIT_ROOM], uint64_t count, bool exact);
const char *cli_unit_bytes(char buf[CLI_UNIT_ROOM], uint64_t bytes, bool exact);
const char *cli_unit_ns(char buf[CLI_UNIT_ROOM], uint64_t ns, bool exact);
/* "12.3 %"; "-" if the whole is 0. */
const char *cli_unit_share(char buf[CLI_UNIT_ROOM], uint64_t part, uint64_t whole);

#endif
