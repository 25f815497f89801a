/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers names in the order in which they first come. */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"
#include "tracks.h"

static size_t find_slot(const struct view_names *n, const char *text, size_t len)
{
	const size_t mask = n->slot_count - 1;
	size_t at = (size_t)tdat_hash_bytes(tdat_hash_seed(), text, len) & mask;

	for (; n->slots[at]; at = (at + 1) & mask) {
		const char *name = n->v[n->slots[at] - 1];

		if (strlen(name) == len && !memcmp(name, text, len))
			break;
	}
	return at;
}

static bool grow_slots(struct view_names *n)
{
	const size_t more = n->slot_count ? n->slot_count * 2 : 64;
	uint32_t *old = n->slots;

	if (n->slots && n->count + 1 < n->slot_count / 2)
		return true;
	n->slots = calloc(more, sizeof(*n->slots));
	if (!n->slots) {
		n->slots = old;
		return false;
	}
	free(old);
	n->slot_count = more;
	for (size_t i = 0; i < n->count; i++)
		n->slots[find_slot(n, n->v[i], strlen(n->v[i]))] = (uint32_t)i + 1;
	return true;
}

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

bool view_names_number(struct view_names *n, const char *text, size_t len, uint32_t *number)
{
	size_t slot;

	len = strnlen(len ? text : "", len);
	if (!grow_slots(n))
		return false;
	slot = find_slot(n, len ? text : "", len);
	if (!n->slots[slot]) {
		if (n->count == UINT32_MAX - 1 || !add(n, text, len))
			return false;
		n->slots[slot] = (uint32_t)n->count;
	}
	*number = n->slots[slot] - 1;
	n->counts[*number]++;
	return true;
}

void view_names_fini(struct view_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->v[i]);
	free(n->v);
	free(n->counts);
	free(n->slots);
}
