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

struct model_symbol_sized {
	const struct model_symbols *symbols;
	uint64_t addr;
	struct model_symbol symbol; /* name.ptr NULL: there is none */
};

/* All zero: empty. */
struct model_symbol_cache {
	struct model_symbol_slot slots[1 << MODEL_SYMBOL_SLOT_BITS];
	struct model_symbol_sized sized[1 << MODEL_SYMBOL_SLOT_BITS];
};

/* The symbol that model_symbols_lookup finds, whose name's ptr is NULL for none. */
static inline const struct model_symbol *model_symbol_cache_get(struct model_symbol_cache *cache,
								const struct model_symbols *symbols,
								uint64_t addr)
{
	const uint64_t hash = addr * UINT64_C(0x9e3779b97f4a7c15);
	struct model_symbol_sized *slot = &cache->sized[hash >> (64 - MODEL_SYMBOL_SLOT_BITS)];

	if (slot->addr != addr || slot->symbols != symbols) {
		slot->symbols = symbols;
		slot->addr = addr;
		if (!model_symbols_lookup(symbols, addr, &slot->symbol))
			slot->symbol.name = (struct tdat_span){NULL, 0};
	}
	return &slot->symbol;
}

/* Does what model_symbols_lookup does, by way of the cache unless that is NULL. */
static inline bool model_symbol_cache_lookup(struct model_symbol_cache *cache,
					     const struct model_symbols *symbols, uint64_t addr,
					     struct model_symbol *out)
{
	if (!cache || !symbols)
		return model_symbols_lookup(symbols, addr, out);
	*out = *model_symbol_cache_get(cache, symbols, addr);
	return out->name.ptr;
}

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
