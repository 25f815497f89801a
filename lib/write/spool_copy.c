/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies the bytes of a stream from a spool in memory to the new file, with threads that read.
 * It is used where the spool lies in memory (tmpfs): two threads read, the caller writes in
 * order, and each piece is given back to the system when it was read, so that both files
 * together take the memory of one.
 */
#include "spool_copy.h"

#include <stdlib.h>

#include "core/pool.h"
#include "core/thread.h"

/* READERS: further threads would wait, as one thread writes. FITS_LEN: worth starting threads. */
enum { PIECE_LEN = 256 * 1024, PIECES = 4, READERS = 2, FITS_LEN = 4 * 1024 * 1024 };

/* One run of bytes, read by a thread and written by the caller. */
struct piece {
	const struct write_extents *ext;
	uint64_t pos;
	size_t len;
	uint8_t *bytes; /* PIECE_LEN */
	enum tdat_status status;
	struct tdat_error err;
};

/* Pieces form a ring: piece n uses pieces[n % PIECES]. */
struct copy {
	struct tdat_writer *w;
	const struct write_extents *ext;
	struct tdat_pool *pool;
	uint64_t pos; /* of the next piece to read */
	size_t next;  /* its number */
	uint8_t *bytes;
	struct piece pieces[PIECES];
};

bool write_spool_copy_fits(const struct write_extents *ext)
{
	/*
	 * Borrowed bytes are in another file, and the kernel copies those of a disk without
	 * reading.
	 */
	if (!ext->spool || !ext->spool->in_memory || ext->used < FITS_LEN)
		return false;
	for (size_t i = 0; i < ext->count; i++)
		if (ext->list[i].src)
			return false;
	return true;
}

/* On a pool's thread. The spool's memory is given back once it is read. */
static void read_piece(void *job)
{
	struct piece *p = job;

	p->status = write_spool_read(p->ext, p->pos, p->bytes, p->len, true, &p->err);
}

/* Queues the next piece; its memory is free, as less than PIECES are under way. */
static void feed(struct copy *c)
{
	const uint64_t left = c->ext->used - c->pos;
	struct piece *p = &c->pieces[c->next++ % PIECES];

	p->ext = c->ext;
	p->pos = c->pos;
	p->len = left < PIECE_LEN ? (size_t)left : PIECE_LEN;
	c->pos += p->len;
	tdat_pool_put(c->pool, p);
}

/* Writes the oldest piece. */
static enum tdat_status put_piece(struct copy *c, struct tdat_error *err)
{
	struct piece *p = tdat_pool_take(c->pool);
	enum tdat_status st = p->status;

	if (st != TDAT_OK) {
		if (err)
			*err = p->err;
		return st;
	}
	st = write_out_large(&c->w->out, p->bytes, p->len, err);
	if (st == TDAT_OK)
		write_progress(c->w, p->len);
	return st;
}

static enum tdat_status run(struct copy *c, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && (c->pos < c->ext->used || tdat_pool_count(c->pool))) {
		if (c->pos < c->ext->used && tdat_pool_count(c->pool) < PIECES)
			feed(c);
		else
			st = put_piece(c, err);
	}
	return st;
}

enum tdat_status write_spool_copy(struct tdat_writer *w, const struct write_extents *ext,
				  struct tdat_error *err)
{
	struct copy c = {.w = w, .ext = ext};
	enum tdat_status st;

	/* One allocation for all pieces. */
	c.bytes = malloc((size_t)PIECES * PIECE_LEN);
	if (c.bytes)
		c.pool = tdat_pool_new(tdat_thread_count(w->threads, READERS), PIECES, read_piece);
	for (size_t i = 0; c.bytes && i < PIECES; i++)
		c.pieces[i].bytes = c.bytes + i * PIECE_LEN;
	st = c.pool ? run(&c, err) : tdat_error_no_memory(err, w->out.name);
	tdat_pool_free(c.pool);
	free(c.bytes);
	return st;
}
