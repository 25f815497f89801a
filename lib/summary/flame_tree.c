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
		text.ptr += n ? n : 1;
		text.len -= n ? n : 1;
	}
}

static struct tdat_span name_at(const struct flame_tree *t, size_t off)
{
	const uint8_t *name = t->names.ptr + off;
	uint32_t len;

	memcpy(&len, name - sizeof(len), sizeof(len));
	return (struct tdat_span){name, len};
}

static bool is_name(const struct flame_tree *t, size_t off, struct tdat_span text)
{
	const struct tdat_span had = name_at(t, off);

	return had.len == text.len && !memcmp(had.ptr, text.ptr, text.len);
}

/* Appends a text with its length before it, and a NUL behind. Returns the offset of the text. */
static size_t put_name(struct flame_tree *t, struct tdat_span text)
{
	struct tdat_build *b = &t->names;
	uint32_t len = 0;
	size_t start;

	tdat_build_bytes(b, &len, sizeof(len));
	start = b->len;
	put_clean(b, text);
	len = (uint32_t)(b->len - start);
	tdat_build_u8(b, '\0');
	if (!b->failed)
		memcpy(b->ptr + start - sizeof(len), &len, sizeof(len));
	return start;
}

/* The offset of a name, or TDAT_MAP_NONE. */
static uint32_t find_name(const struct flame_tree *t, struct tdat_span name)
{
	uint32_t off;

	TDAT_MAP_FIND(off, &t->by_text, tdat_hash_bytes(t->by_text.seed, name.ptr, name.len),
		      is_name(t, off, name));
	return off;
}

/* The offset of a name; 0 without memory, and of a new one for which there is no room. */
static uint32_t intern(struct flame_tree *t, struct tdat_span text)
{
	const size_t had = t->names.len;
	struct tdat_span name;
	uint32_t off;
	size_t start;

	if (!tdat_map_reserve(&t->by_text))
		return 0;
	/* Nearly all names are clean, and were met before. */
	off = text.len ? find_name(t, text) : TDAT_MAP_NONE;
	if (off != TDAT_MAP_NONE)
		return off;
	if (t->count >= FLAME_NODES || text.len > FLAME_NAMES_LEN ||
	    had > FLAME_NAMES_LEN - text.len)
		return 0;
	start = put_name(t, text);
	if (t->names.failed)
		return 0;
	name = name_at(t, start);
	off = find_name(t, name);
	if (off == TDAT_MAP_NONE) {
		off = (uint32_t)start;
		tdat_map_put(&t->by_text, tdat_hash_bytes(t->by_text.seed, name.ptr, name.len),
			     off);
	} else {
		t->names.len = had;
	}
	return off;
}

/* ---- nodes ---- */

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
	if (t->count >= FLAME_NODES)
		return 0;
	nodes[t->count] = (struct tdat_flame_node){.name = name,
						   .parent = parent,
						   .next = nodes[parent].child,
						   .depth = nodes[parent].depth + 1};
	tdat_map_put(&t->by_parent, hash, t->count);
	nodes[parent].child = nodes[parent].recent = (uint32_t)t->count;
	return (uint32_t)t->count++;
}

/* ---- the whole ---- */

bool flame_tree_init(struct flame_tree *t)
{
	*t = (struct flame_tree){.count = 0};
	tdat_build_init(&t->names, false);
	t->nodes = tdat_grown(NULL, &t->cap, 1, sizeof(*t->nodes));
	if (!t->nodes)
		return false;
	t->nodes[0] = (struct tdat_flame_node){
		.name = (uint32_t)put_name(t, (struct tdat_span){NULL, 0})};
	if (t->names.failed)
		return false;
	t->count = 1;
	return true;
}

void flame_tree_fini(struct flame_tree *t)
{
	free(t->nodes);
	tdat_map_fini(&t->by_parent);
	tdat_map_fini(&t->by_text);
	tdat_build_fini(&t->names);
}

struct sibling {
	const char *name;
	uint32_t node;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sibling *)a)->name, ((const struct sibling *)b)->name);
}

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
