/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A hash table with open addressing, whose slots are indexes of entries. */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

void map_init(struct map *m, size_t entry_len, size_t most)
{
	memset(m, 0, sizeof(*m));
	m->seed = tdat_hash_seed();
	m->entry_len = (entry_len + 7) / 8 * 8;
	m->most = most < UINT32_MAX / 2 ? most : UINT32_MAX / 2;
}

void map_fini(struct map *m)
{
	free(m->slots);
	free(m->entries);
	memset(m, 0, sizeof(*m));
}

static size_t home(const struct map *m, const uint64_t key[4])
{
	uint64_t hash = tdat_hash_pair(m->seed, key[0], key[1]);

	if (key[2] | key[3])
		hash = tdat_hash_pair(m->seed, tdat_hash_pair(m->seed, hash, key[2]), key[3]);
	return (size_t)hash & (m->slot_cap - 1);
}

static struct map_key *entry_at(const struct map *m, size_t i)
{
	return (struct map_key *)(void *)(m->entries + i * m->entry_len);
}

static bool has_key(const struct map_key *k, const uint64_t key[4])
{
	return k->a == key[0] && k->b == key[1] && k->c == key[2] && k->d == key[3];
}

static size_t slot_of(const struct map *m, const uint64_t key[4])
{
	size_t i = home(m, key);

	for (; m->slots[i]; i = (i + 1) & (m->slot_cap - 1)) {
		const struct map_key *k = entry_at(m, m->slots[i] - 1);

		if (has_key(k, key))
			break;
	}
	return i;
}

/* Which of the recent entries may be that of a key: events of one task or CPU follow each other. */
static size_t recent_at(const uint64_t key[4])
{
	return (key[1] ^ key[1] >> 6 ^ key[2] ^ key[0] << 3) & (MAP_RECENT - 1);
}

/* The recent entry of a key, or NULL: it is in the map all the same, or not. */
static struct map_key *recent_entry(const struct map *m, const uint64_t key[4])
{
	const uint32_t recent = m->recent[recent_at(key)];
	struct map_key *k = recent ? entry_at(m, recent - 1) : NULL;

	return k && k->used && has_key(k, key) ? k : NULL;
}

void *map_find4(const struct map *m, const uint64_t key[4])
{
	struct map_key *k = recent_entry(m, key);
	size_t i;

	if (k || !m->slot_cap)
		return k;
	i = slot_of(m, key);
	return m->slots[i] ? entry_at(m, m->slots[i] - 1) : NULL;
}

void *map_find(const struct map *m, uint64_t a, uint64_t b)
{
	return map_find4(m, (const uint64_t[4]){a, b, 0, 0});
}

/* At least half of the slots stay empty. */
static bool grow_slots(struct map *m)
{
	const size_t cap = m->slot_cap ? m->slot_cap * 2 : 32;
	uint32_t *slots;

	if (m->slot_cap && 2 * (m->count + 1) <= m->slot_cap)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	free(m->slots);
	m->slots = slots;
	m->slot_cap = cap;
	for (size_t i = 0; i < m->end; i++) {
		const struct map_key *k = entry_at(m, i);

		if (k->used)
			m->slots[slot_of(m, (const uint64_t[4]){k->a, k->b, k->c, k->d})] =
				(uint32_t)i + 1;
	}
	return true;
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
	if (m->count >= m->most)
		return NULL;
	if (!grow_slots(m) || !take_entry(m, &at)) {
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
	m->count++;
	*recent = m->slots[slot_of(m, key)] = (uint32_t)at + 1;
	return k;
}

/* Slots behind an emptied one are moved there, unless their home lies behind it. */
static void close_gap(struct map *m, size_t gap)
{
	const size_t mask = m->slot_cap - 1;
	size_t i = gap;

	for (;;) {
		const struct map_key *k;

		i = (i + 1) & mask;
		if (!m->slots[i])
			break;
		k = entry_at(m, m->slots[i] - 1);
		if (((i - home(m, (const uint64_t[4]){k->a, k->b, k->c, k->d})) & mask) <
		    ((i - gap) & mask))
			continue;
		m->slots[gap] = m->slots[i];
		gap = i;
	}
	m->slots[gap] = 0;
}

void map_remove(struct map *m, void *entry)
{
	struct map_key *k = entry;
	const uint32_t at = index_of(m, entry);

	close_gap(m, slot_of(m, (const uint64_t[4]){k->a, k->b, k->c, k->d}));
	k->used = false;
	k->next_free = m->free_entry;
	m->free_entry = at + 1;
	m->count--;
}
