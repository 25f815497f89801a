/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads text of any size line by line, with bounded memory. */
#ifndef TDAT_IMPORT_TEXT_LINES_H
#define TDAT_IMPORT_TEXT_LINES_H

#include <tdat/emit.h>

#include "window.h"

struct import_lines {
	struct import_window window;
	uint64_t off;	 /* of the next line */
	uint64_t number; /* of the line given last, from 1 */
	size_t max_len;
};

struct import_line {
	struct tdat_span text; /* without the line's end; not NUL-terminated */
	uint64_t off;	       /* in the source */
	uint64_t number;       /* from 1 */
	bool cut;	       /* longer than max_len: the rest comes as the next line */
	bool ended;	       /* a newline followed; false for the last words of a cut file */
};

/* max_len: longest line handed out whole; 0: 64 KiB. */
void import_lines_init(struct import_lines *l, const struct tdat_source *source, size_t max_len);
void import_lines_fini(struct import_lines *l);

/*
 * The next line, valid until the next call; "\r\n" ends a line too. At the end
 * TDAT_E_NOT_FOUND, without a sentence.
 */
enum tdat_status import_lines_next(struct import_lines *l, struct import_line *out,
				   struct tdat_error *err);

/* Hands a text of any size over in pieces; fn is kallsyms or printk of the emit. */
typedef enum tdat_status (*import_text_fn)(void *ctx, const char *text, size_t len,
					   struct tdat_error *err);
enum tdat_status import_text_emit(const struct tdat_source *source, import_text_fn fn,
				  const struct tdat_emit *emit, struct tdat_error *err);

/* Whether a line is "key=value"; *value is what stands behind the mark. */
bool import_key_is(struct tdat_span line, const char *key, struct tdat_span *value);

/*
 * Warns of a text that ends within a line. Kernels and tools end each of theirs, so that such a
 * file was not copied to its end.
 */
enum tdat_status import_warn_unended(const char *name, const struct tdat_source *source,
				     const struct tdat_emit *emit, struct tdat_error *err);

#endif
