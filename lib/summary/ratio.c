/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The variance of a ratio of sums over blocks, from what each block adds beyond the ratio. Adjacent
 * blocks of a sample may depend on each other: twice their covariance is added where it is
 * positive. Samples may differ by more than their blocks do: the rest of the variance of whole
 * samples, of both sides together, is that between samples. Callers are the tests of diff_test.c.
 */
#include "ratio.h"

#include <math.h>

#include "odds.h"

/* One side: the ratio, its variance by blocks and by samples, and how many of these there are. */
struct estimate {
	double ratio, within, samples;
	size_t block_count, sample_count;
};

struct ratio_block ratio_sums(const struct ratio_side *side)
{
	struct ratio_block all = {0, 0, 0};

	for (size_t i = 0; i < side->count; i++) {
		all.sum += side->blocks[i].sum;
		all.weight += side->blocks[i].weight;
	}
	return all;
}

/* Sums of squares of what blocks add beyond the ratio, and of products of adjacent ones. */
struct squares {
	double blocks, pairs, samples;
	size_t block_count, sample_count;
};

static struct squares squares_of(const struct ratio_side *side, double ratio)
{
	struct squares s = {0, 0, 0, 0, 0};
	double before = 0, sample = 0;

	for (size_t i = 0; i < side->count; i++) {
		const struct ratio_block *b = &side->blocks[i];
		const double rest = b->sum - ratio * b->weight;

		if (!i || b->sample != b[-1].sample) {
			s.samples += sample * sample;
			s.sample_count++;
			sample = before = 0;
		}
		s.blocks += rest * rest;
		s.pairs += rest * before;
		s.block_count += b->weight > 0;
		sample += rest;
		before = rest;
	}
	s.samples += sample * sample;
	return s;
}

static struct estimate estimate(const struct ratio_side *side)
{
	const struct ratio_block all = ratio_sums(side);
	struct estimate e = {0, 0, 0, 0, 0};
	struct squares s;
	double k;

	if (all.weight <= 0)
		return e;
	e.ratio = all.sum / all.weight;
	s = squares_of(side, e.ratio);
	e.block_count = s.block_count;
	e.sample_count = s.sample_count;
	if (s.block_count < 2)
		return e;
	k = (double)s.block_count;
	e.within = k / (k - 1) * (s.blocks + 2 * fmax(s.pairs, 0)) / (all.weight * all.weight);
	e.within = fmax(e.within, side->least);
	if (s.sample_count > 1) {
		k = (double)s.sample_count;
		e.samples = k / (k - 1) * s.samples / (all.weight * all.weight);
	}
	return e;
}

/*
 * The variance of one sample beyond that of its blocks, from the sides that have several; 0: there
 * is none, or it is not known.
 */
static double between(const struct estimate *a, const struct estimate *b)
{
	const double na = (double)a->sample_count, nb = (double)b->sample_count;
	const double sum =
		(na - 1) * na * (a->samples - a->within) + (nb - 1) * nb * (b->samples - b->within);

	return na + nb > 2 ? fmax(sum / (na + nb - 2), 0) : 0;
}

struct ratio_test ratio_compare(const struct ratio_side *a, const struct ratio_side *b)
{
	const struct estimate x = estimate(a), y = estimate(b);
	struct ratio_test test = {.a = x.ratio, .b = y.ratio, .df = 1, .p = 1};
	double outer, v, freedom;

	if (x.block_count < 2 || y.block_count < 2)
		return test;
	outer = between(&x, &y) * (1 / (double)x.sample_count + 1 / (double)y.sample_count);
	v = x.within + y.within + outer;
	if (v <= 0) {
		test.p = x.ratio == y.ratio;
		return test;
	}
	/* Welch and Satterthwaite. */
	freedom = x.within * x.within / (double)(x.block_count - 1) +
		  y.within * y.within / (double)(y.block_count - 1);
	if (outer > 0)
		freedom += outer * outer / (double)(x.sample_count + y.sample_count - 2);
	test.t = (y.ratio - x.ratio) / sqrt(v);
	test.df = v * v / freedom;
	test.p = odds_t(test.t, test.df);
	return test;
}

double ratio_dispersion(const struct ratio_side *a, const struct ratio_side *b)
{
	const struct ratio_side *const sides[] = {a, b};
	double found = 0, expected = 0;

	for (size_t i = 0; i < 2; i++) {
		const struct ratio_block all = ratio_sums(sides[i]);
		const double ratio = all.weight > 0 ? all.sum / all.weight : 0;
		const struct squares s = squares_of(sides[i], ratio);
		const double k = (double)s.block_count;

		if (k > 1)
			found += k / (k - 1) * (s.blocks + 2 * fmax(s.pairs, 0));
		expected += all.sum;
	}
	return expected > 0 ? fmax(found / expected, 1) : 1;
}
