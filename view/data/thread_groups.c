/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the lines of saved_tgids. */
#include "data/thread_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tdat_span view_thread_groups(const struct view_trace *t, uint32_t rec)
{
	return tdat_file_part(t->inputs[t->recs[rec].input].file, TDAT_PART_TGIDS);
}

static bool take_number(const char **text, int32_t *out)
{
	char *end;
	const long v = strtol(*text, &end, 10);

	if (end == *text || v < 0 || v > INT32_MAX)
		return false;
	*text = end;
	*out = (int32_t)v;
	return true;
}

bool view_thread_groups_next(struct tdat_span *lines, struct view_thread_group *group)
{
	while (lines->len) {
		const uint8_t *line = lines->ptr, *end = memchr(line, '\n', lines->len);
		const size_t len = end ? (size_t)(end - line) : lines->len;
		char copy[64];
		const char *text = copy;

		lines->ptr += end ? len + 1 : len;
		lines->len -= end ? len + 1 : len;
		snprintf(copy, sizeof(copy), "%.*s", (int)(len < 60 ? len : 60),
			 (const char *)line);
		if (take_number(&text, &group->pid) && take_number(&text, &group->tgid))
			return true;
	}
	return false;
}
