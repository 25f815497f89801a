/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the elements of an array by a keyed hash of what they are called. The map holds hashes and
 * indexes alone: the array, its elements and what makes two of them equal are the caller's, so that
 * a walk over the array has the order in which things came, which no hash changes.
 *
 *   uint32_t i;
 *
 *   if (!TDAT_MAP_GROW(&list->map, list->v, &list->cap))
 *           return tdat_error_no_memory(err, "names");
 *   hash = tdat_hash_u64(list->map.seed, pid);
 *   TDAT_MAP_FIND(i, &list->map, hash, list->v[i].pid == pid);
 *   if (i == TDAT_MAP_NONE) {
 *           i = tdat_map_add(&list->map, hash);
 *           list->v[i] = ...;
 *   }
 */
#ifndef TDAT_CORE_MAP_H
#define TDAT_CORE_MAP_H

#include <stdbool.h>

#include "grow.h"
#include "hash.h"

/* No element. Elements are as many as 2^30 at most. */
#define TDAT_MAP_NONE UINT32_MAX

struct tdat_map_slot {
	uint32_t hash; /* the lower half: it says where the slot is sought, so that nothing is
			* hashed again when the map grows */
	uint32_t item; /* index + 1; 0: the slot is free */
};

/* All zero: empty. The array is the caller's to free. It belongs to one thread while it changes. */
struct tdat_map {
	struct tdat_hash_seed seed; /* set once there is room for an element */
	struct tdat_map_slot *slots;
	size_t mask;  /* slots - 1; there are a power of two */
	size_t count; /* slots that are taken: half at most */
};

/*
 * TDAT_MAP_FIND sets the uint32_t i to the first element of hash sought for which the expression
 * same, which names i, is true; or to TDAT_MAP_NONE. Elements of one hash come in the order in
 * which they were put. Before the first room was made the map is empty, whatever the hash.
 */
#define TDAT_MAP_FIND(i, map, sought, same)                                                        \
	do {                                                                                       \
		const struct tdat_map *map_ = (map);                                               \
		const uint32_t map_hash_ = (uint32_t)(sought);                                     \
		size_t map_at_ = map_hash_;                                                        \
                                                                                                   \
		for ((i) = TDAT_MAP_NONE; map_->slots; map_at_++) {                                \
			const struct tdat_map_slot *map_slot_ =                                    \
				&map_->slots[map_at_ & map_->mask];                                \
                                                                                                   \
			(i) = map_slot_->item - 1;                                                 \
			if ((i) == TDAT_MAP_NONE || (map_slot_->hash == map_hash_ && (same)))      \
				break;                                                             \
		}                                                                                  \
	} while (0)

/* Makes room for count more elements. False: no memory, and the map is as it was. */
bool tdat_map_grow(struct tdat_map *m, size_t count);

/* The same for one more. */
static inline bool tdat_map_reserve(struct tdat_map *m)
{
	return (m->slots && m->count < (m->mask + 1) / 2) || tdat_map_grow(m, 1);
}

/*
 * As TDAT_GROW, for the array of a map that has all of its elements: makes room for one more in
 * both.
 */
#define TDAT_MAP_GROW(map, array, cap)                                                             \
	(tdat_map_reserve(map) && TDAT_GROW(array, cap, (map)->count + 1))

/* Adds an element, for which there must be room, as the last one of its hash. */
static inline void tdat_map_put(struct tdat_map *m, uint64_t hash, size_t item)
{
	size_t at = (uint32_t)hash & m->mask;

	while (m->slots[at].item)
		at = (at + 1) & m->mask;
	m->slots[at] = (struct tdat_map_slot){(uint32_t)hash, (uint32_t)item + 1};
	m->count++;
}

/* The same for the next element of an array that the map has all of; returns its index. */
static inline uint32_t tdat_map_add(struct tdat_map *m, uint64_t hash)
{
	tdat_map_put(m, hash, m->count);
	return (uint32_t)m->count - 1;
}

/* Takes out the element that was put with that hash, if it was. */
void tdat_map_remove(struct tdat_map *m, uint64_t hash, size_t item);

/* Takes out all elements, and keeps the memory. */
void tdat_map_clear(struct tdat_map *m);

/* Frees the memory; the map is as a new one. */
void tdat_map_fini(struct tdat_map *m);

/* The bytes of memory that it has. */
static inline size_t tdat_map_size(const struct tdat_map *m)
{
	return m->slots ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

#endif
