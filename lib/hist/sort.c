/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts entries as the kernel does: by the bytes of their keys, then by lib/sort.c on the first
 * sort key, then each run of equal ones on the second. That heapsort is not stable, so that ties
 * come in an order which only the same steps give. Linux 6.11 changed the steps.
 */
#include "sort.h"

#include <stdlib.h>

#include "read.h"

struct sorting {
	const struct tdat_hist *h;
	const struct hist_data *d;
	const struct hist_map *m;
	const struct hist_sort *by;
	const struct hist_field *key; /* NULL: by a sum */
	uint32_t sum;
	uint32_t *v;
};

/* ---- comparing ---- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* As the field's own type, cast from the 8 bytes of the key. */
static int compare_numbers(const struct sorting *s, const uint8_t *a, const uint8_t *b)
{
	const struct hist_field *f = s->key;
	const bool own = f->field && !(f->flags & HF_CPU);
	const uint32_t len = own ? f->field->len : f->size;
	const bool is_signed = own ? f->field->is_signed : f->is_signed;
	uint64_t x = tdat_load64(a, s->h->big), y = tdat_load64(b, s->h->big);

	if (is_signed)
		return compare_i64((int64_t)hist_sign_extend(x, len),
				   (int64_t)hist_sign_extend(y, len));
	if (len < 8) {
		const uint64_t mask = (UINT64_C(1) << 8 * len) - 1;

		x &= mask;
		y &= mask;
	}
	return compare_u64(x, y);
}

static int compare(const struct sorting *s, uint32_t a, uint32_t b)
{
	uint8_t *x = hist_map_entry(s->m, s->v[a]), *y = hist_map_entry(s->m, s->v[b]);
	const struct hist_field *f = s->key;
	int r;

	if (!f)
		r = compare_u64(hist_entry_sums(s->m, x)[s->sum], hist_entry_sums(s->m, y)[s->sum]);
	else if (f->flags & HF_STACKTRACE)
		r = 0;
	else if ((f->flags & HF_STRING) ||
		 (f->field && !(f->flags & HF_CPU) && f->field->kind == HIST_TYPE_POINTER))
		r = strncmp((const char *)x + f->off, (const char *)y + f->off, f->size);
	else
		r = compare_numbers(s, x + f->off, y + f->off);
	return s->by->descending ? -r : r;
}

/* ---- the heapsort, over v[from] ... ---- */

static void swap(const struct sorting *s, uint32_t a, uint32_t b)
{
	const uint32_t t = s->v[a];

	s->v[a] = s->v[b];
	s->v[b] = t;
}

/* Lets element i of a heap of m elements find its place, from the bottom up. */
static void sift(const struct sorting *s, uint32_t from, uint32_t i, uint32_t m)
{
	const int left = s->h->kernel.new_sort ? 1 : 0;
	uint32_t b = i, c;

	while (2 * b + 2 < m) {
		c = 2 * b + 1;
		b = compare(s, from + c, from + c + 1) >= left ? c : c + 1;
	}
	if (2 * b + 2 == m)
		b = 2 * b + 1;
	while (b != i && compare(s, from + i, from + b) >= 0)
		b = (b - 1) / 2;
	c = b;
	while (b != i) {
		b = (b - 1) / 2;
		swap(s, from + b, from + c);
	}
}

static void take_one_by_one(const struct sorting *s, uint32_t from, uint32_t n)
{
	for (uint32_t m = n; --m > 0;) {
		swap(s, from, from + m);
		sift(s, from, 0, m);
	}
}

/* Linux 6.11 and later take the two largest out at a time. */
static void take_by_twos(const struct sorting *s, uint32_t from, uint32_t n)
{
	uint32_t m = n, i;

	while (m > 3) {
		swap(s, from, from + --m);
		i = compare(s, from + 1, from + 2) <= 0 ? 2 : 1;
		swap(s, from + i, from + --m);
		sift(s, from, i, m);
		sift(s, from, 0, m);
	}
	swap(s, from, from + --m);
	if (m == 2 && compare(s, from, from + 1) > 0)
		swap(s, from, from + 1);
}

static void sort_range(const struct sorting *s, uint32_t from, uint32_t n)
{
	if (n < 2)
		return;
	for (uint32_t i = n / 2; i-- > 0;)
		sift(s, from, i, n);
	if (s->h->kernel.new_sort)
		take_by_twos(s, from, n);
	else
		take_one_by_one(s, from, n);
}

/* ---- all of it ---- */

static int by_key(const void *a, const void *b, void *ctx)
{
	const uint32_t *x = a, *y = b;
	const struct hist_map *m = ctx;

	return memcmp(hist_map_entry(m, *x), hist_map_entry(m, *y), m->key_len);
}

/* A number of a sort key leaves variables out, which lie between values and keys. */
static void set_key(struct sorting *s, const struct hist_sort *by)
{
	const uint32_t vals = s->d->val_count - s->d->var_count;

	s->by = by;
	s->sum = by->idx;
	s->key = by->idx >= vals ? s->d->fields[by->idx + s->d->var_count] : NULL;
}

uint32_t *hist_sort_entries(const struct tdat_hist *h, const struct hist_data *d)
{
	const uint32_t n = d->map->count;
	struct sorting s = {.h = h, .d = d, .m = d->map};
	uint32_t from = 0;

	s.v = malloc((n + 1) * sizeof(*s.v));
	if (!s.v)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		s.v[i] = i;
	qsort_r(s.v, n, sizeof(*s.v), by_key, d->map);
	set_key(&s, &d->sorts[0]);
	sort_range(&s, 0, n);
	for (uint32_t to = 1; d->sort_count > 1 && to <= n; to++) {
		set_key(&s, &d->sorts[0]);
		if (to < n && !compare(&s, from, to))
			continue;
		set_key(&s, &d->sorts[1]);
		sort_range(&s, from, to - from);
		from = to;
	}
	return s.v;
}
