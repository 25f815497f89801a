/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts entries as the kernel does: by the bytes of their keys, then by lib/sort.c on the first
 * sort key, then each run of equal ones on the second. That heapsort is not stable, so that ties
 * come in an order which only the same steps give. Linux 6.11 changed the steps.
 */
#include "sort.h"

#include <stdlib.h>

#include "read.h"

/* An entry, and the number that stands for its sort key, if it is not compared as text. */
struct item {
	uint64_t rank;
	uint32_t entry;
};

struct sorting {
	const struct tdat_hist *h;
	const struct hist_data *d;
	const struct hist_map *m;
	bool descending;
	/* A key that is compared as text; NULL: by rank, which is turned round for descending. */
	const struct hist_field *text;
	struct item *v;
};

/* ---- comparing ---- */

/*
 * A number whose order without a sign is that of the field's own type, which the kernel casts
 * the 8 bytes of the key to.
 */
static uint64_t rank_of_number(const struct hist_field *f, uint64_t v)
{
	const bool own = f->field && !(f->flags & HF_CPU);
	const uint32_t len = own ? f->field->len : f->size;

	if (own ? f->field->is_signed : f->is_signed)
		return hist_sign_extend(v, len) ^ UINT64_C(1) << 63;
	return len < 8 ? v & ((UINT64_C(1) << 8 * len) - 1) : v;
}

static bool is_text(const struct hist_field *f)
{
	return (f->flags & HF_STRING) ||
	       (f->field && !(f->flags & HF_CPU) && f->field->kind == HIST_TYPE_POINTER);
}

static uint64_t rank_of(const struct sorting *s, const struct hist_field *key, uint32_t sum,
			uint32_t entry)
{
	uint8_t *at = hist_map_entry(s->m, entry);

	if (!key)
		return hist_entry_sums(s->m, at)[sum];
	if (key->flags & HF_STACKTRACE)
		return 0; /* all stacks are alike */
	return rank_of_number(key, tdat_load64(at + key->off, s->h->big));
}

static int compare(const struct sorting *s, uint32_t a, uint32_t b)
{
	const struct item *x = &s->v[a], *y = &s->v[b];
	int r;

	if (s->text) {
		r = strncmp((const char *)hist_map_entry(s->m, x->entry) + s->text->off,
			    (const char *)hist_map_entry(s->m, y->entry) + s->text->off,
			    s->text->size);
		return s->descending ? -r : r;
	}
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* ---- the heapsort, over v[from] ... ---- */

static void swap(const struct sorting *s, uint32_t a, uint32_t b)
{
	const struct item t = s->v[a];

	s->v[a] = s->v[b];
	s->v[b] = t;
}

/* Lets element i of a heap of m elements find its place, from the bottom up. */
static void sift_texts(const struct sorting *s, uint32_t from, uint32_t i, uint32_t m)
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

/*
 * The same for ranks. Which child is the larger one is as good as random, so that a jump would be
 * foretold wrong half of the time: the place is computed.
 */
static void sift_ranks(struct item *v, uint32_t i, uint32_t m, bool new_sort)
{
	const uint64_t rank = v[i].rank;
	uint32_t b = i, c;

	while (2 * b + 2 < m) {
		c = 2 * b + 1;
		b = c + (new_sort ? v[c].rank <= v[c + 1].rank : v[c].rank < v[c + 1].rank);
	}
	if (2 * b + 2 == m)
		b = 2 * b + 1;
	while (b != i && rank >= v[b].rank)
		b = (b - 1) / 2;
	c = b;
	while (b != i) {
		const struct item t = v[b = (b - 1) / 2];

		v[b] = v[c];
		v[c] = t;
	}
}

static void sift(const struct sorting *s, uint32_t from, uint32_t i, uint32_t m)
{
	if (s->text)
		sift_texts(s, from, i, m);
	else
		sift_ranks(s->v + from, i, m, s->h->kernel.new_sort);
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
	const struct item *x = a, *y = b;
	const struct hist_map *m = ctx;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return memcmp(hist_map_entry(m, x->entry), hist_map_entry(m, y->entry), m->key_len);
}

/* ---- the order of the bytes of keys ---- */

/* Keys of up to so many bytes are sorted byte by byte, from the last one on. */
enum { RADIX_LEN = 16, RADIX_LEAST = 64 };

struct radix_item {
	uint8_t key[RADIX_LEN];
	uint32_t entry;
};

static void count_bytes(const struct radix_item *v, uint32_t n, uint32_t at, uint32_t counts[256])
{
	memset(counts, 0, 256 * sizeof(*counts));
	for (uint32_t i = 0; i < n; i++)
		counts[v[i].key[at]]++;
}

/* False: there is no memory for it. */
static bool sort_by_bytes(const struct sorting *s, uint32_t n)
{
	struct radix_item *v = malloc(2 * (size_t)n * sizeof(*v)), *from = v, *to = v + n;
	uint32_t counts[256], sum = 0;

	if (!v)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(v[i].key, hist_map_entry(s->m, i), s->m->key_len);
		v[i].entry = i;
	}
	for (uint32_t at = s->m->key_len; at-- > 0; sum = 0) {
		struct radix_item *t;

		count_bytes(from, n, at, counts);
		/* A byte that all have alike changes nothing. */
		if (counts[from[0].key[at]] == n)
			continue;
		for (uint32_t i = 0; i < 256; i++) {
			const uint32_t count = counts[i];

			counts[i] = sum;
			sum += count;
		}
		for (uint32_t i = 0; i < n; i++)
			to[counts[from[i].key[at]]++] = from[i];
		t = from;
		from = to;
		to = t;
	}
	for (uint32_t i = 0; i < n; i++)
		s->v[i].entry = from[i].entry;
	free(v);
	return true;
}

