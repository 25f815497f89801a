/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the table of a histogram: entries found by the bytes of their keys, at most as many
 * as size= says. Entries are numbered in the order of their making and never move.
 */
#ifndef TDAT_HIST_MAP_H
#define TDAT_HIST_MAP_H

#include "core/map.h"
#include "hist.h"

enum { HIST_MAP_BLOCK = 256 }; /* entries whose memory is asked for at once */

struct hist_map {
	uint64_t hits, drops;
	uint32_t most;
	uint32_t key_len, entry_len;
	uint32_t sums_off, vars_off, task_off, texts_off; /* in an entry */
	struct tdat_map index;
	uint8_t **blocks;
	uint32_t block_count;
};

/* The values of an entry's variables, and which of them are set. */
struct hist_vars {
	uint32_t set;
	struct hist_value v[];
};

struct hist_map *hist_map_new(const struct hist_data *d, struct tdat_hash_seed seed);
void hist_map_free(struct hist_map *m);

static inline uint8_t *hist_map_entry(const struct hist_map *m, uint32_t number)
{
	return m->blocks[number / HIST_MAP_BLOCK] +
	       (size_t)(number % HIST_MAP_BLOCK) * m->entry_len;
}

static inline uint64_t *hist_entry_sums(const struct hist_map *m, uint8_t *entry)
{
	return (uint64_t *)(void *)(entry + m->sums_off);
}

static inline struct hist_vars *hist_entry_vars(const struct hist_map *m, uint8_t *entry)
{
	return (struct hist_vars *)(void *)(entry + m->vars_off);
}

static inline uint32_t *hist_entry_task(const struct hist_map *m, uint8_t *entry)
{
	return (uint32_t *)(void *)(entry + m->task_off);
}

static inline struct hist_text *hist_entry_texts(const struct hist_map *m, uint8_t *entry)
{
	return (struct hist_text *)(void *)(entry + m->texts_off);
}

static inline uint32_t hist_map_hash(const struct hist_map *m, const uint8_t *key)
{
	uint64_t a, b;

	if (m->key_len > 16)
		return (uint32_t)tdat_hash_bytes(m->index.seed, key, m->key_len);
	memcpy(&a, key, 8);
	if (m->key_len == 8)
		return (uint32_t)tdat_hash_u64(m->index.seed, a);
	memcpy(&b, key + 8, 8);
	return (uint32_t)tdat_hash_pair(m->index.seed, a, b);
}

/* NULL: it has no entry of that key. */
uint8_t *hist_map_find(const struct hist_map *m, const uint8_t *key);
static inline bool hist_map_same(const struct hist_map *m, const uint8_t *a, const uint8_t *b)
{
	if (m->key_len == 8)
		return !memcmp(a, b, 8);
	if (m->key_len == 16)
		return !memcmp(a, b, 16);
	return !memcmp(a, b, m->key_len);
}

/* The number of the entry of a key, or TDAT_MAP_NONE. */
static inline uint32_t hist_map_number(const struct hist_map *m, const uint8_t *key, uint32_t hash)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &m->index, hash, hist_map_same(m, hist_map_entry(m, i), key));
	return i;
}

/* Finds or makes the entry of a key and its hash. NULL: it is full, which is counted, or *nomem. */
uint8_t *hist_map_insert(struct hist_map *m, const uint8_t *key, uint32_t hash, bool *made,
			 bool *nomem);

#endif
