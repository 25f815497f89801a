/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values counted by block of time and by range: numbers below 64 have a range each, greater ones
 * share 32 ranges for each power of two, so that a range is one part in 32 of its values at most.
 */
#ifndef SUMMARY_SKETCH_H
#define SUMMARY_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SKETCH_BITS = 5, /* ranges of a power of two: 2^5 */
	SKETCH_PLACE_BITS = 11,
	SKETCH_RANGES = (63 - SKETCH_BITS + 1) << SKETCH_BITS,
	SKETCH_BLOCKS_MOST = 1 << (32 - SKETCH_PLACE_BITS)
};

/* How many values of a block lie in a range. */
struct sketch_cell {
	uint32_t at; /* the block, and the range in the lower SKETCH_PLACE_BITS */
	uint32_t count;
};

static inline uint32_t sketch_block(const struct sketch_cell *c)
{
	return c->at >> SKETCH_PLACE_BITS;
}

static inline uint32_t sketch_range(const struct sketch_cell *c)
{
	return c->at & ((1u << SKETCH_PLACE_BITS) - 1);
}

/* Memory of all sketches together, and room for the work on one. */
struct sketch_pool {
	size_t used, most;
	bool failed; /* no memory */
	uint32_t counts[1 << SKETCH_PLACE_BITS];
};

struct sketch {
	uint32_t *fresh; /* places as they came */
	size_t fresh_count, fresh_cap;
	struct sketch_cell *cells; /* in order of at, each once; of all but the fresh ones */
	size_t count, cap;
	uint64_t total;
};

/* All zero: empty. Frees the memory, and gives it back to the pool. */
void sketch_fini(struct sketch *s, struct sketch_pool *pool);

/* Adds a value; negative ones count as 0. False: there is no room, or no memory. */
bool sketch_add(struct sketch *s, struct sketch_pool *pool, uint32_t block, int64_t value);

/* Makes cells of all values, and frees what was needed to add them. False: as above. */
bool sketch_settle(struct sketch *s, struct sketch_pool *pool);

/* The range of a value, and its first value. */
uint32_t sketch_range_of(int64_t value);
uint64_t sketch_first(uint32_t range);

/*
 * The value of a quantile, between 0 and 1, of counts of ranges, of which there are total: within
 * its range values are taken to be spread evenly. ranges has the range of each count; NULL: its
 * index.
 */
double sketch_quantile(const uint32_t *ranges, const double *counts, size_t count, double total,
		       double quantile);

#endif
