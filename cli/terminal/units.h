/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for people: three digits and a unit. */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include <stdint.h>

/* Room for a number with its unit. */
enum { CLI_UNIT_ROOM = 32 };

/* All write into buf and return it: "6.03 M", "264 MB" (powers of 1000), "74.4 s", "12.3 us". */
const char *cli_unit_count(char buf[CLI_UNIT_ROOM], uint64_t count);
const char *cli_unit_bytes(char buf[CLI_UNIT_ROOM], uint64_t bytes);
const char *cli_unit_ns(char buf[CLI_UNIT_ROOM], uint64_t ns);

#endif
