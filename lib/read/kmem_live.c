/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the pointers that are allocated and not yet freed in a hash table. */
#include <stdlib.h>

#include "core/checked.h"
#include "core/hash.h"
#include "kmem.h"

enum { SLOTS_FIRST = 4096 };

enum tdat_status kmem_live_init(struct kmem_live *l, uint64_t max, struct tdat_error *err)
{
	*l = (struct kmem_live){.slots = calloc(SLOTS_FIRST, sizeof(*l->slots)),
				.slot_count = SLOTS_FIRST,
				.seed = tdat_hash_seed(),
				.max = max};
	if (!l->slots)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to follow pointers");
	return TDAT_OK;
}

void kmem_live_fini(struct kmem_live *l)
{
	free(l->slots);
	l->slots = NULL;
}

static size_t home(const struct kmem_live *l, uint64_t ptr)
{
	return (size_t)tdat_hash_u64(l->seed, ptr) & (l->slot_count - 1);
}

/* The slot of ptr, or the free one where it would go. */
static size_t find(const struct kmem_live *l, uint64_t ptr)
{
	size_t i = home(l, ptr);

	while (l->slots[i].ptr && l->slots[i].ptr != ptr)
		i = (i + 1) & (l->slot_count - 1);
	return i;
}

/* Frees slot i and moves back what had to go past it. */
static void drop(struct kmem_live *l, size_t i)
{
	size_t mask = l->slot_count - 1;

	for (size_t j = (i + 1) & mask; l->slots[j].ptr; j = (j + 1) & mask) {
		if (((j - home(l, l->slots[j].ptr)) & mask) < ((j - i) & mask))
			continue; /* it may not go before its home */
		l->slots[i] = l->slots[j];
		i = j;
	}
	l->slots[i].ptr = 0;
	l->used--;
}

bool kmem_live_take(struct kmem_live *l, uint64_t ptr, struct kmem_live_slot *out)
{
	size_t i = find(l, ptr);

	if (!l->slots[i].ptr)
		return false;
	*out = l->slots[i];
	drop(l, i);
	return true;
}

static enum tdat_status grow(struct kmem_live *l, struct tdat_error *err)
{
	struct kmem_live_slot *old = l->slots;
	size_t old_count = l->slot_count, len;

	if (!tdat_mul_size(old_count, 2 * sizeof(*old), &len))
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "more pointers than memory can hold");
	l->slots = calloc(1, len);
	if (!l->slots) {
		l->slots = old;
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to follow more than %zu pointers", l->used);
	}
	l->slot_count = old_count * 2;
	for (size_t i = 0; i < old_count; i++)
		if (old[i].ptr)
			l->slots[find(l, old[i].ptr)] = old[i];
	free(old);
	return TDAT_OK;
}

enum tdat_status kmem_live_add(struct kmem_live *l, const struct kmem_live_slot *slot, bool *full,
			       struct tdat_error *err)
{
	*full = l->used >= l->max;
	if (*full)
		return TDAT_OK;
	if (l->used >= l->slot_count / 4 * 3) {
		enum tdat_status st = grow(l, err);

		if (st != TDAT_OK)
			return st;
	}
	l->slots[find(l, slot->ptr)] = *slot;
	l->used++;
	return TDAT_OK;
}
