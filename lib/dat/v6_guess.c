/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses by the bytes at a place of version 6 what they are. Version 6 has counts and no tags
 * before formats, so a broken count shows only in the bytes that follow. These functions read some
 * bytes and say whether they can be a format, a system's name or a table; nothing is stored.
 */
#include <ctype.h>
#include <string.h>

#include "v6.h"

bool v6_at_format(struct v6_walker *w)
{
	const uint8_t *p;

	return v6_peek(w, 13, "an event format", &p, NULL) == TDAT_OK && p &&
	       !memcmp(p + 8, "name:", 5);
}

/* A name of two to 62 letters, digits, "_" or "-". */
bool v6_at_system(struct v6_walker *w)
{
	const uint8_t *p;
	size_t n = 0;

	if (v6_peek(w, 64, "an event system", &p, NULL) != TDAT_OK || !p)
		return false;
	while (n < 63 && (isalnum(p[n]) || p[n] == '_' || p[n] == '-'))
		n++;
	return n >= 2 && !p[n];
}

/*
 * Returns how many entries a table at w->off seems to have. Entries must rise, lie on pages and
 * within the file; the table must end before the first data.
 */
uint32_t v6_guess_cpus(struct v6_walker *w)
{
	uint64_t total = tdat_source_len(w->ix->src), start = w->off, first = total, end = start;
	uint32_t n = 0;

	while (n < w->ix->limits.cpus) {
		uint64_t off, len;

		if (v6_uint(w, 8, "CPU data", &off, NULL) != TDAT_OK ||
		    v6_uint(w, 8, "CPU data", &len, NULL) != TDAT_OK)
			break;
		if (off % w->ix->page_size || off < end || off > total || len > total - off)
			break;
		if (!n)
			first = off;
		if (w->off > first)
			break;
		end = off + len;
		n++;
	}
	w->off = start;
	return n;
}
