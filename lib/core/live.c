/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps live pointers in an array with a map to it. A pointer that is taken leaves a spare element,
 * which the next one gets, so that the array is as long as most were live at once.
 */
#include "live.h"

#include <stdlib.h>

bool tdat_live_take(struct tdat_live *l, uint64_t ptr, struct tdat_live_pointer *out)
{
	const uint64_t hash = tdat_hash_u64(l->map.seed, ptr);
	uint32_t i;

	TDAT_MAP_FIND(i, &l->map, hash, l->v[i].ptr == ptr);
	if (i == TDAT_MAP_NONE)
		return false;
	*out = l->v[i];
	tdat_map_remove(&l->map, hash, i);
	l->v[i].place = l->spare;
	l->spare = i + 1;
	return true;
}

bool tdat_live_add(struct tdat_live *l, const struct tdat_live_pointer *p)
{
	struct tdat_live_pointer *v = tdat_map_grown(&l->map, l->v, &l->cap, sizeof(*v));
	uint32_t i;

	if (!v)
		return false;
	l->v = v;
	/* Without spare elements all from the first on are in the map. */
	i = l->spare ? l->spare - 1 : (uint32_t)l->map.count;
	if (l->spare)
		l->spare = v[i].place;
	v[i] = *p;
	tdat_map_put(&l->map, tdat_hash_u64(l->map.seed, p->ptr), i);
	return true;
}

void tdat_live_fini(struct tdat_live *l)
{
	free(l->v);
	tdat_map_fini(&l->map);
	*l = (struct tdat_live){.cap = 0};
}
