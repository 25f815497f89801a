/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts entries as the kernel does: by the bytes of their keys, then by lib/sort.c on the first
 * sort key, then each run of equal ones on the second. The heapsort of lib/sort.c is not stable:
 * only the same steps give the same order of ties. Linux 6.11 changed the steps.
 */
#include "sort.h"

#include <stdlib.h>

#include "eval.h"
#include "read.h"

/* An entry, and a number that it is sorted by. */
struct item {
	uint64_t rank;
	uint32_t entry;
};

/*
 * The state of one sort. Elements of v are small, as most of the time is spent waiting for memory.
 */
struct sorting {
	const struct tdat_hist *h;
	const struct hist_data *d;
	const struct hist_map *m;
	bool descending;
	/* NULL: elements are compared by rank; ranks of a descending key are inverted. */
	const struct hist_field *text;
	/*
	 * Each element: the entry's number in the lower half, the rank of its sort key in the upper
	 * one.
	 */
	uint64_t *v;
};

/* ---- comparing ---- */

/*
 * Returns a number whose unsigned order is that of the field's own type. The kernel casts the 8
 * bytes of the key to that type.
 */
static uint64_t rank_of_number(const struct hist_field *f, uint64_t v)
{
	const bool own = f->field && !(f->flags & HF_CPU);
	const uint32_t len = own ? f->field->len : f->size;

	if (own ? f->field->is_signed : f->is_signed)
		return hist_sign_extend(v, len) ^ UINT64_C(1) << 63;
	return len < 8 ? v & ((UINT64_C(1) << 8 * len) - 1) : v;
}

/* True if keys are compared as text. The kernel compares strings behind pointers, too. */
static bool is_text(const struct hist_field *f)
{
	return (f->flags & HF_STRING) ||
	       (f->field && !(f->flags & HF_CPU) && f->field->kind == HIST_TYPE_POINTER);
}

/* key: NULL for a value, whose sum is compared. */
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

/* Compares two elements by the current sort key: below, equal to or above 0. */
static int compare(const struct sorting *s, uint32_t a, uint32_t b)
{
	const uint64_t x = s->v[a], y = s->v[b];
	int r;

	/* The key holds the text, padded with NULs, so size bounds the comparison. */
	if (s->text) {
		r = strncmp((const char *)hist_map_entry(s->m, (uint32_t)x) + s->text->off,
			    (const char *)hist_map_entry(s->m, (uint32_t)y) + s->text->off,
			    s->text->size);
		return s->descending ? -r : r;
	}
	return (x >> 32 > y >> 32) - (x >> 32 < y >> 32);
}

/* ---- the heapsort, over v[from] ... ---- */

static void swap(const struct sorting *s, uint32_t a, uint32_t b)
{
	const uint64_t t = s->v[a];

	s->v[a] = s->v[b];
	s->v[b] = t;
}

/*
 * Sifts element i of a heap of m elements down: to a leaf by the larger child, then up to its
 * place. That is the bottom-up heapsort of lib/sort.c.
 */
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
 * The same for ranks. The larger child is random, so a branch would be mispredicted half of the
 * time: its index is computed.
 */
