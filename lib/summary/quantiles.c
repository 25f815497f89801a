/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Histograms of many numbers, and their quantiles without sorting all of them. Numbers are
 * counted by ranges of their distance from the least one; only those in the range where a
 * quantile lies are put in order, and where these are many, they are counted by smaller ranges
 * before. The result is the value of nearest rank among the numbers that values.c has kept.
 */
#include "values.h"

#include "core/grow.h"
#include "core/search.h"

enum {
	/* A range is a part in 64 of the distances in it at most. */
	RANGE_BITS = 6,
	RANGES = ((64 - RANGE_BITS) << RANGE_BITS) + (1 << RANGE_BITS),
	/* Parts of a range that has more numbers than are put in order. */
	PARTS = 4096,
	TAKE_MOST = 1 << 16
};

/* Distances from lo to hi, which count numbers have; below numbers have a smaller distance. */
struct range {
	uint64_t lo, hi, below, count;
};

/* The state of one call: distributions, ranges, and the numbers in order. */
struct quantiles {
	const struct summary_values *list;
	size_t count, entries;
	int64_t least;
	uint64_t total;
	uint64_t *ranges; /* how many numbers lie in each; NULL: all are put in order */
	uint64_t *parts;
	struct range range;	     /* where the last quantile lies */
	struct summary_value *taken; /* the numbers in it, in order */
	size_t taken_count, taken_cap;
};

/* Distances are unsigned: two int64 may be further apart than an int64 can say. */
static uint64_t distance(const struct quantiles *q, int64_t value)
{
	return (uint64_t)value - (uint64_t)q->least;
}

/* Bits that a range leaves out: 0 for small distances, which have a range each. */
static uint32_t shift_of(uint64_t distance)
{
	const uint32_t bits = 64 - (uint32_t)__builtin_clzll(distance | 1);

	return bits > RANGE_BITS + 1 ? bits - RANGE_BITS - 1 : 0;
}

/* Rises with the distance, by 1 from each range to the next one. */
static size_t range_of(uint64_t distance)
{
	const uint32_t shift = shift_of(distance);

	return ((size_t)shift << RANGE_BITS) + (size_t)(distance >> shift);
}

/* Counts all numbers by range in one pass. */
static void count_ranges(struct quantiles *q)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct summary_values *d = &q->list[i];

		for (size_t k = 0; k < d->fresh_count; k++)
			q->ranges[range_of(distance(q, d->fresh[k]))]++;
		for (size_t k = 0; k < d->pair_count; k++)
			q->ranges[range_of(distance(q, d->pairs[k].value))] += d->pairs[k].count;
	}
}

/* The range in which the number of a rank lies. */
static struct range find_range(const struct quantiles *q, uint64_t rank)
{
	struct range r = {.lo = 0};
	size_t i = 0;

	while (i + 1 < RANGES && r.below + q->ranges[i] < rank)
		r.below += q->ranges[i++];
	r.count = q->ranges[i];
	if (i < 2 << RANGE_BITS) {
		r.lo = r.hi = i;
	} else {
		const uint32_t shift = (uint32_t)(i >> RANGE_BITS) - 1;

		r.lo = (uint64_t)(i - ((size_t)shift << RANGE_BITS)) << shift;
		r.hi = r.lo + ((UINT64_C(1) << shift) - 1);
	}
	return r;
}

/* Makes a range one of its parts: the one in which the number of a rank lies. */
static void narrow(struct quantiles *q, struct range *r, uint64_t rank)
{
	const uint64_t width = (r->hi - r->lo) / PARTS + 1;
	size_t i = 0;

	memset(q->parts, 0, PARTS * sizeof(*q->parts));
	for (size_t k = 0; k < q->count; k++) {
		const struct summary_values *d = &q->list[k];

		for (size_t n = 0; n < d->fresh_count; n++) {
			const uint64_t at = distance(q, d->fresh[n]) - r->lo;

			if (at <= r->hi - r->lo)
				q->parts[at / width]++;
		}
		for (size_t n = 0; n < d->pair_count; n++) {
			const uint64_t at = distance(q, d->pairs[n].value) - r->lo;

			if (at <= r->hi - r->lo)
				q->parts[at / width] += d->pairs[n].count;
		}
	}
	while (i + 1 < PARTS && r->below + q->parts[i] < rank)
		r->below += q->parts[i++];
	r->count = q->parts[i];
	r->lo += i * width;
	r->hi = r->hi - r->lo < width ? r->hi : r->lo + width - 1;
}

/* Takes a number, with its count, into the list to be sorted. False: no memory. */
static bool take(struct quantiles *q, int64_t value, uint64_t count)
{
	if (!TDAT_GROW(q->taken, &q->taken_cap, q->taken_count + 1))
		return false;
	q->taken[q->taken_count++] = (struct summary_value){value, count};
	return true;
}

