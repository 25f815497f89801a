/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A hash table with open addressing and linear probing, at most half full. Slots hold the hash of
 * their element: growing and removing need neither the elements nor their keys.
 */
#include "map.h"

#include <stdlib.h>
#include <string.h>

/* Power of two, as masks need it. */
enum { SLOTS_FIRST = 32 };

/* Makes room for count more elements. False: no memory, or more than indices can say. */
bool tdat_map_grow(struct tdat_map *m, size_t count)
{
	struct tdat_map more = {.seed = m->slots ? m->seed : tdat_hash_seed(),
				.mask = m->slots ? m->mask : SLOTS_FIRST - 1};
	size_t start = 0;

	while ((more.mask + 1) / 2 < m->count + count && more.mask <= UINT32_MAX / 4)
		more.mask = 2 * more.mask + 1;
	if ((more.mask + 1) / 2 < m->count + count)
		return false;
	if (m->slots && more.mask == m->mask)
		return true;
	more.slots = calloc(more.mask + 1, sizeof(*more.slots));
	if (!more.slots)
		return false;
	/* From a free slot on, so that the elements of one hash stay in their order. */
	while (m->slots && m->slots[start].item)
		start++;
	/* Hashes are stored, so elements need not be hashed again. */
	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		const struct tdat_map_slot *s = &m->slots[(start + i) & m->mask];

		if (s->item)
			tdat_map_put(&more, s->hash, s->item - 1);
	}
	free(m->slots);
	*m = more;
	return true;
}

/* Removes an item by backward shifting, so that searches need no marks of removed slots. */
void tdat_map_remove(struct tdat_map *m, uint64_t hash, size_t item)
{
	size_t gap = (uint32_t)hash & m->mask;

	if (!m->slots)
		return;
	while (m->slots[gap].item && m->slots[gap].item != (uint32_t)item + 1)
		gap = (gap + 1) & m->mask;
	if (!m->slots[gap].item)
		return;
	/* An item behind the gap moves there, unless it would come before its own place. */
	for (size_t i = (gap + 1) & m->mask; m->slots[i].item; i = (i + 1) & m->mask) {
		if (((i - m->slots[i].hash) & m->mask) < ((i - gap) & m->mask))
			continue;
		m->slots[gap] = m->slots[i];
		gap = i;
	}
	m->slots[gap].item = 0;
	m->count--;
}

void tdat_map_clear(struct tdat_map *m)
{
	if (m->slots)
		memset(m->slots, 0, tdat_map_size(m));
	m->count = 0;
}

void tdat_map_fini(struct tdat_map *m)
{
	free(m->slots);
	*m = (struct tdat_map){.count = 0};
}
