/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits a source into lines. Lines come through a window of bounded size; one that is longer
 * than the limit is given in a first part and the rest is skipped. NUL bytes are part of a
 * line.
 */
#include "text_lines.h"

#include <string.h>

#include "core/text.h"

enum { LINE_DEFAULT = 64 * 1024, PIECE = 64 * 1024 };

/* Starts reading lines of at most max_len bytes (0: 64 KB). */
void import_lines_init(struct import_lines *l, const struct tdat_source *source, size_t max_len)
{
	l->max_len = max_len ? max_len : LINE_DEFAULT;
	l->off = l->number = 0;
	import_window_init(&l->window, source, l->max_len * 4);
}

void import_lines_fini(struct import_lines *l)
{
	import_window_fini(&l->window);
}

/*
 * Returns the next line without its line end; TDAT_E_NOT_FOUND behind the last one. The text is
 * valid until the next call. The rest of a cut line comes as further lines.
 */
enum tdat_status import_lines_next(struct import_lines *l, struct import_line *out,
				   struct tdat_error *err)
{
	uint64_t left = l->window.len - l->off;
	size_t look = l->max_len, len;
	const uint8_t *p, *newline;

	if (!left)
		return TDAT_E_NOT_FOUND;
	if (look >= left)
		look = (size_t)left;
	else
		look++; /* a newline may stand right behind the longest line */
	p = import_window_get(&l->window, l->off, look, err);
	if (!p)
		return l->window.status;
	newline = memchr(p, '\n', look);
	len = newline ? (size_t)(newline - p) : look;
	out->cut = len > l->max_len;
	if (out->cut)
		len = l->max_len;
	out->ended = newline != NULL;
	out->off = l->off;
	out->number = ++l->number;
	l->off += len + (newline ? 1 : 0);
	/* Lines may end in CR LF. */
	if (newline && len && p[len - 1] == '\r')
		len--;
	out->text = (struct tdat_span){p, len};
	return TDAT_OK;
}

enum tdat_status import_text_emit(const struct tdat_source *source, import_text_fn fn,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct import_window w;

	import_window_init(&w, source, PIECE);
	for (uint64_t off = 0; off < w.len && st == TDAT_OK; off += PIECE) {
		size_t n = w.len - off < PIECE ? (size_t)(w.len - off) : PIECE;
		const uint8_t *p = import_window_get(&w, off, n, err);

		st = p ? fn(emit->ctx, (const char *)p, n, err) : w.status;
	}
	import_window_fini(&w);
	return st;
}

bool import_key_is(struct tdat_span line, const char *key, struct tdat_span *value)
{
	const size_t len = strlen(key);

	if (line.len <= len || memcmp(line.ptr, key, len) || line.ptr[len] != '=')
		return false;
	*value = (struct tdat_span){line.ptr + len + 1, line.len - len - 1};
	return true;
}

/*
 * Warns if a text file ends without a newline (or NUL, in copies of kernel buffers), since it may
 * be truncated.
 */
enum tdat_status import_warn_unended(const char *name, const struct tdat_source *source,
				     const struct tdat_emit *emit, struct tdat_error *err)
{
	const uint64_t len = tdat_source_len(source);
	enum tdat_status st;
	uint8_t last;

	if (!len)
		return TDAT_OK;
	st = tdat_source_read(source, len - 1, &last, 1, err);
	if (st != TDAT_OK || last == '\n' || !last)
		return st;
	return tdat_emit_warnf(emit, name, len, err,
			       "the file ends within a line, whose rest is missing");
}
