/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tree of stacks: how much there was of each function called by those above it. */
#ifndef SUMMARY_FLAME_TREE_H
#define SUMMARY_FLAME_TREE_H

#include <tdat/summary.h>

#include "core/byte_set.h"

enum { FLAME_NODES = 1 << 21, FLAME_NAMES_LEN = 32 << 20 };

struct flame_tree {
	struct tdat_flame_node *nodes; /* [0] is the root */
	size_t count, cap;
	struct tdat_byte_set names; /* with a NUL behind each */
	struct tdat_build name;	    /* the one that is looked for */
	struct tdat_map by_parent;  /* nodes, by parent and name */
	bool full;		    /* a node or a name had no room */
	uint64_t stacks;	    /* how many were added */
	uint64_t dropped;	    /* weight of those for which there was no room */
};

bool flame_tree_init(struct flame_tree *t);
void flame_tree_fini(struct flame_tree *t);

/*
 * The node of a function called by that of parent, which is made if there is none: 0 when memory
 * ran out, or when full is set: there are FLAME_NODES, or their names have FLAME_NAMES_LEN bytes.
 * Bytes that are not text become '?', and ';' becomes ':'.
 */
uint32_t flame_tree_child(struct flame_tree *t, uint32_t parent, struct tdat_span name);

/* Sums up, and puts children in the order of their names. False: no memory. */
bool flame_tree_finish(struct flame_tree *t);

static inline const char *flame_tree_name(const struct flame_tree *t, uint32_t node)
{
	return (const char *)tdat_byte_set_get(&t->names, t->nodes[node].name).ptr;
}

#endif
