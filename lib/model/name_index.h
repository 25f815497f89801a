/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the first index of an id in a deep function stack: a balanced tree (a treap) over
 * the places, ordered by id and then by index. Node p belongs to index p of the stack. It
 * is made when a stack grows deeper than a linear search should go, and kept from then on.
 */
#ifndef TDAT_MODEL_NAME_INDEX_H
#define TDAT_MODEL_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hash.h"

struct name_index_node {
	uint32_t left, right; /* index + 1, or 0 */
};

struct name_index {
	struct name_index_node *nodes; /* NULL: not made */
	size_t cap;
	uint32_t root; /* index + 1, or 0 */
	struct tdat_hash_seed seed;
};

/* Makes the index of count names; false without memory, and then it is as before. */
bool name_index_make(struct name_index *ix, const uint32_t *ids, size_t count);
void name_index_fini(struct name_index *ix);

/* Takes out the name number index, whose id is ids[index]. */
void name_index_remove(struct name_index *ix, const uint32_t *ids, size_t index);

/* Adds the name number index, whose id is ids[index]; false without memory. */
bool name_index_add(struct name_index *ix, const uint32_t *ids, size_t index);

/* The first index of id, or count when it has none. */
size_t name_index_find(const struct name_index *ix, const uint32_t *ids, uint32_t id, size_t count);

#endif
