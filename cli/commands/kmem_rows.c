/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the sums for each call site and each cache, for "tdat stat --kmem". They are an array with
 * a map to it. Beyond ROWS_MAX all further ones share one sum, which is row 0 until the rows are
 * sorted.
 */
#include "commands/kmem_rows.h"

#include <stdlib.h>
#include <string.h>

/* About 10 MiB of rows. */
enum { ROWS_MAX = 1 << 17 };

void kmem_rows_fini(struct kmem_rows *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		free((char *)r->rows[i].name);
	free(r->rows);
	tdat_map_fini(&r->map);
	*r = (struct kmem_rows){0};
}

/* A row is known by call site, kind and name together. */
static uint64_t hash(const struct kmem_rows *r, uint64_t call_site, enum kmem_kind kind,
		     struct tdat_span name)
{
	uint64_t h = tdat_hash_pair(r->map.seed, call_site, (uint64_t)kind);

	return tdat_hash_pair(r->map.seed, h, tdat_hash_bytes(r->map.seed, name.ptr, name.len));
}

static struct tdat_span name_of(const struct kmem_row *row)
{
	return (struct tdat_span){(const uint8_t *)row->name, row->name ? strlen(row->name) : 0};
}

/* Call sites have an empty name, caches a call site of 0. */
static bool is_row(const struct kmem_row *row, uint64_t call_site, enum kmem_kind kind,
		   struct tdat_span name)
{
	struct tdat_span own = name_of(row);

	return row->call_site == call_site && row->kind == kind && own.len == name.len &&
	       (!name.len || !memcmp(own.ptr, name.ptr, name.len));
}

/* Makes room for one more row, and row 0 with the first. False: no memory. */
static bool make_room(struct kmem_rows *r)
{
	if (!tdat_map_reserve(&r->map) || !TDAT_GROW(r->rows, &r->cap, (size_t)r->count + 2))
		return false;
	if (!r->count)
		r->rows[r->count++] = (struct kmem_row){.rest = true};
	return true;
}

/*
 * Returns the sum of a key, which is added if it is new; the shared sum without room for it; NULL:
 * no memory. The pointer is valid until the next call.
 */
struct kmem_sum *kmem_rows_find(struct kmem_rows *r, uint64_t call_site, enum kmem_kind kind,
				struct tdat_span name)
{
	char *copy = NULL;
	uint32_t row;
	uint64_t h;

	if (!make_room(r))
		return NULL;
	h = hash(r, call_site, kind, name);
	TDAT_MAP_FIND(row, &r->map, h, is_row(&r->rows[row], call_site, kind, name));
	if (row != TDAT_MAP_NONE)
		return &r->rows[row].sum;
	if (r->count == ROWS_MAX)
		return &r->rows[0].sum;
	if (name.len) {
		copy = strndup((const char *)name.ptr, name.len);
		if (!copy)
			return NULL;
	}
	r->rows[r->count] = (struct kmem_row){.call_site = call_site, .kind = kind, .name = copy};
	tdat_map_put(&r->map, h, r->count);
	return &r->rows[r->count++].sum;
}

/*
 * The largest waste first, then the largest size; ties in an order that is the same each time. The
 * shared sum comes last.
 */
static int order(const void *a, const void *b)
{
	const struct kmem_row *x = a, *y = b;
	int64_t wx = (int64_t)(x->sum.bytes_alloc - x->sum.bytes_req);
	int64_t wy = (int64_t)(y->sum.bytes_alloc - y->sum.bytes_req);

	if (x->rest != y->rest)
		return x->rest ? 1 : -1;
	if (wx != wy)
		return wx < wy ? 1 : -1;
	if (x->sum.bytes_alloc != y->sum.bytes_alloc)
		return x->sum.bytes_alloc < y->sum.bytes_alloc ? 1 : -1;
	if (x->call_site != y->call_site)
		return x->call_site < y->call_site ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

/* Rows are not found by the map any more after this. The shared sum is dropped if it is empty. */
void kmem_rows_sort(struct kmem_rows *r)
{
	if (!r->count)
		return;
	qsort(r->rows, r->count, sizeof(*r->rows), order);
	if (!r->rows[r->count - 1].sum.allocs)
		r->count--; /* there is no rest */
}
