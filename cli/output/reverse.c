/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the events of an iterator in reverse, by way of a temporary file. Lines may depend on
 * those before, so all are made in order, compressed in blocks into an unnamed file, and read back
 * from its end. Memory is bounded by a block and an event.
 */
#include "output/reverse.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/grow.h"

/* ---- a sink that puts the length of each event's bytes behind them ---- */

/* The sink that makes the text, wrapped: ops and context of the inner one. */
struct framed {
	const struct tdat_sink_ops *inner;
	void *ctx;
};

/* A worker of the wrapped sink on one thread. */
struct framed_worker {
	const struct tdat_sink_ops *inner;
	void *worker;
};

static enum tdat_status framed_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct framed *f = ctx;
	struct framed_worker *w = malloc(sizeof(*w));
	enum tdat_status st;

	*worker = NULL;
	if (!w)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	w->inner = f->inner;
	st = f->inner->open(f->ctx, &w->worker, err);
	if (st != TDAT_OK) {
		free(w);
		return st;
	}
	*worker = w;
	return TDAT_OK;
}

static void framed_close(void *worker)
{
	struct framed_worker *w = worker;

	w->inner->close(w->worker);
	free(w);
}

/* Makes the text of the event behind the first `done` events of a batch, and appends its length. */
static enum tdat_status framed_event(struct framed_worker *w, const struct tdat_batch *batch,
				     size_t done, struct tdat_build *out, struct tdat_error *err)
{
	const struct tdat_batch one = {.events = &batch->events[done],
				       .count = 1,
				       .before = done ? &batch->events[done - 1] : batch->before,
				       /* The text of one event is never split. */
				       .text_most = SIZE_MAX};
	size_t start = tdat_text_len(out), inner_done = 0;
	enum tdat_status st = w->inner->batch(w->worker, &one, &inner_done, out, err);
	size_t len = tdat_text_len(out) - start;

	if (st == TDAT_OK)
		tdat_text_append(out, &len, sizeof(len));
	return st;
}

/* Stops at text_most like any sink; the pump calls again for the rest. */
static enum tdat_status framed_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				     struct tdat_build *out, struct tdat_error *err)
{
	while (*done < batch->count && tdat_text_len(out) < batch->text_most) {
		enum tdat_status st = framed_event(worker, batch, *done, out, err);

		if (st != TDAT_OK)
			return st;
		++*done;
	}
	return TDAT_OK;
}

static bool framed_in_order(void *ctx)
{
	const struct framed *f = ctx;

	return TDAT_HAS(f->inner, in_order) && f->inner->in_order(f->ctx);
}

static const struct tdat_sink_ops framed_ops = {
	.size = sizeof(struct tdat_sink_ops),
	.open = framed_open,
	.close = framed_close,
	.batch = framed_batch,
	.in_order = framed_in_order,
};

/* ---- the temporary file: frames of zstd, each followed by its struct foot ---- */

/* Level 1 of zstd: the file is read once, so speed counts more than size. */
enum { BLOCK_LEN = 1 << 20, LEVEL = 1 };

/*
 * The lengths of a block, packed and unpacked. It follows the block, because reading goes backward.
 */
struct foot {
	size_t packed_len, len;
};

static enum tdat_status no_memory(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to print in reverse");
}

/* A block of text that is being filled, and room for its compressed form. */
struct packer {
	struct tdat_spill *spill;
	char *text, *packed;
	size_t text_len, packed_cap;
	ZSTD_CCtx *zstd;
};

static bool packer_init(struct packer *s, struct tdat_spill *spill)
{
	*s = (struct packer){.spill = spill, .packed_cap = ZSTD_compressBound(BLOCK_LEN)};
	s->text = malloc(BLOCK_LEN);
	s->packed = malloc(s->packed_cap);
	s->zstd = ZSTD_createCCtx();
	return s->text && s->packed && s->zstd;
}

static void packer_fini(struct packer *s)
{
	free(s->text);
	free(s->packed);
	ZSTD_freeCCtx(s->zstd);
}

/*
 * Compresses the collected text into one frame. Frames are independent, hence readable from the
 * end.
 */
static enum tdat_status packer_flush(struct packer *s, struct tdat_error *err)
{
	struct foot foot = {.len = s->text_len};
	enum tdat_status st;

	if (!s->text_len)
		return TDAT_OK;
	foot.packed_len =
		ZSTD_compressCCtx(s->zstd, s->packed, s->packed_cap, s->text, s->text_len, LEVEL);
	if (ZSTD_isError(foot.packed_len))
		return no_memory(err); /* packed has room for the worst case */
	s->text_len = 0;
	st = tdat_spill_write(s->spill, s->packed, foot.packed_len, err);
	return st == TDAT_OK ? tdat_spill_write(s->spill, &foot, sizeof(foot), err) : st;
}

/* The write function of the pump; it is called in the order of events. */
static enum tdat_status packer_write(void *ctx, const void *data, size_t len,
				     struct tdat_error *err)
{
	struct packer *s = ctx;
	const char *p = data;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && len) {
		const size_t room = BLOCK_LEN - s->text_len, n = len < room ? len : room;

		memcpy(s->text + s->text_len, p, n);
		s->text_len += n;
		p += n;
		len -= n;
		if (s->text_len == BLOCK_LEN)
			st = packer_flush(s, err);
	}
	return st;
}

