/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Entries that are nearly in order of time are put in order with bounded memory. */
#ifndef TDAT_IMPORT_KTR_REORDER_H
#define TDAT_IMPORT_KTR_REORDER_H

#include <tdat/source.h>

/* All zero: none. The least time of each block of entries; after end, of it and all that follow. */
struct ktr_blocks {
	uint64_t *least;
	size_t count, cap;
	uint64_t used;
	bool failed; /* there was no memory */
};

void ktr_blocks_fini(struct ktr_blocks *b);
void ktr_blocks_add(struct ktr_blocks *b, uint64_t ts);
/* False: no memory. */
bool ktr_blocks_end(struct ktr_blocks *b);

struct ktr_reorder;
typedef enum tdat_status (*ktr_reorder_fn)(void *ctx, uint64_t ts, uint32_t cpu,
					   struct tdat_span raw, struct tdat_error *err);

/* fn gets every entry in order of time, CPU and reading. */
enum tdat_status ktr_reorder_new(struct ktr_reorder **out, const struct ktr_blocks *blocks,
				 size_t entry_len, ktr_reorder_fn fn, void *ctx,
				 struct tdat_error *err);
void ktr_reorder_free(struct ktr_reorder *r);
enum tdat_status ktr_reorder_add(struct ktr_reorder *r, uint64_t ts, uint32_t cpu,
				 const uint8_t *raw, struct tdat_error *err);
enum tdat_status ktr_reorder_end(struct ktr_reorder *r, struct tdat_error *err);

#endif
