/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The chunk behind the one that a stream reads, inflated by a thread that has nothing
 * better to do. Only a chunk that is as it should be: all else is left to the stream.
 */
#ifndef TDAT_READ_AHEAD_H
#define TDAT_READ_AHEAD_H

#include <stdatomic.h>

#include "dat/chunk.h"
#include "block.h"

/* Whoever changes WANTED owns the rest until it puts another state. */
enum { READ_AHEAD_NONE, READ_AHEAD_WANTED, READ_AHEAD_BUSY, READ_AHEAD_READY };

/* All zero: nothing is wanted. */
struct read_ahead {
	atomic_int state;
	struct dat_chunks chunks; /* WANTED: before the chunk, READY: behind it */
	struct read_block *block; /* READY */
};

/* The stream, after take: the chunk that follows where chunks stands may be inflated. */
void read_ahead_want(struct read_ahead *ahead, const struct dat_chunks *chunks);

/*
 * Any thread: inflates what is wanted. False: there was nothing to do. The memory of
 * inflater is the thread's own.
 */
bool read_ahead_run(struct read_ahead *ahead, struct dat_inflater *inflater);

/*
 * The stream: what was inflated, the caller's, and ahead->chunks stands behind it; or
 * NULL. Nobody works on it afterwards.
 */
struct read_block *read_ahead_take(struct read_ahead *ahead);

#endif