/* ---- reading the temporary file from its end ---- */

/* Text that is not printed yet: its last len bytes, before them the file up to left. */
struct window {
	const struct tdat_spill *spill;
	uint64_t left;
	char *text, *packed;
	size_t len, cap, packed_cap;
	char *out; /* events that are not written yet */
	size_t out_len, out_cap;
};

/*
 * Unpacks the last block that was not read yet, and puts its text before that of w. An event may
 * begin in an earlier block than it ends in.
 */
static enum tdat_status unpack_block(struct window *w, struct tdat_error *err)
{
	struct foot foot;
	enum tdat_status st;
	size_t len;

	if (w->left < sizeof(foot))
		return tdat_error_set_errno(err, EIO, "cannot read the temporary file");
	st = tdat_spill_read(w->spill, w->left - sizeof(foot), &foot, sizeof(foot), err);
	if (st != TDAT_OK)
		return st;
	if (!TDAT_GROW(w->text, &w->cap, w->len + foot.len) ||
	    !TDAT_GROW(w->packed, &w->packed_cap, foot.packed_len))
		return no_memory(err);
	w->left -= sizeof(foot) + foot.packed_len;
	st = tdat_spill_read(w->spill, w->left, w->packed, foot.packed_len, err);
	if (st != TDAT_OK)
		return st;
	memmove(w->text + foot.len, w->text, w->len);
	len = ZSTD_decompress(w->text, foot.len, w->packed, foot.packed_len);
	if (ZSTD_isError(len))
		return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
				      "cannot unpack the temporary file: %s",
				      ZSTD_getErrorName(len));
	w->len += foot.len;
	return TDAT_OK;
}

/* Unpacks blocks until len bytes of text are there. */
static enum tdat_status unpack_until(struct window *w, size_t len, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && w->len < len)
		st = unpack_block(w, err);
	return st;
}

/* Writes the collected events in one call. */
static enum tdat_status write_out(struct window *w, tdat_write_fn write_fn, void *write_ctx,
				  struct tdat_error *err)
{
	const size_t len = w->out_len;

	w->out_len = 0;
	return len ? write_fn(write_ctx, w->out, len, err) : TDAT_OK;
}

/* Moves the last event of the text to the output. */
static enum tdat_status write_last(struct window *w, tdat_write_fn write_fn, void *write_ctx,
				   struct tdat_error *err)
{
	size_t len;
	enum tdat_status st = unpack_until(w, sizeof(len), err);

	if (st != TDAT_OK)
		return st;
	w->len -= sizeof(len);
	memcpy(&len, w->text + w->len, sizeof(len));
	st = unpack_until(w, len, err);
	if (st == TDAT_OK && w->out_len && w->out_len + len > BLOCK_LEN)
		st = write_out(w, write_fn, write_ctx, err);
	if (st != TDAT_OK)
		return st;
	if (!TDAT_GROW(w->out, &w->out_cap, w->out_len + len > BLOCK_LEN ? len : BLOCK_LEN))
		return no_memory(err);
	w->len -= len;
	memcpy(w->out + w->out_len, w->text + w->len, len);
	w->out_len += len;
	return TDAT_OK;
}

/* Prints the events from the last one on, `limit` at most; 0: all. */
static enum tdat_status write_back(const struct tdat_spill *spill, uint64_t limit,
				   tdat_write_fn write_fn, void *write_ctx, struct tdat_error *err)
{
	struct window w = {.spill = spill, .left = spill->written};
	enum tdat_status st = TDAT_OK;
	uint64_t done;

	for (done = 0; st == TDAT_OK && (w.left || w.len) && (!limit || done < limit); done++)
		st = write_last(&w, write_fn, write_ctx, err);
	if (st == TDAT_OK)
		st = write_out(&w, write_fn, write_ctx, err);
	free(w.text);
	free(w.packed);
	free(w.out);
	return st;
}

/* The limit counts from the end, hence the first pass makes all events. */
enum tdat_status cli_reverse_pump(struct tdat_spill *spill, struct tdat_iter *iter,
				  const struct tdat_sink_ops *sink, void *ctx,
				  const struct tdat_pump_opts *opts, tdat_write_fn write_fn,
				  void *write_ctx, struct tdat_error *err)
{
	struct framed framed = {sink, ctx};
	struct tdat_pump_opts all = *opts;
	struct packer packer;
	enum tdat_status st = packer_init(&packer, spill) ? TDAT_OK : no_memory(err);

	all.limit = 0;
	if (st == TDAT_OK)
		st = tdat_pump(iter, &framed_ops, &framed, &all, packer_write, &packer, err);
	if (st == TDAT_OK)
		st = packer_flush(&packer, err);
	if (st == TDAT_OK)
		st = tdat_spill_flush(spill, err);
	if (st == TDAT_OK)
		st = write_back(spill, opts->limit, write_fn, write_ctx, err);
	packer_fini(&packer);
	return st;
}
