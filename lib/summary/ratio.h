/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares a ratio of sums over blocks of time on two sides, such as a rate or a mean: by how many
 * standard errors they differ, where the errors are those of whole blocks and whole samples.
 * docs/diff.md has the formulas.
 */
#ifndef SUMMARY_RATIO_H
#define SUMMARY_RATIO_H

#include <stddef.h>
#include <stdint.h>

/* A block: what it adds to both sums, and the sample that it is of. Blocks come in order. */
struct ratio_block {
	double sum, weight; /* a weight of 0: the block says nothing */
	uint32_t sample;
};

struct ratio_side {
	const struct ratio_block *blocks;
	size_t count;
	double least; /* the variance is this at least */
};

struct ratio_test {
	double a, b; /* the ratios */
	double t, df, p;
};

/* Two-sided p of the hypothesis that both ratios are equal; 1 where it cannot be tested. */
struct ratio_test ratio_compare(const struct ratio_side *a, const struct ratio_side *b);

/* The sums of all blocks. */
struct ratio_block ratio_sums(const struct ratio_side *side);

/*
 * The overdispersion of counts: the variance of both sides' blocks over that of a Poisson process,
 * 1 at least.
 */
double ratio_dispersion(const struct ratio_side *a, const struct ratio_side *b);

#endif
