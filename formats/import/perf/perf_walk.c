/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives the records of a perf.data one by one. Each begins with its type and its size. Compressed
 * ones hold parts of one zstd frame for the whole file, with records that may be cut anywhere; what
 * is left of one is kept until the next. In a pipe, tracing data stands behind its record.
 */
#include <stdlib.h>

#include <zstd.h>

#include "import/window.h"
#include "perf.h"

enum { INFLATE_STEP = 256 * 1024, TRACING_MOST = 64 * 1024 * 1024 };

struct walk {
	struct perf_data *data;
	struct import_window window;
	perf_record_fn fn;
	void *ctx;
	bool warns;
	ZSTD_DStream *zstd;
	uint8_t *out; /* INFLATE_STEP, and a record that is not whole yet */
	size_t kept;
};

static void head(const struct walk *w, const uint8_t *p, uint64_t off, struct perf_record *r)
{
	*r = (struct perf_record){.type = tdat_load32(p, w->data->big),
				  .bytes = p,
				  .len = tdat_load16(p + 6, w->data->big),
				  .off = off};
}

static enum tdat_status doubt(struct walk *w, uint64_t off, const char *what, uint64_t n,
			      struct tdat_error *err)
{
	return w->warns ? tdat_emit_warnf(w->data->emit, w->data->path, off, err, "%s (%llu)", what,
					  (unsigned long long)n)
			: TDAT_OK;
}

/* Gives the whole records among the inflated bytes, and keeps the rest. */
static enum tdat_status give(struct walk *w, size_t len, uint64_t off, bool *broken,
			     struct tdat_error *err)
{
	size_t at = 0;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && len - at >= PERF_HEAD_LEN) {
		struct perf_record r;

		head(w, w->out + at, off, &r);
		if (r.len < PERF_HEAD_LEN) {
			*broken = true;
			return doubt(w, off, "a compressed record has fewer bytes than its header",
				     r.len, err);
		}
		if (r.len > len - at)
			break;
		st = w->fn(w->ctx, &r, err);
		at += r.len;
	}
	memmove(w->out, w->out + at, len - at);
	w->kept = len - at;
	return st;
}

static enum tdat_status inflate(struct walk *w, const struct perf_record *r, bool *broken,
				struct tdat_error *err)
{
	struct tdat_cursor c = perf_body(w->data, r);
	enum tdat_status st = TDAT_OK;
	ZSTD_inBuffer in;
	uint64_t len = tdat_cursor_left(&c);

	if (r->type == PERF_COMPRESSED2) {
		len = tdat_cursor_u64(&c);
		if (!tdat_cursor_ok(&c) || len > tdat_cursor_left(&c)) {
			*broken = true;
			return doubt(w, r->off, "compressed data is longer than its record", len,
				     err);
		}
	}
	if (!w->zstd) {
		w->zstd = ZSTD_createDStream();
		w->out = malloc(INFLATE_STEP + UINT16_MAX);
		if (!w->zstd || !w->out)
			return tdat_error_no_memory(err, "compressed records");
	}
	in = (ZSTD_inBuffer){tdat_cursor_take(&c, (size_t)len), (size_t)len, 0};
	for (bool more = true; more && !*broken && st == TDAT_OK;) {
		ZSTD_outBuffer out = {w->out + w->kept, INFLATE_STEP, 0};
		const size_t got = ZSTD_decompressStream(w->zstd, &out, &in);

		if (ZSTD_isError(got)) {
			*broken = true;
			return doubt(w, r->off, ZSTD_getErrorName(got), r->len, err);
		}
		more = in.pos < in.size || out.pos == out.size;
		st = give(w, w->kept + out.pos, r->off, broken, err);
	}
	return st;
}

/* Bytes behind a record, which its size does not count. */
static uint64_t behind(const struct walk *w, const struct perf_record *r)
{
	struct tdat_cursor c = perf_body(w->data, r);

	if (r->type == PERF_TRACING_DATA)
		return tdat_cursor_u32(&c);
	return r->type == PERF_AUXTRACE ? tdat_cursor_u64(&c) : 0;
}

static enum tdat_status walk(struct walk *w, struct perf_range range, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool broken = false;

	while (st == TDAT_OK && range.off < range.end) {
		const uint64_t left = range.end - range.off;
		const uint8_t *p = left < PERF_HEAD_LEN ? NULL
							: import_window_get(&w->window, range.off,
									    PERF_HEAD_LEN, err);
		struct perf_record r;
		uint64_t more;

		if (left < PERF_HEAD_LEN)
			return doubt(w, range.off, "the data ends within the header of a record",
				     left, err);
		if (!p)
			return w->window.status;
		head(w, p, range.off, &r);
		if (r.len < PERF_HEAD_LEN)
			return doubt(w, range.off, "a record has fewer bytes than its header",
				     r.len, err);
		if (r.len > left)
			return doubt(w, range.off, "the data ends within a record", left, err);
		r.bytes = import_window_get(&w->window, range.off, r.len, err);
		if (!r.bytes)
			return w->window.status;
		more = behind(w, &r);
		if (more > left - r.len)
			return doubt(w, range.off, "the data ends within the data after a record",
				     left - r.len, err);
		if (r.type == PERF_COMPRESSED || r.type == PERF_COMPRESSED2) {
			if (!broken)
				st = inflate(w, &r, &broken, err);
		} else {
			if (r.type == PERF_TRACING_DATA && more <= TRACING_MOST) {
				r.behind = (struct tdat_span){import_window_get(&w->window,
										range.off + r.len,
										(size_t)more, err),
							      (size_t)more};
				if (!r.behind.ptr)
					return w->window.status;
				r.bytes = NULL;
			}
			st = w->fn(w->ctx, &r, err);
		}
		range.off += r.len + more;
	}
	return st;
}

enum tdat_status perf_walk(struct perf_data *d, const struct tdat_source *source,
			   struct perf_range range, bool warns, perf_record_fn fn, void *ctx,
			   struct tdat_error *err)
{
	struct walk w = {.data = d, .fn = fn, .ctx = ctx, .warns = warns};
	enum tdat_status st;

	import_window_init(&w.window, source, 0);
	st = walk(&w, range, err);
	if (st == TDAT_OK && w.kept)
		st = doubt(&w, range.end, "the compressed data ends within a record", w.kept, err);
	import_window_fini(&w.window);
	ZSTD_freeDStream(w.zstd);
	free(w.out);
	return st;
}
