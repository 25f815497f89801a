/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a cache of names of addresses that were looked up lately, which saves a search in the
 * table of symbols. It belongs to one thread, and the symbols must outlive it.
 */
#ifndef TDAT_MODEL_SYMBOL_CACHE_H
#define TDAT_MODEL_SYMBOL_CACHE_H

#include "symbols.h"

enum { MODEL_SYMBOL_SLOT_BITS = 12 };

struct model_symbol_slot {
	const struct model_symbols *symbols;
	uint64_t addr, start;
	struct tdat_span name; /* ptr NULL: there is none */
};

/* All zero: empty. */
struct model_symbol_cache {
	struct model_symbol_slot slots[1 << MODEL_SYMBOL_SLOT_BITS];
};

/* Does what model_symbols_find does, by way of the cache unless that is NULL. */
static inline struct tdat_span model_symbol_cache_find(struct model_symbol_cache *cache,
						       const struct model_symbols *symbols,
						       uint64_t addr, uint64_t *start)
{
	const uint64_t hash = addr * UINT64_C(0x9e3779b97f4a7c15);
	struct model_symbol_slot *slot;

	if (!cache || !symbols)
		return model_symbols_find(symbols, addr, start);
	slot = &cache->slots[hash >> (64 - MODEL_SYMBOL_SLOT_BITS)];
	if (slot->addr != addr || slot->symbols != symbols) {
		slot->symbols = symbols;
		slot->addr = addr;
		slot->name = model_symbols_find(symbols, addr, &slot->start);
	}
	if (start)
		*start = slot->start;
	return slot->name;
}

#endif
