/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantiles of many numbers without sorting all of them. Numbers are counted by ranges that are a
 * part in 64 wide; only those in the ranges where quantiles lie are put in order.
 */
#include "tables/values.h"

#include <stdlib.h>
#include <string.h>

enum {
	RANGE_BITS = 6,
	/* Ranges of numbers that are not negative; as many negative ones lie before them. */
	RANGES = ((64 - RANGE_BITS) << RANGE_BITS) + (1 << RANGE_BITS),
	/* Of fewer numbers all are put in order. */
	RANGES_LEAST = 512
};

/* The range of a number, from 0 to 2 * RANGES - 1; it rises with the number. */
static size_t range_of(int64_t value)
{
	const uint64_t v = value < 0 ? ~(uint64_t)value : (uint64_t)value;
	const uint32_t bits = 64 - (uint32_t)__builtin_clzll(v | 1);
	const uint32_t shift = bits > RANGE_BITS + 1 ? bits - RANGE_BITS - 1 : 0;
	const size_t range = ((size_t)shift << RANGE_BITS) + (size_t)(v >> shift);

	return value < 0 ? RANGES - 1 - range : RANGES + range;
}

struct quantiles {
	const struct cli_values *list;
	size_t count;
	uint64_t *ranges; /* how many numbers lie in each; NULL: all are taken */
	struct cli_value *taken;
	size_t taken_count, taken_cap;
};

static bool is_taken(const struct quantiles *q, int64_t value)
{
	return !q->ranges || q->ranges[range_of(value)] == UINT64_MAX;
}

static bool take(struct quantiles *q, int64_t value, uint64_t count)
{
	if (q->taken_count == q->taken_cap) {
		const size_t cap = q->taken_cap ? q->taken_cap * 2 : 1024;
		struct cli_value *grown = realloc(q->taken, cap * sizeof(*grown));

		if (!grown)
			return false;
		q->taken = grown;
		q->taken_cap = cap;
	}
	q->taken[q->taken_count++] = (struct cli_value){value, count};
	return true;
}

/* Puts the numbers of the ranges that are wanted in order. */
static bool take_all(struct quantiles *q)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct cli_values *d = &q->list[i];

		for (size_t k = 0; k < d->fresh_count; k++)
			if (is_taken(q, d->fresh[k]) && !take(q, d->fresh[k], 1))
				return false;
		for (size_t k = 0; k < d->pair_count; k++)
			if (is_taken(q, d->pairs[k].value) &&
			    !take(q, d->pairs[k].value, d->pairs[k].count))
				return false;
	}
	if (q->taken_count)
		cli_values_sort(q->taken, q->taken_count, 0);
	return true;
}

static void count_ranges(struct quantiles *q)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct cli_values *d = &q->list[i];

		for (size_t k = 0; k < d->fresh_count; k++)
			q->ranges[range_of(d->fresh[k])]++;
		for (size_t k = 0; k < d->pair_count; k++)
			q->ranges[range_of(d->pairs[k].value)] += d->pairs[k].count;
	}
}

/*
 * Marks the range of each rank, and takes from a rank the numbers of ranges below it that are not
 * marked, since those will not be among the ones that are taken.
 */
static void mark_ranges(struct quantiles *q, uint64_t *ranks, size_t rank_count)
{
	uint64_t seen = 0, left_out = 0;
	size_t at = 0;

	for (size_t i = 0; i < 2 * RANGES && at < rank_count; i++) {
		const uint64_t here = q->ranges[i];
		bool marked = false;

		seen += here;
		for (; at < rank_count && ranks[at] <= seen; at++) {
			ranks[at] -= left_out;
			marked = true;
		}
		if (marked)
			q->ranges[i] = UINT64_MAX;
		else
			left_out += here;
	}
}

/* The numbers of these ranks, which rise, among those that were taken. */
static void pick(const struct quantiles *q, const uint64_t *ranks, size_t rank_count, int64_t *out)
{
	uint64_t seen = 0;
	size_t at = 0;

	for (size_t i = 0; i < q->taken_count && at < rank_count; i++) {
		seen += q->taken[i].count;
		while (at < rank_count && ranks[at] <= seen)
			out[at++] = q->taken[i].value;
	}
}

bool cli_values_quantiles(const struct cli_values *list, size_t count, const uint32_t *parts,
			  size_t part_count, int64_t *out)
{
	struct quantiles q = {.list = list, .count = count};
	uint64_t ranks[8], total = 0;
	size_t entries = 0;
	bool ok;

	memset(out, 0, part_count * sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		total += list[i].total;
		entries += list[i].fresh_count + list[i].pair_count;
	}
	if (!total || part_count > sizeof(ranks) / sizeof(ranks[0]))
		return !total;
	/* total * part / 1000, rounded up; the total is far below 2^64 / 1000. */
	for (size_t i = 0; i < part_count; i++)
		ranks[i] = (total * parts[i] + 999) / 1000;
	if (entries >= RANGES_LEAST) {
		q.ranges = calloc((size_t)2 * RANGES, sizeof(*q.ranges));
		if (!q.ranges)
			return false;
		count_ranges(&q);
		mark_ranges(&q, ranks, part_count);
	}
	ok = take_all(&q);
	pick(&q, ranks, part_count, out);
	free(q.taken);
	free(q.ranges);
	return ok;
}
