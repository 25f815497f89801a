/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds stacks to a tree. A node is found by its parent and name: the node found before, else a
 * keyed hash. Nodes and bytes of names are bounded (2^21 nodes); what has no room is counted
 * and reported. Weights are summed up once at the end.
 */
#include "flame_tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/text.h"
#include "core/utf8.h"

/* ---- names ---- */

/* Control characters would end a line of folded text, as ';' would a name. */
static void put_clean(struct tdat_build *b, struct tdat_span text)
{
	while (text.len) {
		uint32_t code;
		const size_t n = tdat_utf8_len(text.ptr, text.len, &code);

		if (!n || code < 0x20 || (code >= 0x7f && code < 0xa0) || tdat_utf8_is_hidden(code))
			tdat_build_u8(b, '?');
		else if (code == ';')
			tdat_build_u8(b, ':');
		else
			tdat_build_bytes(b, text.ptr, n);
		text = tdat_span_from(text, n ? n : 1);
	}
}

/* Names are stored with a NUL, hence one byte more. */
static bool is_name(const struct flame_tree *t, uint32_t number, struct tdat_span text)
{
	const struct tdat_span had = tdat_byte_set_get(&t->names, number);

	return had.len == text.len + 1 && !memcmp(had.ptr, text.ptr, text.len);
}

/* The number of a name; 0: memory ran out, or the name is new and there is no room for it. */
static uint32_t intern(struct flame_tree *t, struct tdat_span text)
{
	struct tdat_build *b = &t->name;
	uint32_t number;
	bool fresh;

	/* Nearly all names are clean, and were met before. */
	b->len = 0;
	tdat_build_bytes(b, text.ptr, text.len);
	tdat_build_u8(b, '\0');
	number = b->failed ? 0 : tdat_byte_set_find(&t->names, b->ptr, b->len);
	if (number)
		return number;
	if (t->count >= FLAME_NODES || text.len > FLAME_NAMES_LEN ||
	    t->names.bytes.len > FLAME_NAMES_LEN - text.len) {
		t->full = true;
		return 0;
	}
	b->len = 0;
	put_clean(b, text);
	tdat_build_u8(b, '\0');
	return b->failed ? 0 : tdat_byte_set_add(&t->names, b->ptr, b->len, &fresh);
}

/* ---- nodes ---- */

/* Finds or makes a child. recent holds the child that the last stack took. */
uint32_t flame_tree_child(struct flame_tree *t, uint32_t parent, struct tdat_span text)
{
	const uint32_t recent = t->nodes[parent].recent;
	struct tdat_flame_node *nodes;
	uint32_t name, i;
	uint64_t hash;

	/* Most stacks begin as the one before. */
	if (recent && is_name(t, t->nodes[recent].name, text))
		return recent;
	name = intern(t, text);
	nodes = name && tdat_map_reserve(&t->by_parent)
			? tdat_grown(t->nodes, &t->cap, t->count + 1, sizeof(*nodes))
			: NULL;
	if (!nodes)
		return 0;
	t->nodes = nodes;
	hash = tdat_hash_pair(t->by_parent.seed, parent, name);
	TDAT_MAP_FIND(i, &t->by_parent, hash, nodes[i].parent == parent && nodes[i].name == name);
	if (i != TDAT_MAP_NONE)
		return nodes[parent].recent = i;
	if (t->count >= FLAME_NODES) {
		t->full = true;
		return 0;
	}
	nodes[t->count] = (struct tdat_flame_node){.name = name,
						   .parent = parent,
						   .next = nodes[parent].child,
						   .depth = nodes[parent].depth + 1};
	tdat_map_put(&t->by_parent, hash, t->count);
	nodes[parent].child = nodes[parent].recent = (uint32_t)t->count;
	return (uint32_t)t->count++;
}

/* ---- the whole ---- */

/* Makes the root, whose name is empty. False: no memory. */
bool flame_tree_init(struct flame_tree *t)
{
	*t = (struct flame_tree){.count = 0};
	tdat_byte_set_init(&t->names);
	tdat_build_init(&t->name, false);
	t->nodes = tdat_grown(NULL, &t->cap, 1, sizeof(*t->nodes));
	if (!t->nodes)
		return false;
	t->nodes[0] = (struct tdat_flame_node){.name = intern(t, (struct tdat_span){NULL, 0})};
	t->count = 1;
	return t->nodes[0].name;
}

void flame_tree_fini(struct flame_tree *t)
{
	free(t->nodes);
	tdat_map_fini(&t->by_parent);
	tdat_byte_set_fini(&t->names);
	tdat_build_fini(&t->name);
}

/* A child while its siblings are sorted. */
struct sibling {
	const char *name;
	uint32_t node;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sibling *)a)->name, ((const struct sibling *)b)->name);
}

/* Sorts the children of a node by name, so that output does not depend on the order of rows. */
static void sort_children(struct flame_tree *t, uint32_t parent, struct sibling *room)
{
	size_t n = 0;
	uint32_t *link = &t->nodes[parent].child;

	for (uint32_t i = *link; i; i = t->nodes[i].next)
		room[n++] = (struct sibling){flame_tree_name(t, i), i};
	if (n)
		qsort(room, n, sizeof(*room), by_name);
	for (size_t i = 0; i < n; i++) {
		*link = room[i].node;
		link = &t->nodes[room[i].node].next;
	}
	*link = 0;
}

bool flame_tree_finish(struct flame_tree *t)
{
	struct sibling *room = calloc(t->count, sizeof(*room));

	if (!room)
		return false;
	for (size_t i = 0; i < t->count; i++)
		t->nodes[i].total = t->nodes[i].self;
	/*
	 * Each node was made after its parent, so that its own total is complete when it is added
	 * there.
	 */
	for (size_t i = t->count - 1; i; i--)
		t->nodes[t->nodes[i].parent].total += t->nodes[i].total;
	for (uint32_t i = 0; i < t->count; i++)
		sort_children(t, i, room);
	free(room);
	return true;
}
