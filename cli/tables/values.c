/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps numbers as pairs of value and count, in order up to those that came last. */
#include "tables/values.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 8, KEPT_BITS = 8 };

void cli_values_fini(struct cli_values *d)
{
	free(d->v);
	*d = (struct cli_values){.count = 0};
}

static uint32_t bits_of(uint64_t v)
{
	return v ? 64 - (uint32_t)__builtin_clzll(v) : 0;
}

static int64_t round_down(int64_t value)
{
	const uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	const uint32_t bits = bits_of(v);
	const uint64_t kept = bits > KEPT_BITS ? v >> (bits - KEPT_BITS) << (bits - KEPT_BITS) : v;

	return value < 0 ? (int64_t)(0 - kept) : (int64_t)kept;
}

static int by_value(const void *a, const void *b)
{
	const struct cli_value *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Fewer pairs than these are compared with each other. */
enum { RADIX_LEAST = 64 };

/* Sorts pairs byte by byte of their values, from the last one on; room has as many. */
static void sort_by_bytes(struct cli_value *v, struct cli_value *room, size_t n)
{
	struct cli_value *from = v, *to = room;

	for (uint32_t shift = 0; shift < 64; shift += 8) {
		/* Negative values lie before the others. */
		const uint64_t flip = shift == 56 ? UINT64_C(0x80) : 0;
		size_t places[256] = {0}, sum = 0;
		struct cli_value *t;

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

/* Puts the pairs behind the first sorted ones in order, and all together. */
static void sort_pairs(struct cli_value *v, size_t count, size_t sorted)
{
	const size_t n = count - sorted;
	struct cli_value *room = n < RADIX_LEAST ? NULL : malloc(n * sizeof(*room));
	size_t head = sorted, tail = n;

	if (!room) {
		qsort(v, count, sizeof(*v), by_value);
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

/* Puts all pairs in order, each value once, and rounds them if the pool is full. */
static void sort_and_join(struct cli_values *d, const struct cli_values_pool *pool)
{
	size_t n = 0;

	if (pool && pool->rounded && !d->rounded) {
		for (size_t i = 0; i < d->count; i++)
			d->v[i].value = round_down(d->v[i].value);
		d->rounded = true;
		d->sorted = 0;
	}
	if (d->sorted == d->count)
		return;
	sort_pairs(d->v, d->count, d->sorted);
	for (size_t i = 0; i < d->count; i++) {
		if (n && d->v[n - 1].value == d->v[i].value)
			d->v[n - 1].count += d->v[i].count;
		else
			d->v[n++] = d->v[i];
	}
	d->count = d->sorted = n;
}

/* Makes room for one more pair. Where pairs of one value were joined, their room is used again. */
static bool make_room(struct cli_values *d, struct cli_values_pool *pool)
{
	const size_t cap = d->cap ? d->cap * 2 : FIRST_CAP;
	struct cli_value *grown;

	if (d->count < d->cap)
		return true;
	sort_and_join(d, pool);
	if (d->count < d->cap - d->cap / 4)
		return true;
	if (pool->used + cap - d->cap > pool->most && !pool->rounded) {
		pool->rounded = true;
		sort_and_join(d, pool);
		if (d->count < d->cap - d->cap / 4)
			return true;
	}
	grown = realloc(d->v, cap * sizeof(*grown));
	if (!grown)
		return false;
	pool->used += cap - d->cap;
	d->v = grown;
	d->cap = cap;
	return true;
}

static void add_sum(struct cli_values *d, int64_t value, uint64_t count)
{
	int64_t more;

	d->wide_sum += (double)value * (double)count;
	if (count > INT64_MAX || __builtin_mul_overflow(value, (int64_t)count, &more) ||
	    __builtin_add_overflow(d->sum, more, &d->sum))
		d->sum_is_wide = true;
}

static bool add(struct cli_values *d, struct cli_values_pool *pool, int64_t value, uint64_t count)
{
	if (!make_room(d, pool))
		return false;
	d->v[d->count++] =
		(struct cli_value){pool->rounded && d->rounded ? round_down(value) : value, count};
	return true;
}

bool cli_values_add(struct cli_values *d, struct cli_values_pool *pool, int64_t value)
{
	if (!add(d, pool, value, 1))
		return false;
	if (!d->total || value < d->least)
		d->least = value;
	if (!d->total || value > d->greatest)
		d->greatest = value;
	d->total++;
	d->log2[value > 0 ? bits_of((uint64_t)value) : 0]++;
	add_sum(d, value, 1);
	return true;
}

bool cli_values_merge(struct cli_values *d, struct cli_values_pool *pool,
		      const struct cli_values *other)
{
	if (!other->total)
		return true;
	for (size_t i = 0; i < other->count; i++)
		if (!add(d, pool, other->v[i].value, other->v[i].count))
			return false;
	if (!d->total || other->least < d->least)
		d->least = other->least;
	if (!d->total || other->greatest > d->greatest)
		d->greatest = other->greatest;
	d->total += other->total;
	for (size_t i = 0; i < sizeof(d->log2) / sizeof(d->log2[0]); i++)
		d->log2[i] += other->log2[i];
	d->wide_sum += other->wide_sum;
	d->sum_is_wide |= other->sum_is_wide || __builtin_add_overflow(d->sum, other->sum, &d->sum);
	return true;
}

int64_t cli_values_mean(const struct cli_values *d)
{
	int64_t mean;

	if (!d->total)
		return 0;
	if (d->sum_is_wide)
		return (int64_t)(d->wide_sum / (double)d->total);
	mean = d->sum / (int64_t)d->total;
	return mean - (d->sum % (int64_t)d->total < 0);
}

int64_t cli_values_quantile(struct cli_values *d, uint32_t part, uint32_t whole)
{
	/* The rank is total * part / whole, rounded up; the total is far below 2^64 / whole. */
	const uint64_t rank =
		(d->total / whole) * part + ((d->total % whole) * part + whole - 1) / whole;
	uint64_t seen = 0;

	sort_and_join(d, NULL);
	for (size_t i = 0; i < d->count; i++) {
		seen += d->v[i].count;
		if (seen >= rank && i + 1 < d->count)
			return d->v[i].value;
	}
	return d->greatest;
}
