/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps numbers as they come, and as pairs of value and count where these are fewer. Before the
 * array grows, equal values are joined to pairs, so that memory is bounded by different values.
 * If the pool of all distributions is full, values are rounded. Groups (grouped.c) keep one for
 * each, and ask quantiles.c.
 */
#include "values.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"

/*
 * Numbers that there is room for first; with fewer than FOLD_LEAST it is not worth to make pairs,
 * and with FOLD_MOST it is done so that sorting them needs little memory.
 */
enum { FIRST_CAP = 8, FOLD_LEAST = 64, FOLD_MOST = 1 << 19, KEPT_BITS = 8 };

void summary_values_fini(struct summary_values *d)
{
	free(d->fresh);
	free(d->pairs);
	*d = (struct summary_values){.total = 0};
}

/* The number of significant bits. */
static uint32_t bits_of(uint64_t v)
{
	return v ? 64 - (uint32_t)__builtin_clzll(v) : 0;
}

/* Keeps the KEPT_BITS highest bits: a quantile is then too low by less than 1/128. */
static int64_t round_down(int64_t value)
{
	const uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	const uint32_t bits = bits_of(v);
	const uint64_t kept = bits > KEPT_BITS ? v >> (bits - KEPT_BITS) << (bits - KEPT_BITS) : v;

	return value < 0 ? (int64_t)(0 - kept) : (int64_t)kept;
}

/* Fewer pairs than these are compared with each other. */
enum { RADIX_LEAST = 64 };

/*
 * Sorts pairs by the bytes of their values, from the lowest byte on (radix sort); room has space
 * for n pairs.
 */
static void sort_by_bytes(struct summary_value *v, struct summary_value *room, size_t n)
{
	struct summary_value *from = v, *to = room;

	for (uint32_t shift = 0; shift < 64; shift += 8) {
		/* Negative values lie before the others. */
		const uint64_t flip = shift == 56 ? UINT64_C(0x80) : 0;
		size_t places[256] = {0}, sum = 0;
		struct summary_value *t;

		for (size_t i = 0; i < n; i++)
			places[((uint64_t)from[i].value >> shift & 0xff) ^ flip]++;
		/* A byte that all have alike changes nothing. */
		if (places[((uint64_t)from[0].value >> shift & 0xff) ^ flip] == n)
			continue;
		for (size_t i = 0; i < 256; i++) {
			const size_t count = places[i];

			places[i] = sum;
			sum += count;
		}
		for (size_t i = 0; i < n; i++)
			to[places[((uint64_t)from[i].value >> shift & 0xff) ^ flip]++] = from[i];
		t = from;
		from = to;
		to = t;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* Sorts the pairs behind the sorted ones, and merges both parts. */
void summary_values_sort(struct summary_value *v, size_t count, size_t sorted)
{
	const size_t n = count - sorted;
	/* Without memory for the room qsort() does. */
	struct summary_value *room = n < RADIX_LEAST ? NULL : malloc(n * sizeof(*room));
	size_t head = sorted, tail = n;

	if (!room) {
		qsort(v, count, sizeof(*v), tdat_by_s64);
		return;
	}
	sort_by_bytes(v + sorted, room, n);
	memcpy(room, v + sorted, n * sizeof(*room));
	/* From the greatest one down, so that nothing is written over that is still needed. */
	for (size_t at = count; tail && at-- > 0;) {
		if (head && v[head - 1].value > room[tail - 1].value)
			v[at] = v[--head];
		else
			v[at] = room[--tail];
	}
	free(room);
}

/* Joins pairs of one value, which follow each other; returns how many are left. */
static size_t join(struct summary_value *v, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (n && v[n - 1].value == v[i].value)
			v[n - 1].count += v[i].count;
		else
			v[n++] = v[i];
	}
	return n;
}

/* Makes the numbers that came last pairs, and rounds all if the pool is full. False: no memory. */
static bool fold(struct summary_values *d, struct summary_values_pool *pool)
{
	const size_t had = d->pair_count, all = had + d->fresh_count;
	struct summary_value *grown = realloc(d->pairs, (all + 1) * sizeof(*grown));
	size_t sorted = had;

	if (!grown)
		return false;
	d->pairs = grown;
	for (size_t i = 0; i < d->fresh_count; i++)
		grown[had + i] = (struct summary_value){d->fresh[i], 1};
	if (pool->rounded) {
		for (size_t i = d->rounded ? had : 0; i < all; i++)
			grown[i].value = round_down(grown[i].value);
		sorted = d->rounded ? had : 0;
		d->rounded = true;
	}
	summary_values_sort(grown, all, sorted);
	d->pair_count = join(grown, all);
	d->fresh_count = 0;
	pool->used += d->pair_count * sizeof(*grown);
	pool->used -= had * sizeof(*grown);
	grown = realloc(grown, (d->pair_count + 1) * sizeof(*grown));
	d->pairs = grown ? grown : d->pairs;
	return true;
}

/* Makes room for one more number. */
static bool make_room(struct summary_values *d, struct summary_values_pool *pool)
{
	const size_t cap = d->fresh_cap ? d->fresh_cap * 2 : FIRST_CAP;
	const size_t used = pool->used + (cap - d->fresh_cap) * sizeof(*d->fresh);
	int64_t *grown;

	/* To make pairs costs a look at those that there are: it must bring some. */
	if ((used > pool->most / 2 || d->fresh_count >= FOLD_MOST) &&
	    d->fresh_count >= FOLD_LEAST && d->fresh_count >= d->pair_count / 2)
		return fold(d, pool);
	if (used > pool->most && d->fresh_count && !pool->rounded) {
		pool->rounded = true;
		return fold(d, pool);
	}
	grown = realloc(d->fresh, cap * sizeof(*grown));
	if (!grown)
		return false;
	d->fresh = grown;
	d->fresh_cap = cap;
	pool->used = used;
	return true;
}

/* Adds a number. False: no memory. */
bool summary_values_add(struct summary_values *d, struct summary_values_pool *pool, int64_t value)
{
	if (d->fresh_count == d->fresh_cap && !make_room(d, pool))
		return false;
	d->fresh[d->fresh_count++] = value;
	summary_values_count(d, value);
	return true;
}

/* Joins sums; a sum that overflows is kept as a double. */
void summary_values_add_sums(struct summary_values *d, const struct summary_values *other)
{
	d->rows += other->rows;
	if (!other->total)
		return;
	if (!d->total || other->least < d->least)
		d->least = other->least;
	if (!d->total || other->greatest > d->greatest)
		d->greatest = other->greatest;
	d->total += other->total;
	d->wide_sum += other->wide_sum;
	d->sum_is_wide |= other->sum_is_wide || __builtin_add_overflow(d->sum, other->sum, &d->sum);
}

/* The quotient is rounded down also for negative sums, since C rounds towards zero. */
int64_t summary_values_mean(const struct summary_values *d)
{
	int64_t mean;

	if (!d->total)
		return 0;
	if (d->sum_is_wide)
		return (int64_t)(d->wide_sum / (double)d->total);
	mean = d->sum / (int64_t)d->total;
	return mean - (d->sum % (int64_t)d->total < 0);
}
