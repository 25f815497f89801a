/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The smallest of several streams' next records, for k-way merges. Order: key,
 * then CPU, then stream. The caller owns the array.
 */
#ifndef TDAT_IMPORT_HEAP_H
#define TDAT_IMPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct import_heap_item {
	uint64_t key;
	uint32_t cpu;
	uint32_t stream;
};

struct import_heap {
	struct import_heap_item *items; /* items[0] is the smallest */
	size_t count;
};

static inline bool import_heap_before(const struct import_heap_item *a,
				      const struct import_heap_item *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu;
	return a->stream < b->stream;
}

/* Sinks the item at index i to its place. */
static inline void import_heap_sink(struct import_heap *h, size_t i)
{
	struct import_heap_item moving = h->items[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->count)
			break;
		if (child + 1 < h->count &&
		    import_heap_before(&h->items[child + 1], &h->items[child]))
			child++;
		if (!import_heap_before(&h->items[child], &moving))
			break;
		h->items[i] = h->items[child];
		i = child;
	}
	h->items[i] = moving;
}

/* The array must have room for one more. */
static inline void import_heap_push(struct import_heap *h, struct import_heap_item item)
{
	size_t i = h->count++;

	while (i && import_heap_before(&item, &h->items[(i - 1) / 2])) {
		h->items[i] = h->items[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->items[i] = item;
}

/* The smallest stream has a new record, or (pop) none any more. */
static inline void import_heap_replace(struct import_heap *h, uint64_t key, uint32_t cpu)
{
	h->items[0].key = key;
	h->items[0].cpu = cpu;
	import_heap_sink(h, 0);
}

static inline void import_heap_pop(struct import_heap *h)
{
	h->items[0] = h->items[--h->count];
	if (h->count)
		import_heap_sink(h, 0);
}

#endif
