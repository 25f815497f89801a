/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams of one buffer in order of time: a binary heap whose top is replaced
 * (one sift per record). Ties go to the lower index, that is the lower CPU.
 */
#ifndef TDAT_READ_MERGE_H
#define TDAT_READ_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge_key {
	uint64_t ts;
	uint32_t index;
};

struct merge_heap {
	struct merge_key *keys;
	size_t count;
};

static inline bool merge_before(struct merge_key a, struct merge_key b)
{
	return a.ts < b.ts || (a.ts == b.ts && a.index < b.index);
}

/* What the top must not come behind to stay the top. */
static inline struct merge_key merge_second(const struct merge_heap *h)
{
	if (h->count < 2)
		return (struct merge_key){UINT64_MAX, UINT32_MAX};
	if (h->count > 2 && merge_before(h->keys[2], h->keys[1]))
		return h->keys[2];
	return h->keys[1];
}

/* Puts the changed top where it belongs. */
static inline void merge_sift(struct merge_heap *h, size_t at)
{
	struct merge_key key = h->keys[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= h->count)
			break;
		if (child + 1 < h->count && merge_before(h->keys[child + 1], h->keys[child]))
			child++;
		if (!merge_before(h->keys[child], key))
			break;
		h->keys[at] = h->keys[child];
		at = child;
	}
	h->keys[at] = key;
}

static inline void merge_build(struct merge_heap *h)
{
	size_t i = h->count / 2;

	while (i--)
		merge_sift(h, i);
}

static inline void merge_replace_top(struct merge_heap *h, uint64_t ts)
{
	h->keys[0].ts = ts;
	merge_sift(h, 0);
}

static inline void merge_drop_top(struct merge_heap *h)
{
	h->keys[0] = h->keys[--h->count];
	if (h->count)
		merge_sift(h, 0);
}

#endif
