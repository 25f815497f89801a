/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the different sequence numbers of all CPUs, whichever thread reads them. Each thread
 * collects bits of a piece and adds it at the end, so that missing numbers are known without a
 * merge. The set is bounded; beyond that the merge counts.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kmemtrace.h"

/* One bit per sequence number from min on. */
struct kmem_seq_set {
	pthread_mutex_t lock;
	int64_t min;
	size_t words;
	uint64_t bits[];
};

/*
 * Makes a set for min to max. NULL: the range is too wide or there is no memory; the merge counts
 * then.
 */
struct kmem_seq_set *kmem_seq_set_new(int64_t min, int64_t max)
{
	const uint64_t pieces = ((uint64_t)max - (uint64_t)min) / KMEM_SEQ_PIECE + 1;
	struct kmem_seq_set *set;

	if (pieces > KMEM_SEQ_SET_LEN / (KMEM_SEQ_PIECE / 8))
		return NULL;
	set = calloc(1, sizeof(*set) + (size_t)pieces * (KMEM_SEQ_PIECE / 8));
	if (!set)
		return NULL;
	if (pthread_mutex_init(&set->lock, NULL)) {
		free(set);
		return NULL;
	}
	set->min = min;
	set->words = (size_t)pieces * (KMEM_SEQ_PIECE / 64);
	return set;
}

void kmem_seq_set_free(struct kmem_seq_set *set)
{
	if (!set)
		return;
	pthread_mutex_destroy(&set->lock);
	free(set);
}

uint64_t kmem_seq_set_count(const struct kmem_seq_set *set)
{
	uint64_t n = 0;

	for (size_t i = 0; i < set->words; i++)
		n += (uint64_t)__builtin_popcountll(set->bits[i]);
	return n;
}

/* Begins a piece of the thread's own at the start of the set. */
void kmem_seq_piece_init(struct kmem_seq_piece *p, struct kmem_seq_set *set)
{
	memset(p, 0, sizeof(*p));
	p->set = set;
	p->first = set->min;
}

/* Adds a piece to the set, and moves it to the block that holds next. */
void kmem_seq_piece_flush(struct kmem_seq_piece *p, int64_t next)
{
	struct kmem_seq_set *set = p->set;
	const uint64_t from = ((uint64_t)p->first - (uint64_t)set->min) / 64;
	const uint64_t off = (uint64_t)next - (uint64_t)set->min;

	/* Pieces of different threads may share a block, so bits are merged under the lock. */
	pthread_mutex_lock(&set->lock);
	for (size_t i = 0; i < KMEM_SEQ_PIECE / 64; i++)
		set->bits[from + i] |= p->bits[i];
	pthread_mutex_unlock(&set->lock);
	memset(p->bits, 0, sizeof(p->bits));
	p->first = (int64_t)((uint64_t)set->min + off / KMEM_SEQ_PIECE * KMEM_SEQ_PIECE);
}
