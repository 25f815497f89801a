/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intervals of changes by the bootstrap: samples of a side are drawn with replacement, then blocks
 * of each drawn sample, DRAWS times. The interval of a change has the middle 95 % of the changes of
 * these. Blocks are drawn, not values, as values near in time depend on each other. The numbers of
 * the generator depend on nothing, so the same input has the same intervals. diff_test.c asks for
 * the intervals of the changes that it found.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

enum { DRAWS = 400, CUT = 10 /* 2.5 % of DRAWS */ };

/* A side while it is drawn from: counts of used ranges by block, or sums and times of blocks. */
struct drawn {
	size_t sample_count, width;
	double *rows;	  /* of each block: width numbers */
	uint32_t *ranges; /* of each number: its range */
	double *sums;	  /* of a draw: by number */
};

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t count)
{
	return (size_t)((next_random(state) >> 32) * (uint64_t)count >> 32);
}

/* Adds up the blocks of one draw. Blocks without time are drawn as well, and say nothing. */
static void draw(struct drawn *s, uint64_t *state)
{
	memset(s->sums, 0, s->width * sizeof(*s->sums));
	for (size_t i = 0; i < s->sample_count; i++) {
		const size_t first = below(state, s->sample_count) * DIFF_BLOCKS;

		for (size_t k = 0; k < DIFF_BLOCKS; k++) {
			const double *row =
				&s->rows[(first + below(state, DIFF_BLOCKS)) * s->width];

			for (size_t n = 0; n < s->width; n++)
				s->sums[n] += row[n];
		}
	}
}

static bool make_room(struct drawn *s, size_t sample_count, size_t width)
{
	s->sample_count = sample_count;
	s->width = width;
	s->rows = calloc(sample_count * DIFF_BLOCKS * width + 1, sizeof(*s->rows));
	s->ranges = calloc(width + 1, sizeof(*s->ranges));
	s->sums = calloc(width + 1, sizeof(*s->sums));
	return s->rows && s->ranges && s->sums;
}

static void fini(struct drawn *s)
{
	free(s->rows);
	free(s->ranges);
	free(s->sums);
}

/* Lays out the values of a side. False: no memory. */
static bool take_values(struct drawn *s, const struct tdat_diff *d, uint32_t key, int side)
{
	const struct sketch *values = &d->keys[key].sides[side].values;
	uint32_t numbers[SKETCH_RANGES] = {0};
	uint32_t width = 0;

	for (size_t i = 0; i < values->count; i++)
		numbers[sketch_range(&values->cells[i])] = 1;
	for (uint32_t i = 0; i < SKETCH_RANGES; i++)
		width += numbers[i];
	if (!make_room(s, d->sides[side].sample_count, width))
		return false;
	for (uint32_t i = 0, n = 0; i < SKETCH_RANGES; i++)
		if (numbers[i]) {
			s->ranges[n] = i;
			numbers[i] = n++;
		}
	for (size_t i = 0; i < values->count; i++) {
		const struct sketch_cell *c = &values->cells[i];

		s->rows[sketch_block(c) * s->width + numbers[sketch_range(c)]] += c->count;
	}
	return true;
}

/* Lays out sums and times of blocks. False: no memory. */
static bool take_rates(struct drawn *s, const struct tdat_diff *d, uint32_t key, int side)
{
	const size_t count = d->sides[side].block_count;
	struct ratio_block *blocks = calloc(count + 1, sizeof(*blocks));
	const bool good = blocks && make_room(s, d->sides[side].sample_count, 2);

	if (good)
		diff_rate_blocks(d, key, side, blocks);
	for (size_t i = 0; good && i < count; i++) {
		s->rows[2 * i] = blocks[i].sum;
		s->rows[2 * i + 1] = blocks[i].weight;
	}
	free(blocks);
	return good;
}

/* The statistic of a draw; NAN: the draw has none. */
static double value_of(struct drawn *s, enum tdat_diff_metric metric)
{
	static const double parts[] = {
		[TDAT_DIFF_P50] = 0.5, [TDAT_DIFF_P90] = 0.9, [TDAT_DIFF_P99] = 0.99};
	double total = 0;

	if (metric < TDAT_DIFF_P50)
		return s->sums[1] > 0 ? s->sums[0] / s->sums[1] : NAN;
	for (size_t n = 0; n < s->width; n++)
		total += s->sums[n];
	return total > 0 ? sketch_quantile(s->ranges, s->sums, s->width, total, parts[metric])
			 : NAN;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Draws both sides; changes of one key of values, or one rate. */
static void make(struct drawn sides[DIFF_SIDES], struct tdat_diff_change *changes, size_t count)
{
	double found[TDAT_DIFF_P99 + 1][DRAWS];
	size_t found_count[TDAT_DIFF_P99 + 1] = {0};
	uint64_t state = 1;

	for (size_t i = 0; i < DRAWS; i++) {
		for (int side = 0; side < DIFF_SIDES; side++)
			draw(&sides[side], &state);
		for (size_t k = 0; k < count; k++) {
			const enum tdat_diff_metric m = changes[k].metric;
			const double a = value_of(&sides[0], m), b = value_of(&sides[1], m);

			/* A draw of nothing before is a rise without bound. */
			if (a > 0 || b > 0)
				found[m][found_count[m]++] = a > 0 ? b / a - 1 : INFINITY;
		}
	}
	for (size_t k = 0; k < count; k++) {
		const enum tdat_diff_metric m = changes[k].metric;
		const size_t n = found_count[m], cut = n * CUT / DRAWS;

		if (!n)
			continue;
		qsort(found[m], n, sizeof(found[m][0]), by_value);
		changes[k].low = found[m][cut];
		changes[k].high = found[m][n - 1 - cut];
	}
}

/* Of changes that are of rates, or else of values. */
static bool make_of(struct tdat_diff *d, struct tdat_diff_change *changes, size_t count, bool rates)
{
	const uint32_t key = changes->number;
	struct drawn sides[DIFF_SIDES] = {{.width = 0}};
	bool good = true;

	for (int side = 0; side < DIFF_SIDES && good; side++)
		good = rates ? take_rates(&sides[side], d, key, side)
			     : take_values(&sides[side], d, key, side);
	if (good)
		make(sides, changes, count);
	for (int side = 0; side < DIFF_SIDES; side++)
		fini(&sides[side]);
	return good;
}

bool diff_intervals(struct tdat_diff *d, struct tdat_diff_change *changes, size_t count)
{
	size_t rates = 0;

	for (size_t i = 0; i < count; i++)
		changes[i].low = changes[i].high = changes[i].change;
	while (rates < count && changes[rates].metric < TDAT_DIFF_P50)
		rates++;
	/* What is new or gone is so in each draw. */
	return (!rates || !(changes->a > 0) || !(changes->b > 0) ||
		make_of(d, changes, rates, true)) &&
	       (rates == count || make_of(d, &changes[rates], count - rates, false));
}
