/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds columns by name, without regard to the case of ASCII letters. */
#include "column_names.h"

#include <stdlib.h>
#include <string.h>

#include "schema.h"

enum { FIRST_CAP = 64 };

static uint8_t lower(char c)
{
	return (uint8_t)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool same(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static size_t hash(const struct table_column_names *n, const char *name)
{
	uint64_t h = 0;

	while (*name) {
		uint8_t piece[64];
		size_t len = 0;

		while (len < sizeof(piece) && *name)
			piece[len++] = lower(*name++);
		h = tdat_hash_pair(n->seed, h, tdat_hash_bytes(n->seed, piece, len));
	}
	return (size_t)h;
}

static void put(struct table_column_names *n, const char *name, size_t index)
{
	size_t i = hash(n, name) & (n->cap - 1);

	while (n->slots[i])
		i = (i + 1) & (n->cap - 1);
	n->slots[i] = (uint32_t)index + 1;
}

/* At least half of the slots stay empty. */
static bool grow(struct table_column_names *n, const struct table_column *columns)
{
	const size_t cap = n->cap ? n->cap * 2 : FIRST_CAP, old_cap = n->cap;
	uint32_t *slots, *old = n->slots;

	if (2 * (n->count + 1) <= n->cap)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	if (!old)
		n->seed = tdat_hash_seed();
	n->slots = slots;
	n->cap = cap;
	for (size_t i = 0; i < old_cap; i++)
		if (old[i])
			put(n, columns[old[i] - 1].name, old[i] - 1);
	free(old);
	return true;
}

bool table_column_names_add(struct table_column_names *n, const struct table_column *columns,
			    size_t index)
{
	if (!grow(n, columns))
		return false;
	put(n, columns[index].name, index);
	n->count++;
	return true;
}

size_t table_column_names_find(const struct table_column_names *n,
			       const struct table_column *columns, const char *name)
{
	size_t i;

	if (!n->cap)
		return SIZE_MAX;
	i = hash(n, name) & (n->cap - 1);
	for (; n->slots[i]; i = (i + 1) & (n->cap - 1))
		if (same(columns[n->slots[i] - 1].name, name))
			return n->slots[i] - 1;
	return SIZE_MAX;
}

void table_column_names_fini(struct table_column_names *n)
{
	free(n->slots);
}
