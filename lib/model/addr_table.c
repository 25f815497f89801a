/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds and searches a table from addresses to texts. A list is filled first and then sorted once,
 * by radix if it is not sorted already; a search walks an array in the order of a binary tree,
 * which is kind to caches. If addresses are equal, a search finds the entry that libtraceevent's
 * bsearch() would find. The table is immutable afterwards and shared by threads. Users: symbols,
 * printk formats, tasks.
 */
#include "addr_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/*
 * Six passes of 11 bits cover the 64 bits of an address; the counts of one pass (16 KB) stay in the
 * first-level cache.
 */
#define RADIX_BITS 11
#define RADIX_SIZE (1u << RADIX_BITS)
#define RADIX_PASSES 6

/*
 * Appends one entry; off and len are a part of the text that the table's owner keeps. Callers limit
 * texts to 4 GB, so both fit in 32 bits.
 */
bool model_addr_list_add(struct model_addr_list *list, uint64_t addr, size_t off, size_t len)
{
	if (!TDAT_GROW(list->v, &list->cap, list->count + 1))
		return false;
	list->v[list->count].addr = addr;
	list->v[list->count].off = (uint32_t)off;
	list->v[list->count].len = (uint32_t)len;
	list->count++;
	return true;
}

void model_addr_list_fini(struct model_addr_list *list)
{
	free(list->v);
	memset(list, 0, sizeof(*list));
}

/*
 * True if nothing has to be moved. /proc/kallsyms lists the kernel's own symbols by address, but
 * those of modules follow in another order.
 */
static bool is_sorted(const struct model_addr_list *list)
{
	size_t i;

	for (i = 1; i < list->count; i++)
		if (list->v[i - 1].addr > list->v[i].addr)
			return false;
	return true;
}

/* Returns the digit that a pass sorts by; pass 0 is the lowest. */
static size_t digit(uint64_t addr, unsigned int pass)
{
	return (size_t)(addr >> (pass * RADIX_BITS)) & (RADIX_SIZE - 1);
}

/*
 * Does one stable pass from src to dst. counts has the number of entries of each digit, and is
 * consumed.
 */
static void scatter(struct model_addr_entry *dst, const struct model_addr_entry *src, size_t n,
		    unsigned int pass, size_t *counts)
{
	size_t sum = 0;
	size_t i;

	for (i = 0; i < RADIX_SIZE; i++) {
		size_t c = counts[i];

		counts[i] = sum;
		sum += c;
	}
	for (i = 0; i < n; i++)
		dst[counts[digit(src[i].addr, pass)]++] = src[i];
}

/*
 * Sorts stably by address: entries of one address keep the order of the file, on which the choice
 * between them relies. False: no memory, list unchanged.
 */
static bool radix_sort(struct model_addr_list *list)
{
	size_t *counts = (size_t *)calloc((size_t)RADIX_PASSES * RADIX_SIZE, sizeof(*counts));
	struct model_addr_entry *src = list->v;
	struct model_addr_entry *dst;
	unsigned int pass;
	size_t i;

	/* list->cap is known not to overflow: list->v has that size. */
	dst = (struct model_addr_entry *)malloc(list->cap * sizeof(*dst));
	if (!counts || !dst) {
		free(counts);
		free(dst);
		return false;
	}
	/* One walk counts the digits of all passes. */
	for (i = 0; i < list->count; i++)
		for (pass = 0; pass < RADIX_PASSES; pass++)
			counts[pass * RADIX_SIZE + digit(src[i].addr, pass)]++;
	for (pass = 0; pass < RADIX_PASSES; pass++) {
		size_t *mine = counts + pass * RADIX_SIZE;
		struct model_addr_entry *swap = src;

		/* All entries have the same digit here, as the top bits of kernel addresses do. */
		if (mine[digit(src[0].addr, pass)] == list->count)
			continue;
		scatter(dst, src, list->count, pass, mine);
		src = dst;
		dst = swap;
	}
	list->v = src;
	free(dst);
	free(counts);
	return true;
}

/*
 * Returns what bsearch() over n elements finds when those in [lo, hi) are equal to the key: the
 * first of them that it compares with the key.
 */
static size_t bsearch_hit(size_t n, size_t lo, size_t hi)
{
	size_t from = 0;
	size_t to = n;

	while (from < to) {
		size_t i = from + (to - from) / 2;

		if (i < lo)
			from = i + 1;
		else if (i >= hi)
			to = i;
		else
			return i;
	}
	return lo;
}

static struct model_addr_value value_of(const struct model_addr_entry *e)
{
	struct model_addr_value v = {e->off, e->len};

	return v;
}

/*
 * Writes the sorted entries into the tree by an in-order walk: rank i gets index k. Children of
 * index k are 2k and 2k + 1, so the top levels share cache lines.
 */
static size_t fill_tree(struct model_addr_table *t, const struct model_addr_list *list)
{
	size_t lo = 0;
	size_t k = 1;

	if (!t->count)
		return 0;
	/* The lowest address is the leftmost node. */
	while (2 * k <= t->count)
		k *= 2;
	while (lo < list->count) {
		size_t hi = lo + 1;
		size_t hit = lo;

		while (hi < list->count && list->v[hi].addr == list->v[lo].addr)
			hi++;
		/*
		 * libtraceevent sorts the list in reverse order, so its hit is mirrored in this run
		 * of equal addresses.
		 */
		if (hi - lo > 1)
			hit = hi - 1 - (bsearch_hit(list->count, lo, hi) - lo);
		t->keys[k] = list->v[lo].addr;
		t->exact[k] = value_of(&list->v[hit]);
		t->inside[k] = value_of(&list->v[lo]);
		t->ends[k] = hi < list->count ? list->v[hi].addr : t->last + 1;
		lo = hi;
		/*
		 * The next rank is the leftmost node of the right subtree, or the first ancestor
		 * that lies to the right.
		 */
		if (2 * k + 1 <= t->count) {
			k = 2 * k + 1;
			while (2 * k <= t->count)
				k *= 2;
		} else {
			while (k & 1)
				k /= 2;
			k /= 2;
		}
	}
	return lo;
}

/* Builds the table. The list is sorted in place and may be freed afterwards: entries are copied. */
bool model_addr_table_init(struct model_addr_table *t, struct model_addr_list *list)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	if (!list->count)
		return true;
	if (!is_sorted(list) && !radix_sort(list))
		return false;
	t->total = list->count;
	/* Equal addresses share one node. */
	t->count = 1;
	for (i = 1; i < list->count; i++)
		t->count += list->v[i].addr != list->v[i - 1].addr;
	t->last = list->v[list->count - 1].addr;
	/* Index 0 is unused: model_addr_table_below() returns it if no address is low enough. */
	t->keys = (uint64_t *)calloc(t->count + 1, sizeof(*t->keys));
	t->exact = (struct model_addr_value *)calloc(t->count + 1, sizeof(*t->exact));
	t->inside = (struct model_addr_value *)calloc(t->count + 1, sizeof(*t->inside));
	t->ends = (uint64_t *)calloc(t->count + 1, sizeof(*t->ends));
	if (!t->keys || !t->exact || !t->inside || !t->ends)
		return false;
	fill_tree(t, list);
	return true;
}

void model_addr_table_fini(struct model_addr_table *t)
{
	free(t->keys);
	free(t->exact);
	free(t->inside);
	free(t->ends);
	memset(t, 0, sizeof(*t));
}
