/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts of traces as values of CSV. */
#include "output/csv_text.h"

#include <stdio.h>

#include "terminal/safe_text.h"

/* Quotes every text, and doubles quotes in it. A null is an empty value without quotes. */
void cli_csv_text(struct tdat_span text)
{
	if (!text.ptr)
		return;
	putchar('"');
	for (size_t i = 0, start = 0; i <= text.len; i++) {
		if (i < text.len && text.ptr[i] != '"')
			continue;
		cli_put_text(stdout, (const char *)text.ptr + start, i - start);
		if (i < text.len)
			fputs("\"\"", stdout);
		start = i + 1;
	}
	putchar('"');
}
