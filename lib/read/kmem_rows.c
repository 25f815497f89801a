/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the sums for each call site and each cache in a hash table. */
#include <stdlib.h>
#include <string.h>

#include "kmem.h"
#include "core/hash.h"

enum { ROWS_FIRST = 256, ROWS_MAX = 1 << 17 };

void kmem_rows_fini(struct kmem_rows *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		free((char *)r->rows[i].name);
	free(r->rows);
	free(r->index);
	*r = (struct kmem_rows){0};
}

static uint32_t hash(const struct kmem_rows *r, uint64_t call_site, enum tdat_kmem_kind kind,
		     struct tdat_span name)
{
	uint64_t h = tdat_hash_pair(r->seed, call_site, (uint64_t)kind);

	return (uint32_t)tdat_hash_pair(r->seed, h, tdat_hash_bytes(r->seed, name.ptr, name.len));
}

static struct tdat_span name_of(const struct tdat_kmem_row *row)
{
	return (struct tdat_span){(const uint8_t *)row->name, row->name ? strlen(row->name) : 0};
}

static bool is_row(const struct tdat_kmem_row *row, uint64_t call_site, enum tdat_kmem_kind kind,
		   struct tdat_span name)
{
	struct tdat_span own = name_of(row);

	return row->call_site == call_site && row->kind == kind && own.len == name.len &&
	       (!name.len || !memcmp(own.ptr, name.ptr, name.len));
}

static enum tdat_status grow(struct kmem_rows *r, struct tdat_error *err)
{
	uint32_t cap = r->cap ? r->cap * 2 : ROWS_FIRST;
	struct tdat_kmem_row *rows = realloc(r->rows, cap * sizeof(*rows));
	uint32_t *index;

	if (!rows)
		return tdat_error_no_memory(err, "counts by place");
	r->rows = rows;
	index = calloc((size_t)cap * 2, sizeof(*index));
	if (!index)
		return tdat_error_no_memory(err, "counts by place");
	if (!r->index)
		r->seed = tdat_hash_seed();
	free(r->index);
	r->index = index;
	r->index_count = cap * 2;
	r->cap = cap;
	if (!r->count)
		r->rows[r->count++] = (struct tdat_kmem_row){.rest = true};
	for (uint32_t i = 1; i < r->count; i++) {
		const struct tdat_kmem_row *row = &r->rows[i];
		uint32_t at = hash(r, row->call_site, row->kind, name_of(row));

		while (index[at & (r->index_count - 1)])
			at++;
		index[at & (r->index_count - 1)] = i;
	}
	return TDAT_OK;
}

enum tdat_status kmem_rows_find(struct kmem_rows *r, uint64_t call_site, enum tdat_kmem_kind kind,
				struct tdat_span name, uint32_t *row, struct tdat_error *err)
{
	uint32_t at, *slot;
	char *copy = NULL;

	if (r->count == r->cap) {
		enum tdat_status st = grow(r, err);

		if (st != TDAT_OK)
			return st;
	}
	for (at = hash(r, call_site, kind, name);; at++) {
		slot = &r->index[at & (r->index_count - 1)];
		if (!*slot)
			break;
		if (is_row(&r->rows[*slot], call_site, kind, name)) {
			*row = *slot;
			return TDAT_OK;
		}
	}
	*row = 0;
	if (r->count == ROWS_MAX)
		return TDAT_OK;
	if (name.len) {
		copy = strndup((const char *)name.ptr, name.len);
		if (!copy)
			return tdat_error_no_memory(err, "counts by place");
	}
	r->rows[r->count] =
		(struct tdat_kmem_row){.call_site = call_site, .kind = kind, .name = copy};
	*row = *slot = r->count++;
	return TDAT_OK;
}

static int order(const void *a, const void *b)
{
	const struct tdat_kmem_row *x = a, *y = b;
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

void kmem_rows_sort(struct kmem_rows *r)
{
	if (!r->count)
		return;
	qsort(r->rows, r->count, sizeof(*r->rows), order);
	if (!r->rows[r->count - 1].sum.allocs)
		r->count--; /* there is no rest */
}
