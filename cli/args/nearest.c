/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the known name that is nearest to a mistyped one, by the number of edits between them. Used
 * for commands, options, formats and limits.
 */
#include "args/nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Longer names are compared by their beginnings; this bounds the table on the stack. */
enum { NEAREST_LEN = 64 };

/* More edits make another word. */
enum { EDITS_MOST = 2 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the optimal string alignment distance of the first NEAREST_LEN bytes: insertions,
 * deletions, replacements and swaps of neighbors count 1 each.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][NEAREST_LEN + 1];
	size_t *before = rows[0], *prev = rows[1], *cur = rows[2];
	size_t a_len = strnlen(a, NEAREST_LEN), b_len = strnlen(b, NEAREST_LEN);

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
static size_t edits_most(const char *word)
{
	const size_t len = strlen(word);

	return len < 3 ? 0 : len < 5 ? 1 : EDITS_MOST;
}

/* A name that the word begins is further than any edits; of equally near ones the first stays. */
void cli_near_try(struct cli_near *near, const char *name)
{
	const size_t len = strlen(near->word);
	size_t distance = edit_distance(near->word, name);

	if (distance > edits_most(near->word))
		distance = len > 1 && !strncmp(name, near->word, len) ? EDITS_MOST + 1 : SIZE_MAX;
	if (distance == SIZE_MAX || (near->best && distance >= near->distance))
		return;
	near->best = name;
	near->distance = distance;
}

const char *cli_near(const char *word, const char *const *names, size_t count)
{
	struct cli_near near = {word, NULL, 0};

	for (size_t i = 0; i < count; i++)
		cli_near_try(&near, names[i]);
	return near.best;
}

const char *cli_near_hint(char buf[CLI_HINT], const char *near, const char *none)
{
	snprintf(buf, CLI_HINT, near ? "; did you mean '%s'?" : "%s", near ? near : none);
	return buf;
}

const char *cli_hint(char buf[CLI_HINT], const char *word, const char *const *names, size_t count)
{
	return cli_near_hint(buf, cli_near(word, names, count), "");
}
