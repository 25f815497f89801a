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

/* Parses a text as readers of the new file will; *out: NULL if it is none. False: no memory. */
static bool parse(const struct repair *r, const char *system, const char *text, size_t len,
		  struct tdat_format **out)
{
	const struct dat_index *ix = &r->file->ix;
	const struct tdat_span span = {(const uint8_t *)text, len};

	*out = NULL;
	return model_format_parse(out, system, span, 0, ix->big, ix->long_size, NULL) !=
	       TDAT_E_NOMEM;
}

bool repair_format_text(struct repair *r, const char *system, struct tdat_span *text,
			struct tdat_format **out)
{
	char *copy = tdat_arena_strndup(&r->w->meta.arena, text->ptr, text->len);
	struct tdat_format *format;
	size_t len = text->len;

	*out = NULL;
	if (!copy)
		return false;
	fill_head(copy, len);
	if (!parse(r, system, copy, len, &format))
		return false;
	if (format && format->unread_off) {
		len = format->unread_off;
		model_format_free(format);
		if (!parse(r, system, copy, len, &format))
			return false;
	}
	if (format && format->unread_off) {
		model_format_free(format);
		format = NULL;
	}
	*text = (struct tdat_span){(const uint8_t *)copy, len};
	*out = format;
	return true;
}
