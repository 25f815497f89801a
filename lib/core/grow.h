/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes arrays grow: this is the one place where a list's memory is doubled, with every size
 * checked for overflow.
 *
 *   if (!TDAT_GROW(list->v, &list->cap, list->count + 1))
 *           return tdat_error_no_memory(err, "names");
 *   list->v[list->count++] = name;
 */
#ifndef TDAT_CORE_GROW_H
#define TDAT_CORE_GROW_H

#include <stdlib.h>
#include <string.h>

#include "checked.h"

/*
 * Returns the array p with room for at least need elements of elem_len bytes, moved if
 * it had to be, and sets *cap to the elements that fit. On failure, which is no memory or
 * a size beyond what size_t counts, it returns NULL, and p and *cap are as they were.
 * New elements are not cleared. The caller frees the array with free().
 */
static inline void *tdat_grown(void *p, size_t *cap, size_t need, size_t elem_len)
{
	size_t more = *cap, len;

	if (p && need <= more)
		return p;
	if (more < 8)
		more = 8;
	while (more < need)
		if (!tdat_mul_size(more, 2, &more))
			return NULL;
	if (!tdat_mul_size(more, elem_len, &len) || len > PTRDIFF_MAX)
		return NULL;
	p = realloc(p, len);
	if (p)
		*cap = more;
	return p;
}

/* As tdat_grown, for the array pointer at that place, which stays as it was on failure. */
static inline bool tdat_grow(void *place, size_t *cap, size_t need, size_t elem_len)
{
	void *p;

	memcpy(&p, place, sizeof(p));
	p = tdat_grown(p, cap, need, elem_len);
	if (p)
		memcpy(place, &p, sizeof(p));
	return p != NULL;
}

/* Also clears the new elements. */
static inline bool tdat_grow_zero(void *place, size_t *cap, size_t need, size_t elem_len)
{
	const size_t was = *cap;
	uint8_t *p;

	if (!tdat_grow(place, cap, need, elem_len))
		return false;
	memcpy(&p, place, sizeof(p));
	memset(p + was * elem_len, 0, (*cap - was) * elem_len);
	return true;
}

/* Make room for need elements in an array; false: no memory. */
#define TDAT_GROW(array, cap, need) tdat_grow(&(array), (cap), (need), sizeof(*(array)))
#define TDAT_GROW_ZERO(array, cap, need) tdat_grow_zero(&(array), (cap), (need), sizeof(*(array)))

#endif
