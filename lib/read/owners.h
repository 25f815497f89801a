/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whose stack a stack is: it belongs to the last event before it on its CPU, in its buffer, that
 * has its pid, flags and preempt count, since the kernel writes one context into both. What is kept
 * of each context is whether its last event was let pass.
 */
#ifndef TDAT_READ_OWNERS_H
#define TDAT_READ_OWNERS_H

#include "core/map.h"

enum read_owner {
	READ_OWNER_NONE = 0, /* no event of this context came before */
	READ_OWNER_LEFT_OUT,
	READ_OWNER_PASSED
};

struct read_context {
	uint64_t context;
	enum read_owner last;
};

/* Of one CPU in one buffer; zeroed to begin with. */
struct read_owners {
	struct read_context *v;
	size_t cap;
	uint32_t recent; /* of v: the last context */
	struct tdat_map map;
};

void read_owners_fini(struct read_owners *o);

/* Forgets all: events are missing, of which the next stack may be. */
void read_owners_forget(struct read_owners *o);

/* False: no memory. */
bool read_owners_add(struct read_owners *o, uint64_t context, enum read_owner last);

static inline bool read_owners_note(struct read_owners *o, uint64_t context, bool passed)
{
	const enum read_owner last = passed ? READ_OWNER_PASSED : READ_OWNER_LEFT_OUT;

	if (o->map.count && o->v[o->recent].context == context) {
		o->v[o->recent].last = last;
		return true;
	}
	return read_owners_add(o, context, last);
}

enum read_owner read_owners_find(const struct read_owners *o, uint64_t context);

#endif
