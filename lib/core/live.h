/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Follows pointers from their allocation to their free, for sums of what is live. */
#ifndef TDAT_CORE_LIVE_H
#define TDAT_CORE_LIVE_H

#include "map.h"

struct tdat_live_pointer {
	uint64_t ptr;
	uint64_t bytes_req, bytes_alloc;
	uint32_t place; /* the caller's number of what it is counted for */
	uint32_t cpu;
};

/* All zero: empty. */
struct tdat_live {
	struct tdat_map map; /* by ptr; its count is that of the live pointers */
	struct tdat_live_pointer *v;
	size_t cap;
	uint32_t spare; /* an element that is not in the map, from 1, whose place is the next; 0:
			   none */
};

/* Removes a pointer and sets *out to it; false when it is not live. */
bool tdat_live_take(struct tdat_live *l, uint64_t ptr, struct tdat_live_pointer *out);
/* Adds a pointer that is not live. False: no memory. */
bool tdat_live_add(struct tdat_live *l, const struct tdat_live_pointer *p);
void tdat_live_fini(struct tdat_live *l);

#endif
