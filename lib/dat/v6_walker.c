/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Moves through version 6 part by part: reads small numbers, and skips what they count. All
 * reads go through the index (dat_index_bytes), so each is checked against the length of the
 * file. The walker keeps one offset; parts are listed as sections, so that callers see both
 * versions alike.
 */
#include "core/checked.h"
#include "v6.h"

/* Reads n (<= sizeof(buf)) bytes at w->off, which stays. what: the name in an error. */
enum tdat_status v6_peek(struct v6_walker *w, size_t n, const char *what, const uint8_t **out,
			 struct tdat_error *err)
{
	uint64_t total = tdat_source_len(w->ix->src), left;
	enum tdat_status st;

	*out = NULL;
	if (w->off < w->buf_off || w->off - w->buf_off > w->buf_len ||
	    n > w->buf_len - (size_t)(w->off - w->buf_off)) {
		left = w->off < total ? total - w->off : 0;
		w->buf_off = w->off;
		w->buf_len = left < sizeof(w->buf) ? (size_t)left : sizeof(w->buf);
		st = tdat_source_read(w->ix->src, w->buf_off, w->buf, w->buf_len, err);
		if (st != TDAT_OK) {
			w->buf_len = 0;
			return st;
		}
		if (n > w->buf_len)
			return tdat_error_set(err, TDAT_E_DAMAGED, w->off,
					      "%s is truncated: it needs %zu bytes at offset %llu, "
					      "but the file ends at %llu",
					      what, n, (unsigned long long)w->off,
					      (unsigned long long)total);
	}
	*out = w->buf + (w->off - w->buf_off);
	return TDAT_OK;
}

/* *v is 0 after a failure, so that loops by a count end. */
enum tdat_status v6_uint(struct v6_walker *w, size_t n, const char *what, uint64_t *v,
			 struct tdat_error *err)
{
	const uint8_t *p;
	enum tdat_status st = v6_peek(w, n, what, &p, err);

	*v = 0;
	if (!p)
		return st;
	*v = tdat_load_uint(p, n, w->ix->big);
	w->off += n;
	return TDAT_OK;
}

/* Nothing is read: the range alone is checked. */
enum tdat_status v6_skip(struct v6_walker *w, uint64_t n, const char *what, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(w->ix->src);

	if (!tdat_range_ok(w->off, n, total))
		return tdat_error_set(err, TDAT_E_DAMAGED, w->off,
				      "%s is truncated: it needs %llu bytes at offset %llu, but "
				      "the file ends at %llu",
				      what, (unsigned long long)n, (unsigned long long)w->off,
				      (unsigned long long)total);
	w->off += n;
	return TDAT_OK;
}

/* Skips a size of size_len bytes and the bytes that it counts. */
enum tdat_status v6_blob(struct v6_walker *w, size_t size_len, const char *what,
			 struct tdat_error *err)
{
	uint64_t n;
	enum tdat_status st = v6_uint(w, size_len, what, &n, err);

	return st != TDAT_OK ? st : v6_skip(w, n, what, err);
}

/*
 * At most 64 KiB: names of systems are short, and a missing NUL must not read the file byte by
 * byte.
 */
enum tdat_status v6_cstr(struct v6_walker *w, const char *what, struct tdat_error *err)
{
	uint64_t start = w->off, c = 1;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && c) {
		if (w->off - start > 65536)
			return tdat_error_set(err, TDAT_E_DAMAGED, start,
					      "%s at offset %llu is not terminated", what,
					      (unsigned long long)start);
		st = v6_uint(w, 1, what, &c, err);
	}
	return st;
}

enum tdat_status v6_note_section(struct dat_index *ix, uint16_t id, uint64_t off, uint64_t len,
				 const char *description, struct tdat_error *err)
{
	const struct tdat_section s = {
		.id = id, .off = off, .body_off = off, .body_len = len, .description = description};

	return dat_index_add_section(ix, &s, err);
}
