/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lines of stored text, taken apart as libtraceevent does it with strtok_r()
 * and sscanf(): text ends at its first NUL, empty lines do not exist, white
 * space is that of the C locale.
 */
#ifndef TDAT_MODEL_LINES_H
#define TDAT_MODEL_LINES_H

#include <string.h>

#include <tdat/base.h>

struct model_lines {
	const uint8_t *pos;
	const uint8_t *end;
};

static inline struct model_lines model_lines_init(struct tdat_span text)
{
	const uint8_t *nul = NULL;
	struct model_lines l = {text.ptr, text.ptr};

	if (!text.len)
		return l;
	nul = (const uint8_t *)memchr(text.ptr, 0, text.len);
	l.end = nul ? nul : text.ptr + text.len;
	return l;
}

/* The next line without its newline; false at the end. */
static inline bool model_lines_next(struct model_lines *l, struct tdat_span *line)
{
	const uint8_t *nl;

	while (l->pos < l->end && *l->pos == '\n')
		l->pos++;
	if (l->pos == l->end)
		return false;
	nl = (const uint8_t *)memchr(l->pos, '\n', (size_t)(l->end - l->pos));
	line->ptr = l->pos;
	line->len = (size_t)((nl ? nl : l->end) - l->pos);
	l->pos = nl ? nl + 1 : l->end;
	return true;
}

static inline bool model_is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline size_t model_skip_space(struct tdat_span line, size_t pos)
{
	while (pos < line.len && model_is_space(line.ptr[pos]))
		pos++;
	return pos;
}

/* The value of a hex digit, or 16. */
static inline unsigned int model_hex_value(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16;
}

#endif
