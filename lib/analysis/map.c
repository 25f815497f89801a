/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what is open under a key: tasks, intervals, calls. Entries lie in one array, a map of
 * lib/core/map.h finds them, and places of removed entries are used again. The number of entries
 * is bounded: the caller is told when one more has no room.
 */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

void map_init(struct map *m, size_t entry_len, size_t most)
{
	memset(m, 0, sizeof(*m));
	m->entry_len = (entry_len + 7) / 8 * 8;
	m->most = most < UINT32_MAX / 2 ? most : UINT32_MAX / 2;
}

void map_fini(struct map *m)
{
	tdat_map_fini(&m->index);
	free(m->entries);
	memset(m, 0, sizeof(*m));
}

static uint64_t hash_of(const struct map *m, const uint64_t key[4])
{
	const struct tdat_hash_seed seed = m->index.seed;
	const uint64_t hash = tdat_hash_pair(seed, key[0], key[1]);

	return key[2] | key[3] ? tdat_hash_pair(seed, tdat_hash_pair(seed, hash, key[2]), key[3])
			       : hash;
}

static struct map_key *entry_at(const struct map *m, size_t i)
{
	return (struct map_key *)(void *)(m->entries + i * m->entry_len);
}

static bool has_key(const struct map_key *k, const uint64_t key[4])
{
	return k->a == key[0] && k->b == key[1] && k->c == key[2] && k->d == key[3];
}

/* Which of the recent entries may be that of a key: events of one task or CPU follow each other. */
static size_t recent_at(const uint64_t key[4])
{
	return (key[1] ^ key[1] >> 6 ^ key[2] ^ key[0] << 3) & (MAP_RECENT - 1);
}

/* The recent entry of a key, or NULL, which says nothing about the map. */
static struct map_key *recent_entry(const struct map *m, const uint64_t key[4])
{
	const uint32_t recent = m->recent[recent_at(key)];
	struct map_key *k = recent ? entry_at(m, recent - 1) : NULL;

	return k && k->used && has_key(k, key) ? k : NULL;
}

void *map_find4(const struct map *m, const uint64_t key[4])
{
	struct map_key *k = recent_entry(m, key);
	uint32_t i;

	if (k)
		return k;
	TDAT_MAP_FIND(i, &m->index, hash_of(m, key), has_key(entry_at(m, i), key));
	return i == TDAT_MAP_NONE ? NULL : entry_at(m, i);
}

void *map_find(const struct map *m, uint64_t a, uint64_t b)
{
	return map_find4(m, (const uint64_t[4]){a, b, 0, 0});
}

/* A place for one more entry; false: no memory. */
static bool take_entry(struct map *m, size_t *at)
{
	uint8_t *grown;

	if (m->free_entry) {
		*at = m->free_entry - 1;
		m->free_entry = entry_at(m, *at)->next_free;
		return true;
	}
	grown = tdat_grown(m->entries, &m->entry_cap, m->end + 1, m->entry_len);
	if (!grown)
		return false;
	m->entries = grown;
	*at = m->end++;
	return true;
}

static uint32_t index_of(const struct map *m, const void *entry)
{
	return (uint32_t)((size_t)((const uint8_t *)entry - m->entries) / m->entry_len);
}

void *map_get(struct map *m, uint64_t a, uint64_t b)
{
	return map_get4(m, (const uint64_t[4]){a, b, 0, 0});
}

void *map_get4(struct map *m, const uint64_t key[4])
{
	uint32_t *recent = &m->recent[recent_at(key)];
	struct map_key *k = recent_entry(m, key);
	size_t at;

	if (k)
		return k;
	k = map_find4(m, key);
	if (k) {
		*recent = index_of(m, k) + 1;
		return k;
	}
	if (m->index.count >= m->most)
		return NULL;
	if (!tdat_map_reserve(&m->index) || !take_entry(m, &at)) {
		m->failed = true;
		return NULL;
	}
	k = entry_at(m, at);
	memset(k, 0, m->entry_len);
	k->a = key[0];
	k->b = key[1];
	k->c = key[2];
	k->d = key[3];
	k->used = true;
	tdat_map_put(&m->index, hash_of(m, key), at);
	*recent = (uint32_t)at + 1;
	return k;
}

void map_remove(struct map *m, void *entry)
{
	struct map_key *k = entry;
	const uint32_t at = index_of(m, entry);

	tdat_map_remove(&m->index, hash_of(m, (const uint64_t[4]){k->a, k->b, k->c, k->d}), at);
	k->used = false;
	k->next_free = m->free_entry;
	m->free_entry = at + 1;
}
