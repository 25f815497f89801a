/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A pool of zstd contexts that the tables of an export share. A context of zstd takes much
 * memory, so there is one for each thread that compresses, not one for each table.
 * Taking and returning one is guarded by a lock.
 */
#include "zstd_pool.h"

#include <stdlib.h>
#include <zstd.h>

/* An idle context; the level is set for each call. */
struct zstd_pool_context {
	struct zstd_pool_context *next;
	ZSTD_CCtx *zstd;
};

enum tdat_status zstd_pool_init(struct zstd_pool *pool, int level, struct tdat_error *err)
{
	const int rc = pthread_mutex_init(&pool->lock, NULL);

	pool->idle = NULL;
	pool->level = level;
	return rc ? tdat_error_set_errno(err, rc, "cannot make a lock") : TDAT_OK;
}

void zstd_pool_fini(struct zstd_pool *pool)
{
	while (pool->idle) {
		struct zstd_pool_context *c = pool->idle;

		pool->idle = c->next;
		ZSTD_freeCCtx(c->zstd);
		free(c);
	}
	pthread_mutex_destroy(&pool->lock);
}

/* Least and greatest level of this zstd, for options. */
int zstd_pool_least(void)
{
	return ZSTD_minCLevel();
}

int zstd_pool_most(void)
{
	return ZSTD_maxCLevel();
}

/* Takes an idle context, or makes one. NULL: no memory. */
static struct zstd_pool_context *take(struct zstd_pool *pool)
{
	struct zstd_pool_context *c;

	pthread_mutex_lock(&pool->lock);
	c = pool->idle;
	if (c)
		pool->idle = c->next;
	pthread_mutex_unlock(&pool->lock);
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->zstd = ZSTD_createCCtx();
	if (c->zstd)
		return c;
	free(c);
	return NULL;
}

static void give_back(struct zstd_pool *pool, struct zstd_pool_context *c)
{
	pthread_mutex_lock(&pool->lock);
	c->next = pool->idle;
	pool->idle = c;
	pthread_mutex_unlock(&pool->lock);
}

/* Appends the compressed bytes to out. */
enum tdat_status zstd_pool_compress(struct zstd_pool *pool, const void *p, size_t len,
				    struct tdat_build *out, struct tdat_error *err)
{
	const size_t bound = ZSTD_compressBound(len);
	struct zstd_pool_context *c = take(pool);
	uint8_t *room;
	size_t n;

	if (!c)
		return tdat_error_no_memory(err, "zstd");
	room = ZSTD_isError(bound) ? NULL : tdat_build_room(out, bound);
	n = room ? ZSTD_compressCCtx(c->zstd, room, bound, p, len, pool->level) : 0;
	/* Before the result is judged: the context is fine also after a failure. */
	give_back(pool, c);
	if (!room)
		return tdat_error_no_memory(err, "compressed columns");
	if (ZSTD_isError(n))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "zstd cannot compress %zu bytes: %s", len,
				      ZSTD_getErrorName(n));
	out->len += n;
	return TDAT_OK;
}