static void sort_by_keys(const struct sorting *s, uint32_t n)
{
	if (s->m->key_len <= RADIX_LEN && n >= RADIX_LEAST && sort_by_bytes(s, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		s->v[i].entry = i;
		/* The first bytes of the key, as memcmp() takes them. */
		s->v[i].rank = tdat_load64(hist_map_entry(s->m, i), true);
	}
	qsort_r(s->v, n, sizeof(*s->v), by_key, s->d->map);
}

/* ---- sort= ---- */

/* A number of a sort key leaves variables out, which lie between values and keys. */
static void set_key(struct sorting *s, const struct hist_sort *by, uint32_t from, uint32_t n)
{
	const uint32_t vals = s->d->val_count - s->d->var_count;
	const struct hist_field *key =
		by->idx >= vals ? s->d->fields[by->idx + s->d->var_count] : NULL;

	s->descending = by->descending;
	s->text = key && !(key->flags & HF_STACKTRACE) && is_text(key) ? key : NULL;
	for (uint32_t i = from; !s->text && i < from + n; i++) {
		const uint64_t rank = rank_of(s, key, by->idx, s->v[i].entry);

		s->v[i].rank = by->descending ? ~rank : rank;
	}
}

/* Sorts each run of elements that the first sort key finds equal by the second. */
static void sort_runs(struct sorting *s, uint32_t n)
{
	const struct sorting first = *s;
	struct sorting second = *s;
	uint32_t from = 0;

	for (uint32_t to = 1; to <= n; to++) {
		if (to < n && !compare(&first, from, to))
			continue;
		set_key(&second, &s->d->sorts[1], from, to - from);
		sort_range(&second, from, to - from);
		from = to;
	}
}

uint32_t *hist_sort_entries(const struct tdat_hist *h, const struct hist_data *d)
{
	const uint32_t n = d->map->count;
	struct sorting s = {.h = h, .d = d, .m = d->map};
	uint32_t *order;

	s.v = malloc((n + (size_t)1) * sizeof(*s.v));
	if (!s.v)
		return NULL;
	sort_by_keys(&s, n);
	set_key(&s, &d->sorts[0], 0, n);
	sort_range(&s, 0, n);
	if (d->sort_count > 1)
		sort_runs(&s, n);
	order = (uint32_t *)(void *)s.v;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t entry = s.v[i].entry;

		memcpy(&order[i], &entry, sizeof(entry));
	}
	return order;
}
