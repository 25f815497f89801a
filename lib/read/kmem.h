/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the table of sums of tdat/kmem.h, by place or by cache, which is of bounded size. */
#ifndef READ_KMEM_H
#define READ_KMEM_H

#include <tdat/kmem.h>

#include "core/map.h"

struct kmem_rows {
	struct tdat_kmem_row *rows; /* row 0 is the sum of those that are not kept */
	uint32_t count;
	size_t cap;
	struct tdat_map map; /* of all but row 0 */
};

void kmem_rows_fini(struct kmem_rows *r);
/* The row of a call site and kind, or (name not empty) of a cache; made when it is new. */
enum tdat_status kmem_rows_find(struct kmem_rows *r, uint64_t call_site, enum tdat_kmem_kind kind,
				struct tdat_span name, uint32_t *row, struct tdat_error *err);
/* Sorts the rows for the getters of tdat/kmem.h; kmem_rows_find must not be called afterwards. */
void kmem_rows_sort(struct kmem_rows *r);

#endif
