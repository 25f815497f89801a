/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files that ask for as much memory and time as they can. */
#ifndef TDAT_HOSTILE_BOMBS_H
#define TDAT_HOSTILE_BOMBS_H

#include "core/build.h"

struct bomb {
	const char *name;
	const char *codec; /* NULL: version 6 */
	void (*make)(const struct bomb *bomb, struct tdat_build *out);
	unsigned int n;	    /* how many of what make is about */
	unsigned int words; /* of each event; 0: 3 */
	bool dear;	    /* much to do: not for a slow build */
	uint64_t len;	    /* of the file, which then is mostly a hole; 0: what there is */
	const char *text[5];
	unsigned int times[2]; /* of text[1] and text[3] */
};

extern const struct bomb bomb_sound; /* a page of events, for comparison and company */
extern const struct bomb bombs[];
extern const size_t bomb_count;

#endif
