/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the references to blocks of ring-buffer pages, and frees them. Events point into
 * blocks. A block may be memory of its own, bytes of the source, or a mapped window, which is
 * unmapped with the last reference. Counting is atomic, as batches hold blocks on several
 * threads.
 */
#include "block.h"

#include <stdlib.h>

/*
 * Returns a block with one reference. len 0: the caller sets data to bytes that it borrows. NULL:
 * no memory.
 */
struct read_block *read_block_new(size_t len)
{
	struct read_block *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	atomic_init(&b->refs, 1);
	if (len) {
		b->own = malloc(len);
		if (!b->own) {
			free(b);
			return NULL;
		}
		b->cap = len;
		b->data = b->own;
	}
	return b;
}

void read_block_ref(struct read_block *b)
{
	atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
}

/*
 * Drops a reference; the last one frees the block. acq_rel: bytes that other threads read are not
 * freed before they have read them.
 */
void read_block_put(struct read_block *b)
{
	if (!b || atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
		return;
	tdat_window_unmap(&b->window);
	free(b->own);
	free(b);
}
