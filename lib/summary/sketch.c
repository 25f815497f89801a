/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts values by block and range. Values are kept as places first, a block and a range in one
 * word; when the room for these is full, those of each block are counted and merged into the cells,
 * which are in order. Values come nearly in order of time, so most merges touch the last cells
 * only. The memory of all sketches is bounded by a pool. diff_take.c adds values, diff_test.c reads
 * cells.
 */
#include "sketch.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"

enum { FRESH_LEAST = 16, FRESH_MOST = 1024, CELLS_LEAST = 16 };

uint32_t sketch_range_of(int64_t value)
{
	const uint64_t v = value > 0 ? (uint64_t)value : 0;
	const uint32_t bits = 64 - (uint32_t)__builtin_clzll(v | 1);
	const uint32_t shift = bits > SKETCH_BITS + 1 ? bits - SKETCH_BITS - 1 : 0;

	return (shift << SKETCH_BITS) + (uint32_t)(v >> shift);
}

uint64_t sketch_first(uint32_t range)
{
	const uint32_t shift = range < 2u << SKETCH_BITS ? 0 : (range >> SKETCH_BITS) - 1;

	return (uint64_t)(range - (shift << SKETCH_BITS)) << shift;
}

/* ---- memory ---- */

/* Gives an array of the pool another number of elements. NULL: no room or no memory. */
static void *resized(struct sketch_pool *pool, void *old, size_t *cap, size_t count, size_t len)
{
	void *made;

	if (pool->used - *cap * len + count * len > pool->most)
		return NULL;
	made = realloc(old, count * len);
	if (!made) {
		pool->failed = true;
		return NULL;
	}
	pool->used += (count - *cap) * len;
	*cap = count;
	return made;
}

static void drop_fresh(struct sketch *s, struct sketch_pool *pool)
{
	free(s->fresh);
	pool->used -= s->fresh_cap * sizeof(*s->fresh);
	s->fresh = NULL;
	s->fresh_count = s->fresh_cap = 0;
}

void sketch_fini(struct sketch *s, struct sketch_pool *pool)
{
	drop_fresh(s, pool);
	free(s->cells);
	pool->used -= s->cap * sizeof(*s->cells);
	*s = (struct sketch){.total = s->total};
}

/* ---- cells ---- */

/* What is counted in the pool: a block, and its ranges from first to end. */
struct counted {
	uint32_t block, first, end;
};

static void count(struct sketch_pool *pool, struct counted *c, uint32_t range, uint32_t n)
{
	pool->counts[range] += n;
	c->first = range < c->first ? range : c->first;
	c->end = range >= c->end ? range + 1 : c->end;
}

/* Counts the fresh values of the first one's block by range, and keeps the others. */
static struct counted count_block(struct sketch *s, struct sketch_pool *pool)
{
	struct counted c = {s->fresh[0] >> SKETCH_PLACE_BITS, SKETCH_RANGES, 0};
	size_t kept = 0;

	for (size_t i = 0; i < s->fresh_count; i++) {
		const struct sketch_cell one = {s->fresh[i], 0};

		if (sketch_block(&one) == c.block)
			count(pool, &c, sketch_range(&one), 1);
		else
			s->fresh[kept++] = s->fresh[i];
	}
	s->fresh_count = kept;
	return c;
}

/* Replaces the cells of a block, from first to end, by the counts of the pool. */
static bool put_block(struct sketch *s, struct sketch_pool *pool, const struct counted *c,
		      size_t first, size_t end)
{
	const size_t rest = s->count - end;
	size_t n = 0;

	for (uint32_t i = c->first; i < c->end; i++)
		n += pool->counts[i] > 0;
	if (first + n + rest > s->cap) {
		const size_t want = first + n + rest;
		size_t cap = s->cap + s->cap / 2;
		void *cells;

		cap = cap < want ? want : cap;
		cap = cap < CELLS_LEAST ? CELLS_LEAST : cap;
		cells = resized(pool, s->cells, &s->cap, cap, sizeof(*s->cells));
		if (!cells)
			return false;
		s->cells = cells;
	}
	memmove(&s->cells[first + n], &s->cells[end], rest * sizeof(*s->cells));
	for (uint32_t i = c->first; i < c->end; i++)
		if (pool->counts[i])
			s->cells[first++] = (struct sketch_cell){c->block << SKETCH_PLACE_BITS | i,
								 pool->counts[i]};
	s->count = first + rest;
	return true;
}

/* Merges the fresh values into the cells. */
static bool merge(struct sketch *s, struct sketch_pool *pool)
{
	bool good = true;

	while (s->fresh_count && good) {
		struct counted c = count_block(s, pool);
		size_t first, end;

		TDAT_SEARCH(first, s->count, sketch_block(&s->cells[first]) < c.block);
		for (end = first; end < s->count && sketch_block(&s->cells[end]) == c.block; end++)
			count(pool, &c, sketch_range(&s->cells[end]), s->cells[end].count);
		good = put_block(s, pool, &c, first, end);
		memset(&pool->counts[c.first], 0, (c.end - c.first) * sizeof(pool->counts[0]));
	}
	return good;
}

bool sketch_add(struct sketch *s, struct sketch_pool *pool, uint32_t block, int64_t value)
{
	if (s->fresh_count == s->fresh_cap) {
		size_t cap = s->fresh_cap ? s->fresh_cap : FRESH_LEAST;
		void *fresh = s->fresh;

		if (!merge(s, pool))
			return false;
		if (cap < FRESH_MOST && s->total > 4 * cap)
			cap *= 4;
		if (cap != s->fresh_cap)
			fresh = resized(pool, fresh, &s->fresh_cap, cap, sizeof(*s->fresh));
		if (!fresh)
			return false;
		s->fresh = fresh;
	}
	s->fresh[s->fresh_count++] = block << SKETCH_PLACE_BITS | sketch_range_of(value);
	s->total++;
	return true;
}

bool sketch_settle(struct sketch *s, struct sketch_pool *pool)
{
	const bool good = merge(s, pool);

	drop_fresh(s, pool);
	return good;
}

double sketch_quantile(const uint32_t *ranges, const double *counts, size_t count, double total,
		       double quantile)
{
	const double rank = total * quantile;
	const double rounding = total * 1e-12; /* of sums of shares */
	double below = 0, part = 1;
	size_t last = 0;
	uint32_t range;

	for (size_t i = 0; i < count && rank - below > rounding; i++) {
		if (counts[i] <= 0)
			continue;
		last = i;
		part = (rank - below) / counts[i];
		below += counts[i];
	}
	range = ranges ? ranges[last] : (uint32_t)last;
	/* The last value of a range is the one before the next range's first. */
	return (double)sketch_first(range) +
	       (part < 1 ? part : 1) * (double)(sketch_first(range + 1) - 1 - sketch_first(range));
}
