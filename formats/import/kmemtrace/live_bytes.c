/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the bytes that are live of each kind of allocation, for the counters that --atrace adds.
 * Pointers are followed up to a bound; what is allocated beyond it is only counted.
 */
#include <stdlib.h>

#include "kmemtrace.h"
#include "core/live.h"

enum { LIVE_MAX = 3 << 18 };

struct kmem_atrace {
	struct tdat_live live; /* places: type ids */
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
	tdat_live_fini(&a->live);
	free(a);
}

uint64_t kmem_atrace_untracked(const struct kmem_atrace *a)
{
	return a->untracked;
}

static bool remember(struct kmem_atrace *a, const struct kmem_record *rec, bool *failed)
{
	const struct tdat_live_pointer p = {
		.ptr = rec->ptr, .bytes_alloc = rec->bytes_alloc, .place = rec->head.type_id};

	if (a->live.map.count == LIVE_MAX) {
		a->untracked++;
		return false;
	}
	*failed = !tdat_live_add(&a->live, &p);
	if (*failed)
		return false;
	a->bytes[p.place] += p.bytes_alloc;
	return true;
}

bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed)
{
	static const char *const names[KMEM_COUNTERS] = {"kmalloc bytes", "kmem_cache bytes",
							 "pages bytes"};
	unsigned int counter = rec->head.type_id;
	struct tdat_live_pointer old;
	bool changed = false;

	*failed = false;
	if (rec->unknown || !rec->ptr)
		return false;
	if (tdat_live_take(&a->live, rec->ptr, &old)) { /* freed now, or its free was lost */
		if (rec->is_free)
			counter = old.place;
		a->bytes[old.place] -= old.bytes_alloc;
		changed = true;
	}
	if (!rec->is_free)
		changed = remember(a, rec, failed) || changed;
	*name = names[counter];
	*bytes = a->bytes[counter];
	return changed;
}
