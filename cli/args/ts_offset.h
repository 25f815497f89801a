/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The argument of --ts-offset, in all commands that have it. */
#ifndef CLI_TS_OFFSET_H
#define CLI_TS_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

/* Base 0: decimal, octal or 0x; the whole text must be a number. */
bool cli_number(const char *text, int64_t *number);

/* cli_ts_offset reads nanoseconds, which may be negative. CLI_OK, or CLI_USAGE after a complaint.
 */
int cli_ts_offset(const char *value, int64_t *ts_offset);

#endif
