/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of allocations by call site or by cache, of bounded number. */
#ifndef CLI_KMEM_ROWS_H
#define CLI_KMEM_ROWS_H

#include <tdat/base.h>

#include "core/map.h"

enum kmem_kind { KMEM_KMALLOC, KMEM_CACHE, KMEM_PAGES, KMEM_KINDS };
extern const char *const kmem_kind_names[KMEM_KINDS];

/* Allocations, and what became of them. */
struct kmem_sum {
	uint64_t allocs;
	uint64_t bytes_req, bytes_alloc; /* their difference is waste; it may be negative */
	uint64_t freed;			 /* of these allocations, those that were freed */
	uint64_t freed_elsewhere;	 /* of the freed ones, those freed on another CPU */
	uint64_t live_bytes;		 /* bytes given and not freed by the end */
};

/* The sums of a call site, or of a cache. */
struct kmem_row {
	uint64_t call_site; /* address of the code that allocated; 0 for a cache */
	const char *name;   /* name of the cache; NULL for a call site */
	enum kmem_kind kind;
	bool rest; /* the sum of all rows beyond the 131071 that are kept */
	struct kmem_sum sum;
};

struct kmem_rows {
	struct kmem_row *rows; /* the largest waste first; before they are sorted the rest is 0 */
	uint32_t count;
	size_t cap;
	struct tdat_map map; /* of all but the rest */
};

void kmem_rows_fini(struct kmem_rows *r);
/*
 * The sum of a call site and kind, or (name not empty) of a cache; made when it is new. NULL: no
 * memory.
 */
struct kmem_sum *kmem_rows_find(struct kmem_rows *r, uint64_t call_site, enum kmem_kind kind,
				struct tdat_span name);
/* Sorts the rows; kmem_rows_find must not be called afterwards. */
void kmem_rows_sort(struct kmem_rows *r);

#endif
