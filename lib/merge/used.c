/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the numbers and names that the events of one input look up, each once. Two keyed hash
 * tables, one by address and one by address and name, fill lists that merge_symbols.c sorts. A
 * failure of memory sets a flag, which the survey checks at the end.
 */
#include "used.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

void merge_used_fini(struct merge_used *used)
{
	free(used->symbols);
	free(used->named);
	tdat_map_fini(&used->by_addr);
	tdat_map_fini(&used->by_name);
	write_comms_fini(&used->comms);
}

static void add_named(struct merge_used *used, uint64_t addr, struct tdat_span name)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&used->by_name, used->named, &used->named_room)) {
		used->failed = true;
		return;
	}
	hash = tdat_hash_bytes(used->by_name.seed, name.ptr, name.len);
	hash = tdat_hash_pair(used->by_name.seed, hash, addr);
	TDAT_MAP_FIND(i, &used->by_name, hash,
		      used->named[i].addr == addr && tdat_span_same(used->named[i].name, name));
	if (i != TDAT_MAP_NONE)
		return;
	tdat_map_put(&used->by_name, hash, used->named_count);
	used->named[used->named_count++] = (struct merge_named){addr, name};
}

/* Called for each look-up of the table of symbols (model_symbols_on_lookup()). */
void merge_used_symbol(void *ctx, uint64_t addr, struct tdat_span name, uint64_t start,
		       bool by_name)
{
	struct merge_used *used = ctx;
	uint64_t hash;
	uint32_t i;

	if (by_name) {
		add_named(used, addr, name);
		return;
	}
	if (!TDAT_MAP_GROW(&used->by_addr, used->symbols, &used->symbol_cap)) {
		used->failed = true;
		return;
	}
	hash = tdat_hash_u64(used->by_addr.seed, addr);
	TDAT_MAP_FIND(i, &used->by_addr, hash, used->symbols[i].addr == addr);
	if (i != TDAT_MAP_NONE)
		return;
	tdat_map_put(&used->by_addr, hash, used->symbol_count);
	used->symbols[used->symbol_count++] = (struct merge_symbol){addr, start, name};
}
