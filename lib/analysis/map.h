/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A map from two or four numbers to an entry, for state by CPU, task or object of a trace. Hashes
 * are seeded, and the number of entries is bounded, since keys come from files. Entries are walked
 * in an order that depends on what was added and removed only, not on hashes.
 */
#ifndef TDAT_ANALYSIS_MAP_H
#define TDAT_ANALYSIS_MAP_H

#include <stdbool.h>

#include "core/map.h"

/* The first member of each entry. */
struct map_key {
	uint64_t a, b, c, d; /* of two numbers c and d are 0 */
	uint32_t next_free;  /* of an entry that is not used: index + 1 */
	bool used;
};

enum { MAP_RECENT = 64 };

struct map {
	/* The entries that map_get gave last, by the low bits of their keys: index + 1; 0: none. */
	uint32_t recent[MAP_RECENT];
	struct tdat_map index;
	uint8_t *entries;
	size_t entry_len, entry_cap, most;
	size_t end; /* entries up to here were used at some time */
	uint32_t free_entry;
	bool failed; /* memory ran out */
};

/* Entries are as many as most at once. */
void map_init(struct map *m, size_t entry_len, size_t most);
void map_fini(struct map *m);

/* The entry of a key, or NULL. */
void *map_find(const struct map *m, uint64_t a, uint64_t b);
/*
 * The entry of a key, which is made, all zero behind its key, if there is none. NULL: there are
 * too many, or memory ran out. Other entries may move.
 */
void *map_get(struct map *m, uint64_t a, uint64_t b);
/* The same with keys of four numbers. */
void *map_find4(const struct map *m, const uint64_t key[4]);
void *map_get4(struct map *m, const uint64_t key[4]);
void map_remove(struct map *m, void *entry);

/* Entry number i, below m->end; NULL where there is none. */
static inline void *map_at(const struct map *m, size_t i)
{
	struct map_key *k = (struct map_key *)(void *)(m->entries + i * m->entry_len);

	return k->used ? k : NULL;
}

#endif
