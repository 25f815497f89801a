/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inflates the chunk that a stream will need next, on a thread that has nothing else to do. A
 * stream says which chunk comes next; an idle thread of the pump inflates it, and the stream
 * takes the block when it gets there. A chunk that is not as it should be is left to the
 * stream, which reports it. Only chunks of at most 256 KiB are taken.
 */
#include "ahead.h"

#include <sched.h>

/* Larger chunks, which trace-cmd does not write, are inflated when their turn comes. */
enum { AHEAD_MOST = 256 * 1024 };

/*
 * Copies nothing that the stream owns: it walks a copy of the stream's place. NULL: the chunk is
 * large, damaged or the last; the stream then inflates it itself, and reports damage.
 */
static struct read_block *inflate_next(struct dat_chunks *c, struct dat_inflater *inflater)
{
	struct read_block *b;
	bool more;

	if (dat_chunks_next(c, &more, NULL) != TDAT_OK || !more || c->out_len > AHEAD_MOST)
		return NULL;
	/*
	 * One byte more, as load_chunk() in stream.c has it: a block has memory even if a chunk is
	 * empty.
	 */
	b = read_block_new((size_t)c->out_len + 1);
	if (!b)
		return NULL;
	b->off = c->chunk_off;
	b->len = c->out_len;
	if (dat_chunks_inflate(c, inflater, b->own, NULL) == TDAT_OK)
		return b;
	read_block_put(b);
	return NULL;
}

/* Called by the stream's thread when it begins a chunk: the one behind it is wanted. */
void read_ahead_want(struct read_ahead *ahead, const struct dat_chunks *chunks)
{
	if (!chunks->left)
		return;
	ahead->chunks = *chunks;
	atomic_store(&ahead->state, READ_AHEAD_WANTED);
}

/*
 * Called by an idle thread. The state passes WANTED -> BUSY -> READY; only the thread that made
 * the change to BUSY works. False: nothing was wanted.
 */
bool read_ahead_run(struct read_ahead *ahead, struct dat_inflater *inflater)
{
	int seen = READ_AHEAD_WANTED;

	if (atomic_load_explicit(&ahead->state, memory_order_relaxed) != seen ||
	    !atomic_compare_exchange_strong(&ahead->state, &seen, READ_AHEAD_BUSY))
		return false;
	ahead->block = inflate_next(&ahead->chunks, inflater);
	atomic_store(&ahead->state, ahead->block ? READ_AHEAD_READY : READ_AHEAD_NONE);
	return true;
}

/* Called by the stream's thread when it needs the chunk. NULL: it must inflate the chunk itself. */
struct read_block *read_ahead_take(struct read_ahead *ahead)
{
	int seen = READ_AHEAD_WANTED;
	struct read_block *b;

	/* Nobody has begun it: withdraw the wish. */
	if (atomic_compare_exchange_strong(&ahead->state, &seen, READ_AHEAD_NONE))
		return NULL;
	/* A chunk is nearly done by now: waiting is shorter than inflating it again. */
	while (seen == READ_AHEAD_BUSY) {
		sched_yield();
		seen = atomic_load(&ahead->state);
	}
	if (seen != READ_AHEAD_READY)
		return NULL;
	b = ahead->block;
	ahead->block = NULL;
	atomic_store(&ahead->state, READ_AHEAD_NONE);
	return b;
}
