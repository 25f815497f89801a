/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known name that is nearest to a mistyped one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* Room for a hint. */
enum { CLI_HINT = 128 };

/* The name found so far: begun with the word, and NULL as best while none is near. */
struct cli_near {
	const char *word, *best;
	size_t distance;
};

/*
 * Takes the name if it is nearer than those before: it takes fewest edits (insert, delete, replace,
 * swap of neighbors) to become the word, at most two, or else the word begins it.
 */
void cli_near_try(struct cli_near *near, const char *name);

/* cli_near finds that of a list. NULL: none is near. */
const char *cli_near(const char *word, const char *const *names, size_t count);

/* cli_near_hint writes "; did you mean 'NAME'?" into buf, or `none` without a name; returns buf. */
const char *cli_near_hint(char buf[CLI_HINT], const char *near, const char *none);

/* cli_hint does both, with "" for none. */
const char *cli_hint(char buf[CLI_HINT], const char *word, const char *const *names, size_t count);

#endif
