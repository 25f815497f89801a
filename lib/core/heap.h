/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a binary heap of sources by the key of what each would give next: for merging many
 * sorted sources. Equal keys go by tie, which is the order of the sources, such as their CPU. The
 * caller owns the array.
 */
#ifndef TDAT_CORE_HEAP_H
#define TDAT_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tdat_heap_item {
	uint64_t key;
	uint64_t tie;
};

struct tdat_heap {
	struct tdat_heap_item *items; /* items[0] is the least */
	size_t count;
};

static inline bool tdat_heap_before(struct tdat_heap_item a, struct tdat_heap_item b)
{
	return a.key < b.key || (a.key == b.key && a.tie < b.tie);
}

/*
 * The item that would be the top without the present one, or the greatest possible item if
 * there is no other: as long as the top comes before it, the top stays.
 */
static inline struct tdat_heap_item tdat_heap_second(const struct tdat_heap *h)
{
	if (h->count < 2)
		return (struct tdat_heap_item){UINT64_MAX, UINT64_MAX};
	if (h->count > 2 && tdat_heap_before(h->items[2], h->items[1]))
		return h->items[2];
	return h->items[1];
}

/* Restores heap order after the item at index at became greater. */
static inline void tdat_heap_sift(struct tdat_heap *h, size_t at)
{
	struct tdat_heap_item item = h->items[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= h->count)
			break;
		if (child + 1 < h->count && tdat_heap_before(h->items[child + 1], h->items[child]))
			child++;
		if (!tdat_heap_before(h->items[child], item))
			break;
		h->items[at] = h->items[child];
		at = child;
	}
	h->items[at] = item;
}

/* Brings the items, which may be in any order, into heap order. */
static inline void tdat_heap_build(struct tdat_heap *h)
{
	size_t i = h->count / 2;

	while (i--)
		tdat_heap_sift(h, i);
}

/* Adds an item; the array must have room for one more. */
static inline void tdat_heap_push(struct tdat_heap *h, struct tdat_heap_item item)
{
	size_t i = h->count++;

	while (i && tdat_heap_before(item, h->items[(i - 1) / 2])) {
		h->items[i] = h->items[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->items[i] = item;
}

/* Replaces the top by the next item of its source. */
static inline void tdat_heap_replace_top(struct tdat_heap *h, struct tdat_heap_item item)
{
	h->items[0] = item;
	tdat_heap_sift(h, 0);
}

/* Removes the top, whose source has no further item. */
static inline void tdat_heap_drop_top(struct tdat_heap *h)
{
	h->items[0] = h->items[--h->count];
	if (h->count)
		tdat_heap_sift(h, 0);
}

#endif
