/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inflates the chunk behind the one that a stream reads, on a thread that would wait otherwise.
 * Only a sound chunk is inflated ahead: one that fails in any way is left to the stream, which
 * reports the damage.
 */
#ifndef TDAT_READ_AHEAD_H
#define TDAT_READ_AHEAD_H

#include <stdatomic.h>

#include "dat/chunk.h"
#include "block.h"

/* The thread that changes WANTED to BUSY owns the other members until it sets another state. */
enum { READ_AHEAD_NONE, READ_AHEAD_WANTED, READ_AHEAD_BUSY, READ_AHEAD_READY };

/* All zero: nothing is wanted. */
struct read_ahead {
	atomic_int state;
	struct dat_chunks chunks; /* WANTED: before the chunk, READY: behind it */
	struct read_block *block; /* READY */
};

/*
 * Called by the stream, after read_ahead_take: from now on a thread may inflate the chunk that
 * follows the current one of chunks.
 */
void read_ahead_want(struct read_ahead *ahead, const struct dat_chunks *chunks);

/*
 * Called by any thread: inflates the chunk that is wanted, if one is; false: none was. The
 * inflater belongs to that thread.
 */
bool read_ahead_run(struct read_ahead *ahead, struct dat_inflater *inflater);

/*
 * Called by the stream: returns the block that was inflated, which is the caller's then, and
 * ahead->chunks is behind its chunk; or NULL. It waits for a thread that is inflating; none
 * does afterwards.
 */
struct read_block *read_ahead_take(struct read_ahead *ahead);

#endif
