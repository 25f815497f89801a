/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reverse.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a sink that puts the length of each event's bytes behind them ---- */

struct framed {
	const struct tdat_sink_ops *inner;
	void *ctx;
};

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

static void framed_resume(void *worker, const struct tdat_event *before)
{
	struct framed_worker *w = worker;

	if (w->inner->resume)
		w->inner->resume(w->worker, before);
}

static enum tdat_status framed_event(void *worker, const struct tdat_event *ev,
				     struct tdat_build *out, struct tdat_error *err)
{
	struct framed_worker *w = worker;
	size_t start = tdat_text_len(out);
	enum tdat_status st = w->inner->event(w->worker, ev, out, err);
	uint64_t len = tdat_text_len(out) - start;

	if (st == TDAT_OK)
		tdat_text_append(out, &len, sizeof(len));
	return st;
}

static const struct tdat_sink_ops framed_ops = {
	.open = framed_open,
	.close = framed_close,
	.resume = framed_resume,
	.event = framed_event,
};

/* ---- the temporary file ---- */

enum tdat_status cli_reverse_open(struct cli_reverse *s, struct tdat_error *err)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tdat-reverse-XXXXXX", dir && *dir ? dir : "/tmp");
	s->len = 0;
	s->fd = mkstemp(path);
	if (s->fd < 0)
		return tdat_error_set_errno(err, errno, "cannot make the temporary file %s", path);
	unlink(path);
	return TDAT_OK;
}

void cli_reverse_close(struct cli_reverse *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static enum tdat_status spool_write(void *ctx, const void *data, size_t len,
				    struct tdat_error *err)
{
	struct cli_reverse *s = ctx;
	const char *p = data;

	while (len) {
		ssize_t n = write(s->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tdat_error_set_errno(err, errno,
						    "cannot write the temporary file");
		p += n;
		len -= (size_t)n;
		s->len += (uint64_t)n;
	}
	return TDAT_OK;
}

static enum tdat_status spool_read(const struct cli_reverse *s, uint64_t off, char *buf, size_t len,
				   struct tdat_error *err)
{
	while (len) {
		ssize_t n = pread(s->fd, buf, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return tdat_error_set_errno(err, n ? errno : EIO,
						    "cannot read the temporary file");
		buf += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return TDAT_OK;
}

/* ---- backwards ---- */

enum { WINDOW_LEN = 1 << 20 };

/* A stretch of the spool that ends where reading has come to. */
struct window {
	const struct cli_reverse *spool;
	char *buf;
	size_t cap;
	uint64_t off; /* of buf[0] in the spool */
	uint64_t end; /* what is not read yet ends here */
};

/* Makes the last len bytes before end lie in the window. */
static enum tdat_status want(struct window *w, uint64_t len, struct tdat_error *err)
{
	size_t size = len > WINDOW_LEN ? (size_t)len : WINDOW_LEN;

	if (w->buf && w->end - len >= w->off)
		return TDAT_OK;
	if (size > w->cap) {
		char *p = realloc(w->buf, size);

		if (!p)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		w->buf = p;
		w->cap = size;
	}
	if (size > w->end)
		size = (size_t)w->end;
	w->off = w->end - size;
	return spool_read(w->spool, w->off, w->buf, size, err);
}

/* The event before end. */
static enum tdat_status write_last(struct window *w, tdat_write_fn write_fn, void *write_ctx,
				   struct tdat_error *err)
{
	uint64_t len;
	enum tdat_status st = want(w, sizeof(len), err);

	if (st != TDAT_OK)
		return st;
	memcpy(&len, w->buf + (w->end - sizeof(len) - w->off), sizeof(len));
	w->end -= sizeof(len);
	st = len ? want(w, len, err) : TDAT_OK;
	if (st != TDAT_OK)
		return st;
	w->end -= len;
	return len ? write_fn(write_ctx, w->buf + (w->end - w->off), (size_t)len, err) : TDAT_OK;
}

static enum tdat_status write_back(const struct cli_reverse *s, uint64_t limit, tdat_write_fn write_fn,
				   void *write_ctx, struct tdat_error *err)
{
	struct window w = {.spool = s, .off = s->len, .end = s->len};
	enum tdat_status st = TDAT_OK;
	uint64_t done;

	for (done = 0; st == TDAT_OK && w.end && (!limit || done < limit); done++)
		st = write_last(&w, write_fn, write_ctx, err);
	free(w.buf);
	return st;
}

enum tdat_status cli_reverse_pump(struct cli_reverse *spool, struct tdat_iter *iter,
				  const struct tdat_sink_ops *sink, void *ctx,
				  const struct tdat_pump_opts *opts, tdat_write_fn write_fn,
				  void *write_ctx, struct tdat_error *err)
{
	struct framed framed = {sink, ctx};
	struct tdat_pump_opts all = *opts;
	enum tdat_status st;

	all.limit = 0;
	st = tdat_pump(iter, &framed_ops, &framed, &all, spool_write, spool, err);
	return st == TDAT_OK ? write_back(spool, opts->limit, write_fn, write_ctx, err) : st;
}
