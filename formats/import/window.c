/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a source piece by piece, from the mapping where there is one. A window moves forward
 * over a source and keeps as many bytes as its reader needs at once, so memory is bounded
 * whatever the file's size. A source in memory is lent without a copy.
 */
#include "window.h"

#include <stdlib.h>

#include "core/checked.h"

enum {
	/* Bytes read at once. */
	STEP_DEFAULT = 256 * 1024,
	STEP_MIN = 16 * 1024,
	STEPS_LEN = 16 * 1024 * 1024 /* of all files together */
};

/* Step of each of count windows, so that all together stay near STEPS_LEN. */
size_t import_window_share(size_t count)
{
	size_t n = STEPS_LEN / (count ? count : 1);

	if (n > STEP_DEFAULT)
		return STEP_DEFAULT;
	return n < STEP_MIN ? STEP_MIN : n;
}

/* step 0: STEP_DEFAULT. A window has no buffer until one is needed. */
void import_window_init(struct import_window *w, const struct tdat_source *source, size_t step)
{
	*w = (struct import_window){.source = source, .len = tdat_source_len(source)};
	w->step = step ? step : STEP_DEFAULT;
}

void import_window_fini(struct import_window *w)
{
	if (!w->lent)
		free(w->buf);
	w->buf = NULL;
	w->buf_cap = w->buf_len = 0;
}

/*
 * Lends a buffer, usually of the stack. A longer read than cap bytes replaces it by one on the
 * heap.
 */
void import_window_lend(struct import_window *w, void *buf, size_t cap)
{
	w->buf = buf;
	w->buf_cap = cap;
	w->lent = true;
}

/*
 * Fills the buffer from off, with at least len bytes; the caller checked that the source has them.
 */
static enum tdat_status window_fill(struct import_window *w, uint64_t off, size_t len,
				    struct tdat_error *err)
{
	size_t want = len > w->step ? len : w->step;
	enum tdat_status st;

	if (want > w->len - off)
		want = (size_t)(w->len - off);
	if (want > w->buf_cap) {
		uint8_t *p = realloc(w->lent ? NULL : w->buf, want);

		if (!p)
			return tdat_error_set(err, TDAT_E_NOMEM, off,
					      "no memory for %zu bytes of %s", want,
					      tdat_source_name(w->source));
		w->buf = p;
		w->buf_cap = want;
		w->lent = false;
	}
	w->buf_len = 0;
	st = tdat_source_read(w->source, off, w->buf, want, err);
	if (st != TDAT_OK)
		return st;
	w->buf_off = off;
	w->buf_len = want;
	return TDAT_OK;
}

/*
 * Slow path of import_window_get(): peeks into a mapped source, or moves the buffer. NULL: out of
 * range or unreadable, with w->status set.
 */
const uint8_t *import_window_move(struct import_window *w, uint64_t off, size_t len,
				  struct tdat_error *err)
{
	const uint8_t *p;

	if (!tdat_range_ok(off, len, w->len)) {
		w->status = tdat_error_set(
			err, TDAT_E_DAMAGED, off,
			"%zu bytes are needed at offset %llu of %s, which has only %llu", len,
			(unsigned long long)off, tdat_source_name(w->source),
			(unsigned long long)w->len);
		return NULL;
	}
	if (!len)
		return (const uint8_t *)""; /* NULL is a failure, and there may be no buffer yet */
	p = tdat_source_peek(w->source, off, len);
	if (p)
		return p;
	if (off < w->buf_off || !tdat_range_ok(off - w->buf_off, len, w->buf_len)) {
		enum tdat_status st = window_fill(w, off, len, err);

		if (st != TDAT_OK) {
			w->status = st;
			return NULL;
		}
	}
	return w->buf + (off - w->buf_off);
}

/* Returns the head of a source, in place or copied to buf; empty if it cannot be read. */
struct tdat_span import_look(const struct tdat_source *source, uint8_t *buf, size_t cap)
{
	uint64_t total = tdat_source_len(source);
	size_t len = total < cap ? (size_t)total : cap;
	const uint8_t *p = tdat_source_peek(source, 0, len);

	if (!p && len && tdat_source_read(source, 0, buf, len, NULL) == TDAT_OK)
		p = buf;
	return (struct tdat_span){p ? p : buf, p ? len : 0};
}
