/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers names in the order in which they first come. A keyed hash with open addressing; texts
 * are copied into one buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "tracks.h"

/* Counts and names grow apart, so that a failure of one leaves the other whole. */
static bool add(struct view_names *n, const char *text, size_t len)
{
	char **v = tdat_grown(n->v, &n->cap, n->count + 1, sizeof(*v));
	uint64_t *counts;

	if (!v)
		return false;
	n->v = v;
	counts = tdat_grown(n->counts, &n->count_cap, n->count + 1, sizeof(*counts));
	if (!counts)
		return false;
	n->counts = counts;
	v[n->count] = malloc(len + 1);
	if (!v[n->count])
		return false;
	if (len)
		memcpy(v[n->count], text, len);
	v[n->count][len] = 0;
	counts[n->count++] = 0;
	return true;
}

/* A text ends at its first NUL, and at len. The count of a name is the number of calls for it. */
bool view_names_number(struct view_names *n, const char *text, size_t len, uint32_t *number)
{
	uint64_t hash;
	uint32_t i;

	len = strnlen(len ? text : "", len);
	if (!tdat_map_reserve(&n->map))
		return false;
	hash = tdat_hash_bytes(n->map.seed, len ? text : "", len);
	TDAT_MAP_FIND(i, &n->map, hash, !strncmp(n->v[i], len ? text : "", len) && !n->v[i][len]);
	if (i == TDAT_MAP_NONE) {
		i = (uint32_t)n->count;
		if (!add(n, text, len))
			return false;
		tdat_map_put(&n->map, hash, i);
	}
	*number = i;
	n->counts[i]++;
	return true;
}

void view_names_fini(struct view_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->v[i]);
	free(n->v);
	free(n->counts);
	tdat_map_fini(&n->map);
}
