/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A dictionary of texts, found by their bytes and by keys. Texts lie one behind the other with
 * their offsets, as Arrow has them, made valid UTF-8 on the way in. Keys (a number or an
 * address) lead to an index without looking at the text. Both tables are keyed hashes. A
 * dictionary belongs to one column of one thread.
 */
#include "dict.h"

#include "utf8_put.h"

enum { FIRST_CAP = 16 };

/* The seed is random per process, so a crafted file cannot force collisions. */
void table_dict_init(struct table_dict *d)
{
	memset(d, 0, sizeof(*d));
	d->seed = tdat_hash_seed();
}

void table_dict_fini(struct table_dict *d)
{
	table_mem_fini(&d->chars);
	table_mem_fini(&d->offsets);
	tdat_map_fini(&d->texts);
	free(d->keys);
	memset(d, 0, sizeof(*d));
}

/* Free slots are marked by an index that no text has. */
static void empty_keys(struct table_dict_key *keys, size_t cap)
{
	for (size_t i = 0; i < cap; i++)
		keys[i].index = TABLE_DICT_NEW;
}

/* Forgets all texts but keeps the memory, for the next batch. */
void table_dict_clear(struct table_dict *d)
{
	d->chars.len = 0;
	d->offsets.len = 0;
	d->count = 0;
	d->key_count = 0;
	d->last_key = 0;
	tdat_map_clear(&d->texts);
	empty_keys(d->keys, d->key_cap);
}

static bool same(struct tdat_span had, const void *text, size_t len)
{
	return had.len == len && !memcmp(had.ptr, text, len);
}

/*
 * Returns the index of a text, adding it if it is new. False: no memory, or the texts would
 * outgrow the int32 offsets of Arrow.
 */
bool table_dict_text(struct table_dict *d, const void *text, size_t len, int32_t *index)
{
	const size_t start = d->chars.len;
	uint64_t hash;
	int32_t end;
	uint32_t i;

	/* The UTF-8 is made at the end of the texts; it stays there if it is a new one. */
	if (len > INT32_MAX / 4 || start > INT32_MAX / 4 || !tdat_map_reserve(&d->texts) ||
	    !table_put_utf8(&d->chars, text, len) || !table_mem_room(&d->offsets, 8))
		return false;
	len = d->chars.len - start;
	hash = tdat_hash_bytes(d->seed, d->chars.ptr + start, len);
	TDAT_MAP_FIND(i, &d->texts, hash, same(table_dict_at(d, i), d->chars.ptr + start, len));
	if (i != TDAT_MAP_NONE) {
		d->chars.len = start;
		*index = (int32_t)i;
		return true;
	}
	/* An empty dictionary that was lent has the first offset already. */
	if (!d->offsets.len) {
		end = 0;
		table_mem_put(&d->offsets, &end, sizeof(end));
	}
	end = (int32_t)d->chars.len;
	if (!table_mem_put(&d->offsets, &end, sizeof(end)))
		return false;
	tdat_map_put(&d->texts, hash, d->count);
	*index = (int32_t)d->count++;
	return true;
}

/* Doubles the table of keys at half its capacity, which keeps probes short. */
static bool grow_keys(struct table_dict *d)
{
	const size_t cap = d->key_cap ? d->key_cap * 2 : FIRST_CAP;
	struct table_dict_key *keys, *old = d->keys;
	const size_t old_cap = d->key_cap;

	if (old_cap && 2 * (d->key_count + 1) <= old_cap)
		return true;
	keys = malloc(cap * sizeof(*keys));
	if (!keys)
		return false;
	empty_keys(keys, cap);
	d->keys = keys;
	d->key_cap = cap;
	d->key_count = 0;
	/* Doubling leaves room, so adding the old keys cannot grow the table again. */
	for (size_t i = 0; i < old_cap; i++)
		if (old[i].index != TABLE_DICT_NEW)
			table_dict_set_key(d, old[i].key, old[i].index);
	free(old);
	return true;
}

/*
 * Adds a key that table_dict_key() did not find; index may be TABLE_DICT_NULL, which remembers
 * that the key has no text.
 */
bool table_dict_set_key(struct table_dict *d, uint64_t key, int32_t index)
{
	size_t i;

	if (!grow_keys(d))
		return false;
	i = (size_t)tdat_hash_u64(d->seed, key) & (d->key_cap - 1);
	while (d->keys[i].index != TABLE_DICT_NEW)
		i = (i + 1) & (d->key_cap - 1);
	d->keys[i] = (struct table_dict_key){key, index};
	d->key_count++;
	return true;
}

/* Bytes of memory held, for the reader's account. */
size_t table_dict_size(const struct table_dict *d)
{
	return d->chars.cap + d->offsets.cap + tdat_map_size(&d->texts) +
	       d->key_cap * sizeof(*d->keys);
}
