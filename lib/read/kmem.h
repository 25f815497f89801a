/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the two tables of tdat/kmem.h, both of bounded size: live pointers, and sums. */
#ifndef READ_KMEM_H
#define READ_KMEM_H

#include <tdat/kmem.h>

#include "core/hash.h"

/* ---- kmem_live.c: pointers from their allocation to their free ---- */

struct kmem_live_slot {
	uint64_t ptr; /* 0: free slot; NULL is never followed */
	uint64_t bytes_req, bytes_alloc;
	uint32_t site; /* row in the table of sites */
	uint32_t cpu;
};

struct kmem_live {
	struct kmem_live_slot *slots; /* open addressing; slot_count is a power of two */
	size_t slot_count, used;
	struct tdat_hash_seed seed;
	uint64_t max;
};

enum tdat_status kmem_live_init(struct kmem_live *l, uint64_t max, struct tdat_error *err);
void kmem_live_fini(struct kmem_live *l);
/* Removes a pointer and sets *out to its slot; false when it is not in the table. */
bool kmem_live_take(struct kmem_live *l, uint64_t ptr, struct kmem_live_slot *out);
/* Adds a pointer that is not in the table. *full is set, and nothing added, if max are in it. */
enum tdat_status kmem_live_add(struct kmem_live *l, const struct kmem_live_slot *slot, bool *full,
			       struct tdat_error *err);

/* ---- kmem_rows.c: sums by place or by cache ---- */

struct kmem_rows {
	struct tdat_kmem_row *rows; /* row 0 is the sum of those that are not kept */
	uint32_t count, cap;
	uint32_t *index; /* of rows by hash, 0: none; index_count is a power of two */
	uint32_t index_count;
	struct tdat_hash_seed seed;
};

void kmem_rows_fini(struct kmem_rows *r);
/* The row of a call site and kind, or (name not empty) of a cache; made when it is new. */
enum tdat_status kmem_rows_find(struct kmem_rows *r, uint64_t call_site, enum tdat_kmem_kind kind,
				struct tdat_span name, uint32_t *row, struct tdat_error *err);
/* Sorts the rows for the getters of tdat/kmem.h; kmem_rows_find must not be called afterwards. */
void kmem_rows_sort(struct kmem_rows *r);

#endif
