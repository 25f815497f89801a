/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the known name that is nearest to a mistyped one, by the number of edits between them. Used
 * for commands, options, formats and limits, and for names out of a file: its events, fields,
 * tables, columns, tasks and buffers. Lengths are compared first, so most of them cost little.
 */
#include "nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In longer words no edits are looked for; this bounds the table on the stack. */
enum { NEAREST_LEN = 64 };

/* More edits make another word. */
enum { EDITS_MOST = 2 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the optimal string alignment distance: insertions, deletions, replacements and swaps of
 * neighbors count 1 each. More than EDITS_MOST if the lengths alone say so.
 */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_LEN + 1];
	size_t *before = rows[0], *prev = rows[1], *cur = rows[2];

	if (a_len > NEAREST_LEN || b_len > NEAREST_LEN || a_len > b_len + EDITS_MOST ||
	    b_len > a_len + EDITS_MOST)
		return SIZE_MAX;
	/* Three rows of the usual table are enough: swaps need the row before the last one. */
	for (size_t j = 0; j <= b_len; j++)
		prev[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *spare = before;

		cur[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			cur[j] = least(least(prev[j], cur[j - 1]) + 1,
				       prev[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cur[j] = least(cur[j], before[j - 2] + 1);
		}
		before = prev;
		prev = cur;
		cur = spare;
	}
	return prev[b_len];
}

/* One letter of a short word is much of it. */
static size_t edits_most(size_t len)
{
	return len < 3 ? 0 : len < 5 ? 1 : EDITS_MOST;
}

/*
 * A name that the word begins is further than any edits; of equally near ones the first stays. A
 * word without a system is compared with the event of "system/event".
 */
void tdat_near_try(struct tdat_near *near, const char *name)
{
	const size_t len = strlen(near->word), name_len = strlen(name);
	const char *slash = strchr(near->word, '/') ? NULL : strchr(name, '/');
	const char *part = slash ? slash + 1 : name;
	size_t distance = edit_distance(near->word, len, part, strlen(part));

	if (distance > edits_most(len))
		distance = len > 1 && !strncmp(part, near->word, len) ? EDITS_MOST + 1 : SIZE_MAX;
	if (distance == SIZE_MAX || name_len >= sizeof(near->best) ||
	    (*near->best && distance >= near->distance))
		return;
	memcpy(near->best, name, name_len + 1);
	near->distance = distance;
}

void tdat_near_event(struct tdat_near *near, const char *system, const char *name)
{
	const char *separator = strpbrk(near->word, "/:");
	char both[2 * TDAT_NEAR_NAME];

	if (separator &&
	    snprintf(both, sizeof(both), "%s%c%s", system, *separator, name) < (int)sizeof(both))
		name = both;
	tdat_near_try(near, name);
}

const char *tdat_near_hint(struct tdat_near *near, const char *none)
{
	if (!*near->best)
		return none;
	snprintf(near->hint, sizeof(near->hint), "; did you mean '%s'?", near->best);
	return near->hint;
}
