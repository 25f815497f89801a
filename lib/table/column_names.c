/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds columns by name, without regard to the case of ASCII letters. A keyed hash with open
 * addressing finds the index of a name, so that a format with thousands of fields costs no
 * square. Used by schema.c.
 */
#include "column_names.h"

#include "column.h"

/* Locale-free: columns must not differ between machines. */
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

/*
 * Hashes in pieces of 64 bytes, so names of any length need no memory. It is keyed, so a crafted
 * file cannot force collisions.
 */
static uint64_t hash(const struct table_column_names *n, const char *name)
{
	uint64_t h = 0;

	while (*name) {
		uint8_t piece[64];
		size_t len = 0;

		while (len < sizeof(piece) && *name)
			piece[len++] = lower(*name++);
		h = tdat_hash_pair(n->map.seed, h, tdat_hash_bytes(n->map.seed, piece, len));
	}
	return h;
}

/* Adds the column at an index, after it got its name. False: no memory. */
bool table_column_names_add(struct table_column_names *n, const struct table_column *columns,
			    size_t index)
{
	if (!tdat_map_reserve(&n->map))
		return false;
	tdat_map_put(&n->map, hash(n, columns[index].name), index);
	return true;
}

/* Returns the index of the column, or SIZE_MAX. */
size_t table_column_names_find(const struct table_column_names *n,
			       const struct table_column *columns, const char *name)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &n->map, hash(n, name), same(columns[i].name, name));
	return i == TDAT_MAP_NONE ? SIZE_MAX : i;
}

void table_column_names_fini(struct table_column_names *n)
{
	tdat_map_fini(&n->map);
}
