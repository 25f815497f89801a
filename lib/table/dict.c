/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A dictionary of texts, found by their bytes and by keys. */
#include "dict.h"

#include "utf8_put.h"

enum { FIRST_CAP = 16 };

void table_dict_init(struct table_dict *d)
{
	memset(d, 0, sizeof(*d));
	d->seed = tdat_hash_seed();
}

void table_dict_fini(struct table_dict *d)
{
	table_mem_fini(&d->chars);
	table_mem_fini(&d->offsets);
	free(d->slots);
	free(d->keys);
	memset(d, 0, sizeof(*d));
}

static void empty_keys(struct table_dict_key *keys, size_t cap)
{
	for (size_t i = 0; i < cap; i++)
		keys[i].index = TABLE_DICT_NEW;
}

void table_dict_clear(struct table_dict *d)
{
	d->chars.len = 0;
	d->offsets.len = 0;
	d->count = 0;
	d->key_count = 0;
	d->last_key = 0;
	if (d->slots)
		memset(d->slots, 0, d->slot_cap * sizeof(*d->slots));
	empty_keys(d->keys, d->key_cap);
}

static size_t slot_of(const struct table_dict *d, const void *text, size_t len)
{
	size_t i = (size_t)tdat_hash_bytes(d->seed, text, len) & (d->slot_cap - 1);

	for (; d->slots[i]; i = (i + 1) & (d->slot_cap - 1)) {
		const struct tdat_span had = table_dict_at(d, d->slots[i] - 1);

		if (had.len == len && !memcmp(had.ptr, text, len))
			break;
	}
	return i;
}

/* At least half of the slots stay empty. */
static bool grow_slots(struct table_dict *d)
{
	const size_t cap = d->slot_cap ? d->slot_cap * 2 : FIRST_CAP;
	uint32_t *slots, *old = d->slots;

	if (d->slot_cap && 2 * (d->count + 1) <= d->slot_cap)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	d->slots = slots;
	d->slot_cap = cap;
	for (size_t i = 0; i < d->count; i++) {
		const struct tdat_span text = table_dict_at(d, i);

		slots[slot_of(d, text.ptr, text.len)] = (uint32_t)i + 1;
	}
	free(old);
	return true;
}

bool table_dict_text(struct table_dict *d, const void *text, size_t len, int32_t *index)
{
	const size_t start = d->chars.len;
	int32_t end;
	size_t i;

	/* The UTF-8 is made at the end of the texts; it stays there if it is a new one. */
	if (len > INT32_MAX / 4 || start > INT32_MAX / 4 || !grow_slots(d) ||
	    !table_put_utf8(&d->chars, text, len) || !table_mem_room(&d->offsets, 8))
		return false;
	len = d->chars.len - start;
	i = slot_of(d, d->chars.ptr + start, len);
	if (d->slots[i]) {
		d->chars.len = start;
		*index = (int32_t)d->slots[i] - 1;
		return true;
	}
	if (!d->count) {
		end = 0;
		table_mem_put(&d->offsets, &end, sizeof(end));
	}
	end = (int32_t)d->chars.len;
	if (!table_mem_put(&d->offsets, &end, sizeof(end)))
		return false;
	*index = (int32_t)d->count++;
	d->slots[i] = (uint32_t)d->count;
	return true;
}

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
	for (size_t i = 0; i < old_cap; i++)
		if (old[i].index != TABLE_DICT_NEW)
			table_dict_set_key(d, old[i].key, old[i].index);
	free(old);
	return true;
}

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

size_t table_dict_size(const struct table_dict *d)
{
	return d->chars.cap + d->offsets.cap + d->slot_cap * sizeof(*d->slots) +
	       d->key_cap * sizeof(*d->keys);
}
