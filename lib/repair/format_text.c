/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a text of a format that is read to its end, of one that is not. */
#include <string.h>

#include "repair.h"

/* Other readers end a text at a NUL: none may stay before the fields. */
static void fill_head(char *text, size_t len)
{
	static const char mark[] = "\nformat:";
	const char *fields = memmem(text, len, mark, sizeof(mark) - 1);
	const size_t head_len = fields ? (size_t)(fields - text) : 0;

	for (size_t i = 0; i < head_len; i++)
		text[i] = text[i] ? text[i] : '_';
}

/* Up to where the text is read as a format; 0: it is none. */
static size_t read_len(const struct repair *r, const char *system, const char *text, size_t len)
{
	const struct dat_index *ix = &r->file->ix;
	const struct tdat_span span = {(const uint8_t *)text, len};
	struct tdat_format *format;

	if (model_format_parse(&format, system, span, 0, ix->big, ix->long_size, NULL) != TDAT_OK)
		return 0;
	len = format->unread_off ? format->unread_off : len;
	model_format_free(format);
	return len;
}

bool repair_format_text(struct repair *r, const char *system, struct tdat_span *text)
{
	char *copy = tdat_arena_strndup(&r->w->meta.arena, text->ptr, text->len);
	size_t len;

	if (!copy)
		return false;
	fill_head(copy, text->len);
	len = read_len(r, system, copy, text->len);
	if (len && len < text->len)
		len = read_len(r, system, copy, len) == len ? len : 0;
	*text = (struct tdat_span){(const uint8_t *)copy, len};
	return true;
}
