/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what the events of one input look up in its tables of names. */
#ifndef TDAT_MERGE_USED_H
#define TDAT_MERGE_USED_H

#include <tdat/base.h>

#include "write/comms.h"
#include "core/map.h"

/* An address that was looked up, and the symbol it lies in. */
struct merge_symbol {
	uint64_t addr;
	uint64_t start;
	struct tdat_span name; /* ptr NULL: there is none */
};

/* A symbol whose address print formats name. */
struct merge_named {
	uint64_t addr;
	struct tdat_span name;
};

struct merge_used {
	bool known;		      /* the input was surveyed */
	bool failed;		      /* no memory */
	struct merge_symbol *symbols; /* each address once */
	size_t symbol_count, symbol_cap;
	struct merge_named *named; /* each once, in the order of their first look-up */
	size_t named_count, named_room;
	struct tdat_map by_addr, by_name;
	struct write_comms comms; /* by pid, as its events show them at last */
};

/* A model_symbols_lookup_fn that adds each look-up to ctx, which is a struct merge_used. */
void merge_used_symbol(void *ctx, uint64_t addr, struct tdat_span name, uint64_t start,
		       bool by_name);
void merge_used_fini(struct merge_used *used);

#endif
