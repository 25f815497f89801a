/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds items by a keyed hash of what they are called. */
#include "hash_chains.h"

#include <stdlib.h>

#include "core/grow.h"

enum { HEADS_LEAST = 64 };

void hash_chains_fini(struct hash_chains *x)
{
	free(x->heads);
	free(x->links);
	*x = (struct hash_chains){.heads = NULL};
}

static uint32_t *head_of(const struct hash_chains *x, uint64_t hash)
{
	return &x->heads[hash & (x->head_count - 1)];
}

/* Makes the table as large as there are links, once it is full. */
static bool grow_heads(struct hash_chains *x)
{
	const size_t count = x->head_count ? x->head_count * 2 : HEADS_LEAST;
	uint32_t *heads;

	if (x->count < x->head_count)
		return true;
	heads = calloc(count, sizeof(*heads));
	if (!heads)
		return false;
	free(x->heads);
	x->heads = heads;
	x->head_count = count;
	for (size_t i = 0; i < x->count; i++) {
		uint32_t *head = head_of(x, x->links[i].hash);

		if (x->links[i].item == UINT32_MAX)
			continue;
		x->links[i].next = *head;
		*head = (uint32_t)i + 1;
	}
	return true;
}

bool hash_chains_add(struct hash_chains *x, uint64_t hash, uint32_t item)
{
	struct hash_link *links;
	uint32_t *head;

	if (!grow_heads(x))
		return false;
	links = tdat_grown(x->links, &x->cap, x->count + 1, sizeof(*links));
	if (!links)
		return false;
	x->links = links;
	head = head_of(x, hash);
	links[x->count] = (struct hash_link){hash, item, *head};
	*head = (uint32_t)++x->count;
	return true;
}

void hash_chains_remove(struct hash_chains *x, uint64_t hash, uint32_t item)
{
	uint32_t *at = x->head_count ? head_of(x, hash) : NULL;

	for (; at && *at; at = &x->links[*at - 1].next) {
		struct hash_link *link = &x->links[*at - 1];

		if (link->hash != hash || link->item != item)
			continue;
		*at = link->next;
		link->item = UINT32_MAX;
		return;
	}
}

static const struct hash_link *same_from(const struct hash_chains *x, uint32_t number,
					 uint64_t hash)
{
	while (number && x->links[number - 1].hash != hash)
		number = x->links[number - 1].next;
	return number ? &x->links[number - 1] : NULL;
}

const struct hash_link *hash_chains_first(const struct hash_chains *x, uint64_t hash)
{
	return x->head_count ? same_from(x, *head_of(x, hash), hash) : NULL;
}

const struct hash_link *hash_chains_next(const struct hash_chains *x, const struct hash_link *link)
{
	return same_from(x, link->next, link->hash);
}