static void sift_ranks(uint64_t *v, uint32_t i, uint32_t m, bool new_sort)
{
	const uint64_t rank = v[i] >> 32;
	uint32_t b = i, c;

	while (2 * b + 2 < m) {
		c = 2 * b + 1;
		b = c + (new_sort ? v[c] >> 32 <= v[c + 1] >> 32 : v[c] >> 32 < v[c + 1] >> 32);
	}
	if (2 * b + 2 == m)
		b = 2 * b + 1;
	while (b != i && rank >= v[b] >> 32)
		b = (b - 1) / 2;
	c = b;
	while (b != i) {
		const uint64_t t = v[b = (b - 1) / 2];

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

/* The largest element goes to the end; the heap shrinks by one. */
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

/* Builds the heap, then takes elements out. */
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

/* ---- sorting by numbers: a radix sort, from the last byte on ---- */

static void count_bytes(const struct item *v, uint32_t n, uint32_t shift, uint32_t counts[256])
{
	memset(counts, 0, 256 * sizeof(*counts));
	for (uint32_t i = 0; i < n; i++)
		counts[v[i].rank >> shift & 255]++;
}

/* Sorts by rank; equal ranks keep their order. v has room for 2 * n items. */
static void sort_items(struct item *v, uint32_t n)
{
	struct item *from = v, *to = v + n, *t;
	uint32_t counts[256];

	for (uint32_t shift = 0; n && shift < 64; shift += 8) {
		uint32_t sum = 0;

		count_bytes(from, n, shift, counts);
		/* A byte that all have alike changes nothing. */
		if (counts[from[0].rank >> shift & 255] == n)
			continue;
		/* Counts become the first index of each byte value. */
		for (uint32_t i = 0; i < 256; i++) {
			const uint32_t count = counts[i];

			counts[i] = sum;
			sum += count;
		}
		for (uint32_t i = 0; i < n; i++)
			to[counts[from[i].rank >> shift & 255]++] = from[i];
		t = from;
		from = to;
		to = t;
	}
	/* After an odd number of passes the result is in the second half. */
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* ---- the order of the bytes of keys ---- */

/* Keys are sorted as integers if they differ in at most this many bytes. */
enum { DIFFERING = 16 };

/*
 * Finds the offsets where not all keys have the same byte. The result is their number; above
 * DIFFERING the offsets are incomplete.
 */
static uint32_t find_differing(const struct sorting *s, uint32_t n, uint32_t at[DIFFERING])
{
	/* Bits that differ from the first key, 8 bytes at a time: key_len is a multiple of 8. */
	uint64_t bits[HIST_KEY_MOST / 8] = {0}, a, b;
	uint32_t count = 0;
	uint8_t byte[8];

	for (uint32_t i = 1; i < n; i++) {
		const uint8_t *first = hist_map_entry(s->m, 0), *key = hist_map_entry(s->m, i);

		for (uint32_t k = 0; k < s->m->key_len; k += 8) {
			memcpy(&a, first + k, 8);
			memcpy(&b, key + k, 8);
			bits[k / 8] |= a ^ b;
		}
	}
	for (uint32_t k = 0; k < s->m->key_len; k++) {
		memcpy(byte, &bits[k / 8], 8);
		if (byte[k % 8] && count++ < DIFFERING)
			at[count - 1] = k;
	}
	return count;
}

/* Sorts by the count bytes of the key at these offsets; count is at most 8. */
static void sort_by_bytes(const struct sorting *s, struct item *v, uint32_t n, const uint32_t *at,
			  uint32_t count)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *key = hist_map_entry(s->m, v[i].entry);

		v[i].rank = 0;
		for (uint32_t k = 0; k < count; k++)
			v[i].rank = v[i].rank << 8 | key[at[k]];
	}
	sort_items(v, n);
}

/* For qsort_r(): the first 8 bytes as a number, then the whole key. */
static int by_key(const void *a, const void *b, void *ctx)
{
	const struct item *x = a, *y = b;
	const struct hist_map *m = ctx;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return memcmp(hist_map_entry(m, x->entry), hist_map_entry(m, y->entry), m->key_len);
}

/* Sorts entries by the bytes of their keys: the kernel's first order (cmp_entries_dup()). */
static void sort_by_keys(const struct sorting *s, struct item *v, uint32_t n)
{
	uint32_t at[DIFFERING] = {0};
	const uint32_t count = find_differing(s, n, at), first = count < 8 ? count : 8;

	for (uint32_t i = 0; i < n; i++)
		v[i].entry = i;
	/* Two stable passes: the less significant bytes first. */
	if (count <= DIFFERING) {
		if (count > first)
			sort_by_bytes(s, v, n, at + first, count - first);
		sort_by_bytes(s, v, n, at, first);
		return;
	}
	/* The first bytes of the key, as memcmp() takes them. */
	for (uint32_t i = 0; i < n; i++)
		v[i].rank = tdat_load64(hist_map_entry(s->m, i), true);
	qsort_r(v, n, sizeof(*v), by_key, s->d->map);
}

/* ---- sort= ---- */

/*
 * Returns the key that a sort key names, or NULL for a value. Its number leaves out variables,
 * which lie between values and keys.
 */
static const struct hist_field *key_of(const struct hist_data *d, const struct hist_sort *by)
{
	return by->idx >= d->val_count - d->var_count ? d->fields[by->idx + d->var_count] : NULL;
}

/* Numbers the distinct ranks from 0: used if they span more than 32 bits. */
static void number_ranks(struct item *v, uint32_t n, uint32_t *ranks)
{
	uint32_t rank = 0;

	sort_items(v, n);
	for (uint32_t i = 0; i < n; i++) {
		rank += i && v[i].rank != v[i - 1].rank;
		ranks[v[i].entry] = rank;
	}
}

/* The rank of each entry by one sort key. items has room for 2 * n. */
static void make_ranks(const struct sorting *s, const struct hist_sort *by, struct item *items,
		       uint32_t n, uint32_t *ranks)
{
	const struct hist_field *key = key_of(s->d, by);
	uint64_t least = UINT64_MAX, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t rank = rank_of(s, key, by->idx, i);

		items[i].entry = i;
		items[i].rank = by->descending ? ~rank : rank;
		least = items[i].rank < least ? items[i].rank : least;
		most = items[i].rank > most ? items[i].rank : most;
	}
	/* Ranks must fit into the upper half of an element. */
	if (n && most - least > UINT32_MAX) {
		number_ranks(items, n, ranks);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		ranks[i] = (uint32_t)(items[i].rank - least);
}

/* Makes a sort key the one that is compared. */
static void set_key(struct sorting *s, const struct hist_sort *by, struct item *items, uint32_t n,
		    uint32_t *ranks)
{
	const struct hist_field *key = key_of(s->d, by);

	s->descending = by->descending;
	s->text = key && !(key->flags & HF_STACKTRACE) && is_text(key) ? key : NULL;
	if (!s->text)
		make_ranks(s, by, items, n, ranks);
}

/* Sets the upper halves. Text keys have no ranks. */
static void put_ranks(const struct sorting *s, uint32_t from, uint32_t to, const uint32_t *ranks)
{
	for (uint32_t i = from; !s->text && i < to; i++)
		s->v[i] = (uint64_t)ranks[(uint32_t)s->v[i]] << 32 | (uint32_t)s->v[i];
}

/* Sorts each run of elements that the first sort key finds equal by the second. */
static void sort_runs(struct sorting *s, struct item *items, uint32_t n, uint32_t *ranks)
{
	const struct sorting first = *s;
	struct sorting second = *s;
	uint32_t from = 0;

	set_key(&second, &s->d->sorts[1], items, n, ranks);
	for (uint32_t to = 1; to <= n; to++) {
		if (to < n && !compare(&first, from, to))
			continue;
		put_ranks(&second, from, to, ranks);
		/* sort_range() changes nothing in runs of one. */
		sort_range(&second, from, to - from);
		from = to;
	}
}

uint32_t *hist_sort_entries(const struct tdat_hist *h, const struct hist_data *d)
{
	const uint32_t n = (uint32_t)d->map->index.count;
	struct sorting s = {.h = h, .d = d, .m = d->map};
	struct item *items = malloc((2 * (size_t)n + 1) * sizeof(*items));
	uint32_t *ranks = malloc((n + (size_t)1) * sizeof(*ranks));

	/* One more than n each: malloc(0) may return NULL. */
	s.v = malloc((n + (size_t)1) * sizeof(*s.v));
	if (s.v && items && ranks) {
		/* The order by keys is the input of the heapsort, so ties depend on it. */
		sort_by_keys(&s, items, n);
		for (uint32_t i = 0; i < n; i++)
			s.v[i] = items[i].entry;
		set_key(&s, &d->sorts[0], items, n, ranks);
		put_ranks(&s, 0, n, ranks);
		sort_range(&s, 0, n);
		if (d->sort_count > 1)
			sort_runs(&s, items, n, ranks);
		for (uint32_t i = 0; i < n; i++)
			ranks[i] = (uint32_t)s.v[i];
	} else {
		free(ranks);
		ranks = NULL;
	}
	free(items);
	free(s.v);
	return ranks;
}
