/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a source of any size mostly forward with bounded memory: a view of the
 * mapping where there is one, else of a buffer. What lies behind is given back
 * to the system as it is passed.
 */
#ifndef TDAT_IMPORT_WINDOW_H
#define TDAT_IMPORT_WINDOW_H

#include <tdat/source.h>

struct import_window {
	const struct tdat_source *source;
	uint64_t len; /* of the source */
	uint8_t *buf; /* only for sources that are not in memory; buf_len is 0 without it */
	size_t buf_cap;
	bool lent; /* buf is the caller's */
	uint64_t buf_off;
	size_t buf_len;
	size_t step;		 /* bytes read ahead */
	enum tdat_status status; /* of the last get that failed */
};

/* How many bytes to read at once when count files are read side by side. */
size_t import_window_share(size_t count);

/* step: bytes to read at once; 0: 256 KiB. Allocates nothing. */
void import_window_init(struct import_window *w, const struct tdat_source *source, size_t step);
void import_window_fini(struct import_window *w);

/* Bytes of the caller's to read into: as long as they suffice memory cannot run out. */
void import_window_lend(struct import_window *w, void *buf, size_t cap);

/*
 * len bytes at off, valid until the next call; NULL and *err when they are
 * outside the source, cannot be read or (not mapped) held in memory; w->status
 * is what to return then.
 */
const uint8_t *import_window_move(struct import_window *w, uint64_t off, size_t len,
				  struct tdat_error *err);
static inline const uint8_t *import_window_get(struct import_window *w, uint64_t off, size_t len,
					       struct tdat_error *err)
{
	uint64_t at = off - w->buf_off;

	/* Bytes before the buffer wrap around and lie far behind it. */
	if (at <= w->buf_len && len <= w->buf_len - at && len)
		return w->buf + at;
	return import_window_move(w, off, len, err);
}

/* The head of a source, in place or copied to buf; empty where it cannot be read. */
struct tdat_span import_look(const struct tdat_source *source, uint8_t *buf, size_t cap);

#endif
