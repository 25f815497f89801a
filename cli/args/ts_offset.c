/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the argument of --ts-offset. */
#include "args/ts_offset.h"

#include <errno.h>
#include <stdlib.h>

#include "terminal/message.h"

/*
 * Base 0: decimal, octal or 0x. A negative offset moves times back. In nanoseconds, or in ticks for
 * clocks that count those.
 */
int cli_ts_offset(const char *value, int64_t *ts_offset)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 0);
	if (!*value || *end || errno) {
		cli_error(NULL, "--ts-offset takes a number, not '%s'", value);
		return CLI_USAGE;
	}
	*ts_offset = v;
	return CLI_OK;
}
