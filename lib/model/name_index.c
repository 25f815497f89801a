/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the treap of a deep function stack. The key is the id of a name and its place in the
 * stack. Weights are made of the place, so the shape does not depend on chance. Search, adding
 * and removing take logarithmic time in the stack's depth. Used by func_stack.c from a depth on
 * at which a linear search costs more.
 */
#include "name_index.h"

#include <stdlib.h>

#include "core/grow.h"

/* True if the name at index a comes before id b_id at index b: by id, then by index. */
static bool before(const uint32_t *ids, size_t a, uint32_t b_id, size_t b)
{
	return ids[a] != b_id ? ids[a] < b_id : a < b;
}

/*
 * Returns the weight of a node; larger ones are nearer to the root. The seed keeps a hostile file
 * from choosing a shape of its own.
 */
static uint64_t weight(const struct name_index *ix, uint32_t node)
{
	return tdat_hash_u64(ix->seed, node);
}

/*
 * Splits the tree at node into all that comes before (id, index) and the rest. low and high are the
 * links where the next part is hung, so no recursion is needed.
 */
static void split(struct name_index *ix, const uint32_t *ids, uint32_t node, uint32_t id,
		  size_t index, uint32_t *low, uint32_t *high)
{
	while (node) {
		struct name_index_node *n = &ix->nodes[node - 1];

		if (before(ids, node - 1, id, index)) {
			*low = node;
			low = &n->right;
			node = *low;
		} else {
			*high = node;
			high = &n->left;
			node = *high;
		}
	}
	*low = *high = 0;
}

/* Joins two trees of which all of low comes before all of high. */
static void join(struct name_index *ix, uint32_t low, uint32_t high, uint32_t *out)
{
	while (low && high) {
		if (weight(ix, low) > weight(ix, high)) {
			*out = low;
			out = &ix->nodes[low - 1].right;
			low = *out;
		} else {
			*out = high;
			out = &ix->nodes[high - 1].left;
			high = *out;
		}
	}
	*out = low ? low : high;
}

bool name_index_add(struct name_index *ix, const uint32_t *ids, size_t index)
{
	const uint32_t node = (uint32_t)index + 1;
	uint32_t *at = &ix->root;

	if (!TDAT_GROW(ix->nodes, &ix->cap, index + 1))
		return false;
	/*
	 * Descends to where the new node's weight puts it, and hangs both halves of that tree below
	 * it.
	 */
	while (*at && weight(ix, *at) > weight(ix, node))
		at = before(ids, *at - 1, ids[index], index) ? &ix->nodes[*at - 1].right
							     : &ix->nodes[*at - 1].left;
	split(ix, ids, *at, ids[index], index, &ix->nodes[index].left, &ix->nodes[index].right);
	*at = node;
	return true;
}

void name_index_remove(struct name_index *ix, const uint32_t *ids, size_t index)
{
	const uint32_t node = (uint32_t)index + 1;
	uint32_t *at = &ix->root;

	while (*at && *at != node)
		at = before(ids, *at - 1, ids[index], index) ? &ix->nodes[*at - 1].right
							     : &ix->nodes[*at - 1].left;
	if (*at)
		join(ix, ix->nodes[index].left, ix->nodes[index].right, at);
}

/* Adds the names one by one; the index is made once, when a stack first becomes deep. */
bool name_index_make(struct name_index *ix, const uint32_t *ids, size_t count)
{
	struct name_index made = {.seed = tdat_hash_seed()};
	size_t i;

	for (i = 0; i < count; i++) {
		if (!name_index_add(&made, ids, i)) {
			name_index_fini(&made);
			return false;
		}
	}
	*ix = made;
	return true;
}

void name_index_fini(struct name_index *ix)
{
	free(ix->nodes);
	*ix = (struct name_index){0};
}

/* (id, 0) comes before every name with that id, so the walk ends at its first index. */
size_t name_index_find(const struct name_index *ix, const uint32_t *ids, uint32_t id, size_t count)
{
	size_t found = count;
	uint32_t node = ix->root;

	while (node) {
		if (before(ids, node - 1, id, 0)) {
			node = ix->nodes[node - 1].right;
		} else {
			if (ids[node - 1] == id)
				found = node - 1;
			node = ix->nodes[node - 1].left;
		}
	}
	return found;
}
