/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pool of scratch memory that the tables of an export share. One that is idle is taken under
 * a lock, or a new one is made; what is done with it needs no lock. Its zstd context is made when
 * it is first needed, and the level is set for each call.
 */
#include "scratch_pool.h"

#include <stdlib.h>
#include <zstd.h>

#include "column_options.h"

enum tdat_status scratch_pool_init(struct scratch_pool *pool,
				   const struct tdat_export_request *request, bool compress,
				   size_t len, void (*fini)(void *scratch), struct tdat_error *err)
{
	static const char *const codecs[] = {"none", "zstd", NULL};
	const int rc = pthread_mutex_init(&pool->lock, NULL);
	size_t codec = compress;
	int64_t level = 1;
	enum tdat_status st;

	if (rc)
		return tdat_error_set_errno(err, rc, "cannot make a lock");
	st = export_choice(request, "compression", codecs, &codec, err);
	if (st == TDAT_OK)
		st = export_number(request, "level", ZSTD_minCLevel(), ZSTD_maxCLevel(), &level,
				   err);
	pool->idle = NULL;
	pool->len = len;
	pool->fini = fini;
	pool->compress = codec;
	pool->level = (int)level;
	if (st != TDAT_OK)
		scratch_pool_fini(pool);
	return st;
}

void scratch_pool_fini(struct scratch_pool *pool)
{
	while (pool->idle) {
		struct scratch *s = pool->idle;

		pool->idle = s->next;
		pool->fini(s);
		ZSTD_freeCCtx(s->zstd);
		free(s);
	}
	pthread_mutex_destroy(&pool->lock);
}

void *scratch_take(struct scratch_pool *pool)
{
	struct scratch *s;

	pthread_mutex_lock(&pool->lock);
	s = pool->idle;
	if (s)
		pool->idle = s->next;
	pthread_mutex_unlock(&pool->lock);
	if (!s)
		s = calloc(1, pool->len);
	if (s)
		s->pool = pool;
	return s;
}

void scratch_give(struct scratch *s)
{
	struct scratch_pool *pool = s->pool;

	pthread_mutex_lock(&pool->lock);
	s->next = pool->idle;
	pool->idle = s;
	pthread_mutex_unlock(&pool->lock);
}

/* Appends the compressed bytes to out. */
enum tdat_status scratch_compress(struct scratch *s, const void *p, size_t len,
				  struct tdat_build *out, struct tdat_error *err)
{
	const size_t bound = ZSTD_compressBound(len);
	uint8_t *room;
	size_t n;

	if (!s->zstd)
		s->zstd = ZSTD_createCCtx();
	if (!s->zstd)
		return tdat_error_no_memory(err, "zstd");
	room = ZSTD_isError(bound) ? NULL : tdat_build_room(out, bound);
	if (!room)
		return tdat_error_no_memory(err, "compressed columns");
	n = ZSTD_compressCCtx(s->zstd, room, bound, p, len, s->pool->level);
	if (ZSTD_isError(n))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "zstd cannot compress %zu bytes: %s", len,
				      ZSTD_getErrorName(n));
	out->len += n;
	return TDAT_OK;
}
