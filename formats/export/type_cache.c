/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes and frees what type_cache.h declares. The cache is an array of pointers by input and
 * id, with a bit for each that is made, as few of them are. It belongs to one thread; the
 * exporter says how an entry is freed.
 */
#include "type_cache.h"

#include <stdlib.h>

#include "core/checked.h"

/* Prepares an empty cache. On failure export_type_cache_fini() may still be called. */
enum tdat_status export_type_cache_init(struct export_type_cache *c, size_t input_count,
					void (*free_type)(void *type), struct tdat_error *err)
{
	size_t slots;

	c->input_count = input_count;
	c->free_type = free_type;
	c->v = NULL;
	c->used = NULL;
	if (tdat_mul_size(input_count, EXPORT_IDS, &slots)) {
		c->v = calloc(slots ? slots : 1, sizeof(*c->v));
		c->used = calloc(slots / 64 + 1, sizeof(*c->used));
	}
	return c->v && c->used ? TDAT_OK : tdat_error_no_memory(err, "event types");
}

/* Frees all entries; the bits tell which ones were made. */
void export_type_cache_fini(struct export_type_cache *c)
{
	for (size_t i = 0; c->v && c->used && i < c->input_count * EXPORT_IDS / 64; i++)
		for (uint64_t left = c->used[i]; left; left &= left - 1)
			c->free_type(c->v[i * 64 + (size_t)__builtin_ctzll(left)]);
	free(c->v);
	free(c->used);
	c->v = NULL;
	c->used = NULL;
}

/* Makes a worker that is little more than a cache of types; def is copied. */
enum tdat_status export_type_worker_new(struct export_type_worker **w,
					const struct export_type_worker *def, size_t input_count,
					void (*free_type)(void *type), struct tdat_error *err)
{
	struct export_type_worker *made = malloc(sizeof(*made));
	enum tdat_status st;

	*w = NULL;
	if (!made)
		return tdat_error_no_memory(err, "an export");
	*made = *def;
	st = export_type_cache_init(&made->types, input_count, free_type, err);
	if (st == TDAT_OK)
		*w = made;
	else
		export_type_worker_free(made);
	return st;
}

void export_type_worker_free(void *worker)
{
	struct export_type_worker *w = worker;

	if (!w)
		return;
	export_type_cache_fini(&w->types);
	free(w);
}

enum tdat_status export_type_foreign(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the event does not belong to an input of the export");
}
