/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps, by context, whether the last event of a CPU passed: a hash with open addressing. */
#include "owners.h"

#include <stdlib.h>
#include <string.h>

void read_owners_fini(struct read_owners *o)
{
	free(o->slots);
	*o = (struct read_owners){.slots = NULL};
}

void read_owners_forget(struct read_owners *o)
{
	if (o->count)
		memset(o->slots, 0, o->cap * sizeof(*o->slots));
	o->count = 0;
}

/* The slot of a context, or the free one that it would get. */
static size_t place_of(const struct read_owners *o, uint64_t context)
{
	size_t i = (size_t)tdat_hash_u64(o->seed, context) & (o->cap - 1);

	while (o->slots[i].last && o->slots[i].context != context)
		i = (i + 1) & (o->cap - 1);
	return i;
}

static bool grow(struct read_owners *o)
{
	struct read_owners more = {.count = o->count,
				   .cap = o->cap ? o->cap * 2 : 64,
				   .seed = o->cap ? o->seed : tdat_hash_seed()};

	if (more.cap < o->cap)
		return false;
	more.slots = (struct read_owner_slot *)calloc(more.cap, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < o->cap; i++)
		if (o->slots[i].last)
			more.slots[place_of(&more, o->slots[i].context)] = o->slots[i];
	free(o->slots);
	*o = more;
	return true;
}

bool read_owners_add(struct read_owners *o, uint64_t context, enum read_owner last)
{
	struct read_owner_slot *s;

	if (2 * o->count >= o->cap && !grow(o))
		return false;
	o->recent = place_of(o, context);
	s = &o->slots[o->recent];
	o->count += !s->last;
	*s = (struct read_owner_slot){context, last};
	return true;
}

enum read_owner read_owners_find(const struct read_owners *o, uint64_t context)
{
	return o->cap ? o->slots[place_of(o, context)].last : READ_OWNER_NONE;
}
