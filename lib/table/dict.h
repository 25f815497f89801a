/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A dictionary of a column: different texts in the order in which they came, and beside it the
 * keys (numbers of the trace) that were turned to texts before, so that a name is looked up
 * once for each key. It belongs to one thread.
 */
#ifndef TDAT_TABLE_DICT_H
#define TDAT_TABLE_DICT_H

#include "core/map.h"
#include "memory.h"

enum { TABLE_DICT_NULL = -1, TABLE_DICT_NEW = -2 };

struct table_dict_key {
	uint64_t key;
	int32_t index; /* TABLE_DICT_NULL: it has no name; TABLE_DICT_NEW: the slot is empty */
};

struct table_dict {
	struct tdat_hash_seed seed;
	struct table_mem chars;	  /* UTF-8 of all texts */
	struct table_mem offsets; /* int32, count + 1 */
	size_t count;
	struct tdat_map texts;
	struct table_dict_key *keys; /* by hash of the key */
	size_t key_cap, key_count;
	/* The key that was asked for last, for its user to set; 0: none. */
	uint64_t last_key;
	int32_t last_index;
};

void table_dict_init(struct table_dict *d);
void table_dict_fini(struct table_dict *d);
/* Forgets all texts and keys, and keeps the memory. */
void table_dict_clear(struct table_dict *d);

/* The index of a text, which is made UTF-8; false: no memory. */
bool table_dict_text(struct table_dict *d, const void *text, size_t len, int32_t *index);

/* The text of an index; borrowed until another text comes. */
static inline struct tdat_span table_dict_at(const struct table_dict *d, size_t i)
{
	int32_t ends[2];

	memcpy(ends, d->offsets.ptr + 4 * i, sizeof(ends));
	return (struct tdat_span){d->chars.ptr + ends[0], (size_t)(ends[1] - ends[0])};
}

/* The index that was set for a key, or TABLE_DICT_NEW. */
static inline int32_t table_dict_key(const struct table_dict *d, uint64_t key)
{
	size_t i;

	if (!d->key_cap)
		return TABLE_DICT_NEW;
	i = (size_t)tdat_hash_u64(d->seed, key) & (d->key_cap - 1);
	while (d->keys[i].index != TABLE_DICT_NEW && d->keys[i].key != key)
		i = (i + 1) & (d->key_cap - 1);
	return d->keys[i].index;
}

/* Sets the index of a key that has none; false: no memory. */
bool table_dict_set_key(struct table_dict *d, uint64_t key, int32_t index);

/* Whether it has grown so much that it should be cleared when nothing refers to it. */
static inline bool table_dict_is_large(const struct table_dict *d)
{
	return d->key_count > 65536 || d->count > 65536 || d->chars.len > 4u << 20;
}

/* Bytes of memory that it holds. */
size_t table_dict_size(const struct table_dict *d);

#endif
