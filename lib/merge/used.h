/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the events of one input need of its tables of names. */
#ifndef TDAT_MERGE_USED_H
#define TDAT_MERGE_USED_H

#include <tdat/base.h>

#include "../write/comms.h"

/* A symbol that was looked up, or an address that none is for. */
struct merge_symbol {
	uint64_t start;          /* of the symbol; the address itself without one */
	uint64_t most;           /* the highest address looked up */
	bool missing, taken;
	struct tdat_span exact;  /* name for start itself; ptr NULL: not asked for */
	struct tdat_span inside; /* name for addresses behind start; they may differ */
};

/* A symbol whose address print formats name. */
struct merge_named {
	uint64_t addr;
	struct tdat_span name;
};

struct merge_used {
	bool known;                   /* the input was surveyed */
	bool failed;                  /* no memory */
	struct merge_symbol *symbols; /* a hash table by start */
	size_t symbol_count, symbol_cap;
	struct merge_named *named;    /* each once */
	size_t named_count;
	struct write_comms comms;     /* by pid, as its events show them at last */
};

/* The type of a watcher of lookups: ctx is the struct merge_used. */
void merge_used_symbol(void *ctx, uint64_t addr, struct tdat_span name, uint64_t start,
		       bool by_name);
void merge_used_fini(struct merge_used *used);

#endif
