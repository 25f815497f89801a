/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what is open under a key: tasks, intervals, calls, live pointers. Entries lie in one
 * array, a map finds them, and places of removed entries are used again. The number of entries
 * is bounded: the caller is told when one more has no room.
 */
#include "entries.h"

#include <stdlib.h>
#include <string.h>

/* Sizes are rounded up to 8, so that keys in an array of entries are aligned. */
void tdat_entries_init(struct tdat_entries *e, size_t entry_len, size_t key_len, size_t most)
{
	memset(e, 0, sizeof(*e));
	e->entry_len = (entry_len + 7) / 8 * 8;
	e->key_len = key_len;
	/* Indices are uint32 and plus 1, hence the bound. */
	e->most = most < UINT32_MAX / 2 ? most : UINT32_MAX / 2;
}

void tdat_entries_fini(struct tdat_entries *e)
{
	tdat_map_fini(&e->index);
	free(e->v);
	memset(e, 0, sizeof(*e));
}

static struct tdat_entry *entry_at(const struct tdat_entries *e, size_t i)
{
	return (struct tdat_entry *)(void *)(e->v + i * e->entry_len);
}

/* The key follows the entry's head (struct tdat_entry). */
static uint64_t *key_of(struct tdat_entry *entry)
{
	return (uint64_t *)(void *)(entry + 1);
}

/* Keys of two numbers, and those whose last two are 0, take one round of hashing. */
static uint64_t hash_of(const struct tdat_entries *e, const uint64_t *key)
{
	const struct tdat_hash_seed seed = e->index.seed;
	const uint64_t hash = tdat_hash_pair(seed, key[0], key[1]);

	return e->key_len > 2 && key[2] | key[3]
		       ? tdat_hash_pair(seed, tdat_hash_pair(seed, hash, key[2]), key[3])
		       : hash;
}

static bool has_key(const struct tdat_entries *e, struct tdat_entry *entry, const uint64_t *key)
{
	const uint64_t *own = key_of(entry);

	return own[0] == key[0] && own[1] == key[1] &&
	       (e->key_len == 2 || (own[2] == key[2] && own[3] == key[3]));
}

/*
 * The place of the recent entry that may be that of a key: events of one task or CPU follow each
 * other.
 */
static size_t recent_place(const struct tdat_entries *e, const uint64_t *key)
{
	const uint64_t at = key[1] ^ key[1] >> 6 ^ key[0] << 3 ^ (e->key_len > 2 ? key[2] : 0);

	return at & (TDAT_ENTRIES_RECENT - 1);
}

/* The recent entry of a key, or NULL, which says nothing about the others. */
static struct tdat_entry *recent_entry(const struct tdat_entries *e, size_t place,
				       const uint64_t *key)
{
	const uint32_t recent = e->recent[place];
	struct tdat_entry *entry = recent ? entry_at(e, recent - 1) : NULL;

	return entry && entry->used && has_key(e, entry, key) ? entry : NULL;
}

/* Finds the index of a key's entry, or TDAT_MAP_NONE. */
static uint32_t find_index(const struct tdat_entries *e, const uint64_t *key)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &e->index, hash_of(e, key), has_key(e, entry_at(e, i), key));
	return i;
}

/* Finds the entry of a key; NULL: there is none. The recent entry of its place is tried first. */
void *tdat_entry_find(const struct tdat_entries *e, const uint64_t *key)
{
	struct tdat_entry *entry = recent_entry(e, recent_place(e, key), key);
	uint32_t i;

	if (entry)
		return entry;
	i = find_index(e, key);
	return i == TDAT_MAP_NONE ? NULL : entry_at(e, i);
}

/* A place for one more entry; false: no memory. */
static bool take_place(struct tdat_entries *e, size_t *at)
{
	uint8_t *grown;

	if (e->free_entry) {
		*at = e->free_entry - 1;
		e->free_entry = entry_at(e, *at)->next_free;
		return true;
	}
	grown = tdat_grown(e->v, &e->cap, e->end + 1, e->entry_len);
	if (!grown)
		return false;
	e->v = grown;
	*at = e->end++;
	return true;
}

/* Makes the entry of a key that has none. */
static struct tdat_entry *make_entry(struct tdat_entries *e, const uint64_t *key, size_t *at)
{
	struct tdat_entry *entry;

	if (e->index.count >= e->most)
		return NULL;
	if (!tdat_map_reserve(&e->index) || !take_place(e, at)) {
		e->failed = true;
		return NULL;
	}
	entry = entry_at(e, *at);
	memset(entry, 0, e->entry_len);
	memcpy(key_of(entry), key, e->key_len * sizeof(*key));
	entry->used = true;
	tdat_map_put(&e->index, hash_of(e, key), *at);
	return entry;
}

/*
 * Finds or makes the entry of a key. NULL: there are too many, or no memory (e->failed). Pointers
 * to other entries may be invalid afterwards: the array may have moved.
 */
void *tdat_entry_get(struct tdat_entries *e, const uint64_t *key)
{
	const size_t place = recent_place(e, key);
	struct tdat_entry *entry = recent_entry(e, place, key);
	size_t at;

	if (entry)
		return entry;
	at = find_index(e, key);
	entry = at == TDAT_MAP_NONE ? make_entry(e, key, &at) : entry_at(e, at);
	if (entry)
		e->recent[place] = (uint32_t)at + 1;
	return entry;
}

/* Frees the place for the next entry. Recent places may still name it: the flag used tells. */
void tdat_entry_remove(struct tdat_entries *e, void *entry)
{
	struct tdat_entry *removed = entry;
	const size_t at = (size_t)((uint8_t *)entry - e->v) / e->entry_len;

	tdat_map_remove(&e->index, hash_of(e, key_of(removed)), at);
	removed->used = false;
	removed->next_free = e->free_entry;
	e->free_entry = (uint32_t)at + 1;
}
