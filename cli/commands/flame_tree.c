/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds stacks to a tree. */
#include "commands/flame_tree.h"

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

static size_t name_slot(const struct flame_tree *t, struct tdat_span name)
{
	size_t i = (size_t)tdat_hash_bytes(t->seed, name.ptr, name.len) & (t->name_cap - 1);

	while (t->name_slots[i] && !is_name(t, t->name_slots[i], name))
		i = (i + 1) & (t->name_cap - 1);
	return i;
}

static bool grow_names(struct flame_tree *t)
{
	const size_t cap = t->name_cap ? t->name_cap * 2 : 256, had = t->name_cap;
	uint32_t *slots, *old = t->name_slots;

	if (had && 2 * (t->name_count + 1) <= had)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	t->name_slots = slots;
	t->name_cap = cap;
	for (size_t i = 0; i < had; i++)
		if (old[i])
			slots[name_slot(t, name_at(t, old[i]))] = old[i];
	free(old);
	return true;
}

/* The offset of a name; 0 without memory, and of a new one for which there is no room. */
static uint32_t intern(struct flame_tree *t, struct tdat_span text)
{
	const size_t had = t->names.len;
	size_t slot, start;

	if (!grow_names(t))
		return 0;
	/* Nearly all names are clean, and were met before. */
	slot = text.len ? name_slot(t, text) : 0;
	if (text.len && t->name_slots[slot])
		return t->name_slots[slot];
	if (t->count >= FLAME_NODES || text.len > FLAME_NAMES_LEN ||
	    had > FLAME_NAMES_LEN - text.len)
		return 0;
	start = put_name(t, text);
	if (t->names.failed)
		return 0;
	slot = name_slot(t, name_at(t, start));
	if (t->name_slots[slot]) {
		t->names.len = had;
	} else {
		t->name_slots[slot] = (uint32_t)start;
		t->name_count++;
	}
	return t->name_slots[slot];
}

/* ---- nodes ---- */

static size_t node_slot(const struct flame_tree *t, uint32_t parent, uint32_t name)
{
	size_t i = (size_t)tdat_hash_pair(t->seed, parent, name) & (t->slot_cap - 1);

	for (; t->slots[i]; i = (i + 1) & (t->slot_cap - 1)) {
		const struct flame_node *n = &t->nodes[t->slots[i]];

		if (n->parent == parent && n->name == name)
			break;
	}
	return i;
}

static bool grow_nodes(struct flame_tree *t)
{
	const size_t cap = t->slot_cap ? t->slot_cap * 2 : 256;
	struct flame_node *grown = tdat_grown(t->nodes, &t->cap, t->count + 1, sizeof(*grown));
	uint32_t *slots;

	if (!grown)
		return false;
	t->nodes = grown;
	if (t->slot_cap && 2 * (t->count + 1) <= t->slot_cap)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	free(t->slots);
	t->slots = slots;
	t->slot_cap = cap;
	for (uint32_t i = 1; i < t->count; i++)
		t->slots[node_slot(t, t->nodes[i].parent, t->nodes[i].name)] = i;
	return true;
}

uint32_t flame_tree_child(struct flame_tree *t, uint32_t parent, struct tdat_span text)
{
	const uint32_t recent = t->nodes[parent].recent;
	uint32_t name;
	size_t slot;

	/* Most stacks begin as the one before. */
	if (recent && is_name(t, t->nodes[recent].name, text))
		return recent;
	name = intern(t, text);
	if (!name || !grow_nodes(t))
		return 0;
	slot = node_slot(t, parent, name);
	if (t->slots[slot])
		return t->nodes[parent].recent = t->slots[slot];
	if (t->count >= FLAME_NODES)
		return 0;
	t->nodes[t->count] = (struct flame_node){.name = name,
						 .parent = parent,
						 .next = t->nodes[parent].child,
						 .depth = t->nodes[parent].depth + 1};
	t->nodes[parent].child = (uint32_t)t->count;
	t->nodes[parent].recent = (uint32_t)t->count;
	t->slots[slot] = (uint32_t)t->count;
	return (uint32_t)t->count++;
}

/* ---- the whole ---- */

bool flame_tree_init(struct flame_tree *t)
{
	*t = (struct flame_tree){.seed = tdat_hash_seed()};
	tdat_build_init(&t->names, false);
	t->nodes = tdat_grown(NULL, &t->cap, 1, sizeof(*t->nodes));
	if (!t->nodes)
		return false;
	t->nodes[0] =
		(struct flame_node){.name = (uint32_t)put_name(t, (struct tdat_span){NULL, 0})};
	if (t->names.failed)
		return false;
	t->count = 1;
	return true;
}

void flame_tree_fini(struct flame_tree *t)
{
	free(t->nodes);
	free(t->slots);
	free(t->name_slots);
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
