/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the bytes that are live of each kind of allocation, for the counters that --atrace adds.
 * Pointers are followed up to a bound; what is allocated beyond it is only counted.
 */
#include "kmemtrace.h"

/* Pointers that are followed at once; more are only counted. */
enum { LIVE_MAX = 3 << 18 };

/* Live allocation. */
struct pointer {
	struct tdat_entry head;
	uint64_t key[2]; /* 0, address */
	uint64_t bytes;
	uint32_t type_id;
};

void kmem_atrace_init(struct kmem_atrace *a)
{
	tdat_entries_init(&a->pointers, sizeof(struct pointer), 2, LIVE_MAX);
}

/* Adds an allocation to the live ones. False: it is not followed. */
static bool remember(struct kmem_atrace *a, const struct kmem_record *rec, bool *failed)
{
	struct pointer *p = tdat_entry_get(&a->pointers, (const uint64_t[]){0, rec->ptr});

	*failed = a->pointers.failed;
	/* The table is full, or (failed) there was no memory. */
	if (!p) {
		a->untracked += !*failed;
		return false;
	}
	p->bytes = rec->bytes_alloc;
	p->type_id = rec->head.type_id;
	a->bytes[p->type_id] += p->bytes;
	return true;
}

/* Follows a record. True if a counter changed: its name and its new value are returned. */
bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed)
{
	static const char *const names[KMEM_COUNTERS] = {"kmalloc bytes", "kmem_cache bytes",
							 "pages bytes"};
	/* The kind of the free may differ from that of the allocation, whose counter is meant. */
	unsigned int counter = rec->head.type_id;
	struct pointer *old;
	bool changed = false;

	*failed = false;
	if (rec->unknown || !rec->ptr)
		return false;
	old = tdat_entry_find(&a->pointers, (const uint64_t[]){0, rec->ptr});
	if (old) { /* freed now, or its free was lost */
		if (rec->is_free)
			counter = old->type_id;
		a->bytes[old->type_id] -= old->bytes;
		tdat_entry_remove(&a->pointers, old);
		changed = true;
	}
	if (!rec->is_free)
		changed = remember(a, rec, failed) || changed;
	*name = names[counter];
	*bytes = a->bytes[counter];
	return changed;
}
