/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of a column's buffers: it grows, and may be handed over to an Arrow array. */
#ifndef TDAT_TABLE_MEMORY_H
#define TDAT_TABLE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include <tdat/base.h>

#include "core/grow.h"

struct table_mem {
	uint8_t *ptr;
	size_t len, cap; /* bytes */
};

/*
 * A pointer to room for n bytes behind the end, or NULL without memory. Eight bytes more than
 * asked for are there, so that whole words may be stored.
 */
static inline uint8_t *table_mem_room(struct table_mem *m, size_t n)
{
	size_t need, cap = m->cap;
	uint8_t *grown;

	if (n + 8 <= m->cap - m->len && m->ptr)
		return m->ptr + m->len;
	if (!tdat_add_size(m->len, n, &need) || !tdat_add_size(need, 8, &need))
		return NULL;
	/* The first time rows say how much will be needed: thousands of tables have no more than
	 * that. */
	if (!m->ptr && !tdat_add_size(need, need / 8, &cap))
		return NULL;
	grown = tdat_grown(m->ptr, &cap, need, 1);
	if (!grown)
		return NULL;
	m->ptr = grown;
	m->cap = cap;
	return grown + m->len;
}

static inline bool table_mem_put(struct table_mem *m, const void *p, size_t n)
{
	uint8_t *room = table_mem_room(m, n);

	if (!room)
		return false;
	if (n)
		memcpy(room, p, n);
	m->len += n;
	return true;
}

/* Stores the low len bytes, of 1, 2, 4 or 8, in the order of the machine. */
static inline void table_put_wide(uint8_t *at, uint64_t v, size_t len)
{
	switch (len) {
	case 1:
		*at = (uint8_t)v;
		break;
	case 2:
		memcpy(at, &(uint16_t){(uint16_t)v}, 2);
		break;
	case 4:
		memcpy(at, &(uint32_t){(uint32_t)v}, 4);
		break;
	default:
		memcpy(at, &v, 8);
	}
}
static inline void table_mem_fini(struct table_mem *m)
{
	free(m->ptr);
	memset(m, 0, sizeof(*m));
}

#endif
