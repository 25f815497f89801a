/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares for qsort, and searches in arrays that are in order, by halves. */
#ifndef TDAT_CORE_SEARCH_H
#define TDAT_CORE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * TDAT_SEARCH sets the size_t i to the first index of an ordered array of count elements for which
 * the expression before, which names i, is false; or to count, where it is true for all:
 *
 *   TDAT_SEARCH(i, list->count, list->v[i].off < off);
 */
#define TDAT_SEARCH(i, count, before)                                                              \
	do {                                                                                       \
		size_t search_low_ = 0, search_high_ = (count);                                    \
                                                                                                   \
		while (search_low_ < search_high_) {                                               \
			(i) = search_low_ + (search_high_ - search_low_) / 2;                      \
			if (before)                                                                \
				search_low_ = (i) + 1;                                             \
			else                                                                       \
				search_high_ = (i);                                                \
		}                                                                                  \
		(i) = search_low_;                                                                 \
	} while (0)

/* The order of two values, for qsort: then, which is another order, where they are equal. */
#define TDAT_ORDER(x, y, then) ((x) < (y) ? -1 : (x) > (y) ? 1 : (then))

/* The order of numbers, for qsort and bsearch. */
static inline int tdat_by_u32(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static inline int tdat_by_s32(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static inline int tdat_by_s64(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static inline int tdat_by_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The order of texts, of which there are pointers. */
static inline int tdat_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#endif
