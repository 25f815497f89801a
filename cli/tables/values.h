/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distribution of many numbers: count, sum, greatest, quantiles, and how many lie between
 * powers of two.
 *
 * Numbers are kept as pairs of value and count, so that quantiles are exact. When all distributions
 * of a pool together need more memory than it allows, their numbers are rounded down to 8
 * significant bits from then on: quantiles may be too low by less than one part in 128, and no
 * distribution has more than some thousand different numbers.
 */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_values_pool {
	size_t most; /* the most pairs of all distributions together */
	size_t used;
	bool rounded;
};

struct cli_value {
	int64_t value;
	uint64_t count;
};

struct cli_values {
	struct cli_value *v;
	size_t count, cap;
	size_t sorted; /* so many pairs are in order, each with another value */
	bool rounded;
	uint64_t total;
	int64_t least, greatest;
	int64_t sum;
	double wide_sum; /* where sum overflows */
	bool sum_is_wide;
	uint64_t log2[65]; /* [0]: below 1; [n]: 2^(n-1) to below 2^n */
};

#define CLI_VALUES_POOL_INIT                                                                       \
	{                                                                                          \
		4u << 20, 0, false                                                                 \
	}

void cli_values_fini(struct cli_values *d);
/* False: no memory. A distribution that is all zero is empty. */
bool cli_values_add(struct cli_values *d, struct cli_values_pool *pool, int64_t value);
/* Adds all numbers of another one. */
bool cli_values_merge(struct cli_values *d, struct cli_values_pool *pool,
		      const struct cli_values *other);

/* The mean, rounded down (about, where the sum is wide); 0 when it is empty. */
int64_t cli_values_mean(const struct cli_values *d);
/*
 * The least number that at least part of whole of all numbers are not greater than: nearest rank.
 * For part == whole it is the greatest one.
 */
int64_t cli_values_quantile(struct cli_values *d, uint32_t part, uint32_t whole);

#endif
