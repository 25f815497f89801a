/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that the tables of an export work with, and a context of zstd in each: as many as threads
 * work at the same time, not one for each table, because a context takes about a megabyte. Nothing
 * that is written depends on what a scratch was used for before.
 */
#ifndef EXPORT_SCRATCH_POOL_H
#define EXPORT_SCRATCH_POOL_H

#include <pthread.h>

#include <tdat/export.h>

#include "core/build.h"

struct ZSTD_CCtx_s;

/* The first member of what an exporter works with; all else of it is zero when it is new. */
struct scratch {
	struct scratch *next;
	struct scratch_pool *pool;
	struct ZSTD_CCtx_s *zstd; /* NULL: nothing was compressed yet */
};

struct scratch_pool {
	pthread_mutex_t lock;
	struct scratch *idle;
	size_t len; /* of a scratch */
	/* Frees what an exporter's members own. */
	void (*fini)(void *scratch);
	bool compress;
	int level;
};

/* Takes the options "compression", whose default compress is, and "level". */
enum tdat_status scratch_pool_init(struct scratch_pool *pool,
				   const struct tdat_export_request *request, bool compress,
				   size_t len, void (*fini)(void *scratch), struct tdat_error *err);
/* All must have been given back. */
void scratch_pool_fini(struct scratch_pool *pool);

/* NULL: no memory. */
void *scratch_take(struct scratch_pool *pool);
void scratch_give(struct scratch *s);

/* Appends one frame with the len bytes at p. */
enum tdat_status scratch_compress(struct scratch *s, const void *p, size_t len,
				  struct tdat_build *out, struct tdat_error *err);

#endif
