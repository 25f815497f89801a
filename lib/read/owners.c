/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps, by context, whether the last event of a CPU passed. A stack has the pid, flags and preempt
 * count of its event, since the kernel writes one context into both: it passes if that event did.
 * Used by select.c.
 */
#include "owners.h"

void read_owners_fini(struct read_owners *o)
{
	free(o->v);
	tdat_map_fini(&o->map);
	*o = (struct read_owners){.v = NULL};
}

void read_owners_forget(struct read_owners *o)
{
	if (o->map.count)
		tdat_map_clear(&o->map);
}

/*
 * Remembers for a context whether its last event passed. recent is the place that the next note
 * checks first. False: no memory.
 */
bool read_owners_add(struct read_owners *o, uint64_t context, enum read_owner last)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&o->map, o->v, &o->cap))
		return false;
	hash = tdat_hash_u64(o->map.seed, context);
	TDAT_MAP_FIND(i, &o->map, hash, o->v[i].context == context);
	if (i == TDAT_MAP_NONE)
		i = tdat_map_add(&o->map, hash);
	o->v[i] = (struct read_context){context, last};
	o->recent = i;
	return true;
}

/* READ_OWNER_NONE: no event of the context came before. */
enum read_owner read_owners_find(const struct read_owners *o, uint64_t context)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &o->map, tdat_hash_u64(o->map.seed, context), o->v[i].context == context);
	return i == TDAT_MAP_NONE ? READ_OWNER_NONE : o->v[i].last;
}
