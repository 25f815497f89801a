/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The known name that is nearest to a mistyped one. */
#ifndef TDAT_CORE_NEAREST_H
#define TDAT_CORE_NEAREST_H

#include <stddef.h>

/* Longer names are proposed to nobody. */
enum { TDAT_NEAR_NAME = 128 };

/* The name found so far, a copy; begun with the word. */
struct tdat_near {
	const char *word;
	char best[TDAT_NEAR_NAME]; /* "": none is near */
	size_t distance;
	char hint[TDAT_NEAR_NAME + 32];
};

/*
 * Takes the name if it is nearer than those before: it takes fewest edits (insert, delete, replace,
 * swap of neighbors) to become the word, at most two, or else the word begins it. Of a name
 * "system/event" the event is enough.
 */
void tdat_near_try(struct tdat_near *near, const char *name);

/* An event: "system/event" or "system:event" if the word is written so, else its name. */
void tdat_near_event(struct tdat_near *near, const char *system, const char *name);

/* Returns "; did you mean 'NAME'?", or `none` without a name; it lives as long as near. */
const char *tdat_near_hint(struct tdat_near *near, const char *none);

#endif
