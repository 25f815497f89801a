/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a block: ring-buffer pages in memory that were read, inflated or mapped, or that the
 * source lends. References to it are counted, because threads print records after the stream that
 * read them has gone on.
 */
#ifndef TDAT_READ_BLOCK_H
#define TDAT_READ_BLOCK_H

#include <stdatomic.h>

#include "core/source_window.h"

struct read_block {
	atomic_uint refs;
	struct tdat_window window; /* of the file, that data points into, or nothing */
	uint64_t off;		   /* in the file, of data[0] (chunk: of its header) */
	const uint8_t *data;
	size_t len;
	struct read_block *next; /* for a list of the holder */
	uint8_t *own;
	size_t cap;
};

/* A block with room for len own bytes (0: none), one reference; NULL without memory. */
struct read_block *read_block_new(size_t len);
void read_block_ref(struct read_block *b);
void read_block_put(struct read_block *b);

#endif
