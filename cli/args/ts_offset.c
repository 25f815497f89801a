/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the argument of --ts-offset, and other numbers in any base. */
#include "args/ts_offset.h"

#include <errno.h>
#include <stdlib.h>

#include "terminal/message.h"

bool cli_number(const char *text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 0);
	return *text && !*end && !errno;
}

/* A negative offset moves times back. Nanoseconds, or ticks for clocks that count those. */
int cli_ts_offset(const char *value, int64_t *ts_offset)
{
	if (cli_number(value, ts_offset))
		return CLI_OK;
	cli_error(NULL, "--ts-offset needs a number, not '%s'", value);
	return CLI_USAGE;
}