/* Puts the numbers of a range in order. */
static bool take_range(struct quantiles *q, const struct range *r)
{
	const uint64_t width = r->hi - r->lo;

	q->taken_count = 0;
	for (size_t i = 0; i < q->count; i++) {
		const struct summary_values *d = &q->list[i];

		for (size_t k = 0; k < d->fresh_count; k++)
			if (distance(q, d->fresh[k]) - r->lo <= width && !take(q, d->fresh[k], 1))
				return false;
		for (size_t k = 0; k < d->pair_count; k++)
			if (distance(q, d->pairs[k].value) - r->lo <= width &&
			    !take(q, d->pairs[k].value, d->pairs[k].count))
				return false;
	}
	summary_values_sort(q->taken, q->taken_count, 0);
	return true;
}

/* The number of a rank, which is not below that of the last call. */
static bool find_rank(struct quantiles *q, uint64_t rank, int64_t *out)
{
	struct range r = {0, UINT64_MAX, 0, q->total};
	uint64_t seen;
	size_t i = 0;

	if (q->ranges)
		r = find_range(q, rank);
	while (q->ranges && r.lo != r.hi && r.count > TAKE_MOST)
		narrow(q, &r, rank);
	if (r.lo == r.hi) {
		*out = (int64_t)((uint64_t)q->least + r.lo);
		return true;
	}
	/* Quantiles often lie in one range: its numbers stay in order for the next one. */
	if ((r.lo != q->range.lo || r.hi != q->range.hi) && !take_range(q, &r))
		return false;
	q->range = r;
	for (seen = r.below; i + 1 < q->taken_count && seen + q->taken[i].count < rank; i++)
		seen += q->taken[i].count;
	*out = q->taken[i].value;
	return true;
}

/*
 * Finds the numbers of nearest rank. Few numbers are sorted at once; many are counted by range
 * first.
 */
bool summary_values_quantiles(const struct summary_values *list, size_t count,
			      const uint32_t *parts, size_t part_count, int64_t *out)
{
	struct quantiles q = {.list = list, .count = count, .least = INT64_MAX};
	bool ok = true;

	memset(out, 0, part_count * sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		/* Rounded numbers may be less than the least one was. */
		const int64_t least = list[i].pair_count ? list[i].pairs[0].value : INT64_MAX;

		q.total += list[i].total;
		q.entries += list[i].fresh_count + list[i].pair_count;
		if (list[i].total && list[i].least < q.least)
			q.least = list[i].least;
		q.least = least < q.least ? least : q.least;
	}
	if (q.entries > TAKE_MOST) {
		q.ranges = calloc(RANGES + PARTS, sizeof(*q.ranges));
		if (!q.ranges)
			return false;
		q.parts = q.ranges + RANGES;
		count_ranges(&q);
	}
	/* total * part / 1000, rounded up; the total is far below 2^64 / 1000. */
	for (size_t i = 0; i < part_count && q.total && ok; i++)
		ok = find_rank(&q, (q.total * parts[i] + 999) / 1000, &out[i]);
	free(q.taken);
	free(q.ranges);
	return ok;
}

/* 0 for numbers below 1, else the place of the highest bit, from 1. */
static size_t log2_of(int64_t value)
{
	return value > 0 ? 64 - (size_t)__builtin_clzll((uint64_t)value) : 0;
}

void summary_values_log2(const struct summary_values *list, size_t count,
			 uint64_t out[TDAT_GROUP_LOG2])
{
	memset(out, 0, TDAT_GROUP_LOG2 * sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		const struct summary_values *d = &list[i];

		for (size_t k = 0; k < d->fresh_count; k++)
			out[log2_of(d->fresh[k])]++;
		for (size_t k = 0; k < d->pair_count; k++)
			out[log2_of(d->pairs[k].value)] += d->pairs[k].count;
	}
}

void summary_values_histogram(const struct summary_values *list, size_t count,
			      const int64_t *bounds, size_t bound_count, uint64_t *out)
{
	size_t bin;

	memset(out, 0, (bound_count + 1) * sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		const struct summary_values *d = &list[i];

		for (size_t k = 0; k < d->fresh_count; k++) {
			TDAT_SEARCH(bin, bound_count, bounds[bin] <= d->fresh[k]);
			out[bin]++;
		}
		for (size_t k = 0; k < d->pair_count; k++) {
			TDAT_SEARCH(bin, bound_count, bounds[bin] <= d->pairs[k].value);
			out[bin] += d->pairs[k].count;
		}
	}
}
