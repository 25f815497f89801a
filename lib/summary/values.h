/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The distribution of many numbers: count, sum, greatest, quantiles, and how many lie between
 * powers of two, which rounding leaves as it is.
 *
 * All numbers are kept, so that quantiles are exact: as they come, and as pairs of value and count
 * once half of the memory is taken that a pool allows for all its distributions together. When all
 * of it is, numbers are rounded down to 8 significant bits from then on: quantiles may be too low
 * by less than one part in 128, and no distribution has more than some thousand different numbers.
 */
#ifndef SUMMARY_VALUES_H
#define SUMMARY_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tdat/summary.h>

struct summary_values_pool {
	size_t most; /* bytes of all distributions together */
	size_t used;
	bool rounded;
};

struct summary_value {
	int64_t value;
	uint64_t count;
};

struct summary_values {
	int64_t *fresh; /* as they came */
	size_t fresh_count, fresh_cap;
	struct summary_value *pairs; /* those that came before, in order, each value once */
	size_t pair_count;
	bool rounded;  /* the pairs are */
	uint64_t rows; /* for grouped.c: with and without a number */
	uint64_t total;
	int64_t least, greatest;
	int64_t sum;
	double wide_sum; /* where sum overflows */
	bool sum_is_wide;
};

#define SUMMARY_VALUES_POOL_INIT                                                                   \
	{                                                                                          \
		64u << 20, 0, false                                                                \
	}

void summary_values_fini(struct summary_values *d);
/* False: no memory. A distribution that is all zero is empty. */
bool summary_values_add(struct summary_values *d, struct summary_values_pool *pool, int64_t value);
/* Adds a value to the sums only. */
static inline void summary_values_count(struct summary_values *d, int64_t value)
{
	if (!d->total || value < d->least)
		d->least = value;
	if (!d->total || value > d->greatest)
		d->greatest = value;
	d->total++;
	d->wide_sum += (double)value;
	d->sum_is_wide |= __builtin_add_overflow(d->sum, value, &d->sum);
}

/*
 * Adds what another distribution says of all its numbers together, but not these: quantiles of both
 * are asked for with a list of both.
 */
void summary_values_add_sums(struct summary_values *d, const struct summary_values *other);

/* The mean, rounded down (about, where the sum is wide); 0 when it is empty. */
int64_t summary_values_mean(const struct summary_values *d);
/*
 * Of all numbers of count distributions together, for each of part_count parts of 1000, which rise:
 * the least number that at least that part of them are not greater than: nearest rank. 0 when there
 * are no numbers. False: no memory.
 */
bool summary_values_quantiles(const struct summary_values *list, size_t count,
			      const uint32_t *parts, size_t part_count, int64_t *out);

/* How many of all numbers of count distributions lie below 1 ([0]), and from 2^(n-1) to below 2^n.
 */
void summary_values_log2(const struct summary_values *list, size_t count,
			 uint64_t out[TDAT_GROUP_LOG2]);

/*
 * How many lie below bounds[0] ([0]), and from bounds[n-1] to below bounds[n], or, of the last,
 * any number of at least that. Bounds rise; out has bound_count + 1 places.
 */
void summary_values_histogram(const struct summary_values *list, size_t count,
			      const int64_t *bounds, size_t bound_count, uint64_t *out);

/* For the files that this is made of: sorts pairs; those up to sorted are in order already. */
void summary_values_sort(struct summary_value *v, size_t count, size_t sorted);

#endif
