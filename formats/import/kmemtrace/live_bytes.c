/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the bytes that are live of each kind of allocation, with a bounded table of pointers. */
#include <stdlib.h>

#include "kmemtrace.h"
#include "core/hash.h"

enum { SLOTS_FIRST = 1024, SLOTS_MAX = 1 << 20 };

/* A free slot has ptr 0: the kernel's NULL is never followed. */
struct live {
	uint64_t ptr;
	uint64_t bytes; /* shifted left by 2, type id below */
};

struct kmem_atrace {
	struct live *slots; /* open addressing; slot_count is a power of two */
	size_t slot_count;
	size_t used;
	uint64_t bytes[KMEM_COUNTERS];
	uint64_t untracked;
	struct tdat_hash_seed seed;
};

struct kmem_atrace *kmem_atrace_new(void)
{
	struct kmem_atrace *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->slots = calloc(SLOTS_FIRST, sizeof(*a->slots));
	a->slot_count = SLOTS_FIRST;
	a->seed = tdat_hash_seed();
	if (!a->slots) {
		free(a);
		return NULL;
	}
	return a;
}

void kmem_atrace_free(struct kmem_atrace *a)
{
	if (!a)
		return;
	free(a->slots);
	free(a);
}

uint64_t kmem_atrace_untracked(const struct kmem_atrace *a)
{
	return a->untracked;
}

static size_t home(const struct kmem_atrace *a, uint64_t ptr)
{
	return (size_t)tdat_hash_u64(a->seed, ptr) & (a->slot_count - 1);
}

/* The slot of ptr, or the free one where it would go. */
static size_t find(const struct kmem_atrace *a, uint64_t ptr)
{
	size_t i = home(a, ptr);

	while (a->slots[i].ptr && a->slots[i].ptr != ptr)
		i = (i + 1) & (a->slot_count - 1);
	return i;
}

static bool grow(struct kmem_atrace *a)
{
	struct live *old = a->slots;
	size_t old_count = a->slot_count;
	struct live *slots = calloc(old_count * 2, sizeof(*slots));

	if (!slots)
		return false;
	a->slots = slots;
	a->slot_count = old_count * 2;
	for (size_t i = 0; i < old_count; i++)
		if (old[i].ptr)
			a->slots[find(a, old[i].ptr)] = old[i];
	free(old);
	return true;
}

/* Frees slot i, and moves back the entries that had to go past it. */
static void drop(struct kmem_atrace *a, size_t i)
{
	size_t mask = a->slot_count - 1;

	for (size_t j = (i + 1) & mask; a->slots[j].ptr; j = (j + 1) & mask) {
		size_t want = home(a, a->slots[j].ptr);

		if (((j - want) & mask) < ((j - i) & mask))
			continue; /* an entry must not be before its own slot */
		a->slots[i] = a->slots[j];
		i = j;
	}
	a->slots[i].ptr = 0;
	a->used--;
}

static void forget(struct kmem_atrace *a, size_t i)
{
	a->bytes[a->slots[i].bytes & 3] -= a->slots[i].bytes >> 2;
	drop(a, i);
}

static bool remember(struct kmem_atrace *a, const struct kmem_record *rec, bool *failed)
{
	struct live *slot;

	if (a->used >= a->slot_count / 4 * 3) {
		if (a->slot_count == SLOTS_MAX) {
			a->untracked++;
			return false;
		}
		if (!grow(a)) {
			*failed = true;
			return false;
		}
	}
	slot = &a->slots[find(a, rec->ptr)];
	slot->ptr = rec->ptr;
	slot->bytes = (rec->bytes_alloc << 2) | rec->head.type_id;
	a->bytes[rec->head.type_id] += slot->bytes >> 2;
	a->used++;
	return true;
}

bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed)
{
	static const char *const names[KMEM_COUNTERS] = {"kmalloc bytes", "kmem_cache bytes",
							 "pages bytes"};
	unsigned int counter = rec->head.type_id;
	bool changed = false;
	size_t i;

	*failed = false;
	if (rec->unknown || !rec->ptr)
		return false;
	i = find(a, rec->ptr);
	if (a->slots[i].ptr) { /* freed now, or its free was lost */
		if (rec->is_free)
			counter = a->slots[i].bytes & 3;
		forget(a, i);
		changed = true;
	}
	if (!rec->is_free)
		changed = remember(a, rec, failed) || changed;
	*name = names[counter];
	*bytes = a->bytes[counter];
	return changed;
}
