/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compresses blocks with zstd for many tables on several threads: as many contexts as threads
 * compress at the same time, because one takes about a megabyte. What a block becomes does not
 * depend on what its context had before.
 */
#ifndef EXPORT_ZSTD_POOL_H
#define EXPORT_ZSTD_POOL_H

#include <pthread.h>

#include <tdat/error.h>

#include "core/build.h"

struct zstd_pool {
	pthread_mutex_t lock;
	struct zstd_pool_context *idle;
	int level;
};

/* level is from zstd_pool_least() to zstd_pool_most(). */
enum tdat_status zstd_pool_init(struct zstd_pool *pool, int level, struct tdat_error *err);
/* No thread may compress any more. */
void zstd_pool_fini(struct zstd_pool *pool);
int zstd_pool_least(void);
int zstd_pool_most(void);

/* Appends one frame with the len bytes at p. */
enum tdat_status zstd_pool_compress(struct zstd_pool *pool, const void *p, size_t len,
				    struct tdat_build *out, struct tdat_error *err);

#endif
