/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the bytes that are live of each kind of allocation, with a bounded table of pointers. */
#include <stdlib.h>

#include "kmemtrace.h"
#include "core/map.h"

enum { LIVE_MAX = 3 << 18 };

struct live {
	uint64_t ptr;
	uint64_t bytes; /* shifted left by 2, type id below; of a spare one the next, from 1 */
};

struct kmem_atrace {
	struct live *v;
	size_t cap;
	struct tdat_map map; /* by ptr */
	uint32_t spare;	     /* an element that is not in the map, from 1; 0: there is none */
	uint64_t bytes[KMEM_COUNTERS];
	uint64_t untracked;
};

struct kmem_atrace *kmem_atrace_new(void)
{
	return calloc(1, sizeof(struct kmem_atrace));
}

void kmem_atrace_free(struct kmem_atrace *a)
{
	if (!a)
		return;
	free(a->v);
	tdat_map_fini(&a->map);
	free(a);
}

uint64_t kmem_atrace_untracked(const struct kmem_atrace *a)
{
	return a->untracked;
}

static uint32_t find(const struct kmem_atrace *a, uint64_t ptr)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &a->map, tdat_hash_u64(a->map.seed, ptr), a->v[i].ptr == ptr);
	return i;
}

static void forget(struct kmem_atrace *a, uint32_t i)
{
	struct live *live = &a->v[i];

	a->bytes[live->bytes & 3] -= live->bytes >> 2;
	tdat_map_remove(&a->map, tdat_hash_u64(a->map.seed, live->ptr), i);
	live->bytes = a->spare;
	a->spare = i + 1;
}

static bool remember(struct kmem_atrace *a, const struct kmem_record *rec, bool *failed)
{
	struct live *v;
	uint32_t i;

	if (a->map.count == LIVE_MAX) {
		a->untracked++;
		return false;
	}
	v = tdat_map_grown(&a->map, a->v, &a->cap, sizeof(*v));
	if (!v) {
		*failed = true;
		return false;
	}
	a->v = v;
	/* Without spare elements all from the first on are in the map. */
	i = a->spare ? a->spare - 1 : (uint32_t)a->map.count;
	if (a->spare)
		a->spare = (uint32_t)v[i].bytes;
	v[i] = (struct live){rec->ptr, (rec->bytes_alloc << 2) | rec->head.type_id};
	a->bytes[rec->head.type_id] += v[i].bytes >> 2;
	tdat_map_put(&a->map, tdat_hash_u64(a->map.seed, rec->ptr), i);
	return true;
}

bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed)
{
	static const char *const names[KMEM_COUNTERS] = {"kmalloc bytes", "kmem_cache bytes",
							 "pages bytes"};
	unsigned int counter = rec->head.type_id;
	bool changed = false;
	uint32_t i;

	*failed = false;
	if (rec->unknown || !rec->ptr)
		return false;
	i = find(a, rec->ptr);
	if (i != TDAT_MAP_NONE) { /* freed now, or its free was lost */
		if (rec->is_free)
			counter = a->v[i].bytes & 3;
		forget(a, i);
		changed = true;
	}
	if (!rec->is_free)
		changed = remember(a, rec, failed) || changed;
	*name = names[counter];
	*bytes = a->bytes[counter];
	return changed;
}
