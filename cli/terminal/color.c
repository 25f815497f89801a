/* SPDX-License-Identifier: GPL-2.0-or-later */
/* True if a stream is a terminal on which the user wants color (https://no-color.org). */
#include "terminal/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_color(FILE *to)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return term && *term && strcmp(term, "dumb") != 0 && isatty(fileno(to));
}
