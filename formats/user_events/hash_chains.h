/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds items by a keyed hash of what they are called: chains in a table that grows with them. */
#ifndef FORMATS_USER_EVENTS_HASH_CHAINS_H
#define FORMATS_USER_EVENTS_HASH_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_link {
	uint64_t hash;
	uint32_t item;
	uint32_t next; /* number of the next link of the chain, from 1; 0: none */
};

struct hash_chains {
	uint32_t *heads; /* numbers of links, from 1 */
	size_t head_count;
	struct hash_link *links;
	size_t count, cap;
};

void hash_chains_fini(struct hash_chains *x);

/* False: no memory. */
bool hash_chains_add(struct hash_chains *x, uint64_t hash, uint32_t item);

/* Takes an item out; its place is not used again. */
void hash_chains_remove(struct hash_chains *x, uint64_t hash, uint32_t item);

/* The first link with that hash, and the next one behind a link; NULL: there is none. */
const struct hash_link *hash_chains_first(const struct hash_chains *x, uint64_t hash);
const struct hash_link *hash_chains_next(const struct hash_chains *x, const struct hash_link *link);

#endif
