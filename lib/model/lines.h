/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads lines of stored text as libtraceevent does with strtok_r() and sscanf(): text ends at
 * its first NUL, empty lines are skipped, white space is that of the C locale.
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

/* Whether a text has nothing but white space and NULs. */
static inline bool model_is_blank(struct tdat_span text)
{
	size_t i = 0;

	while (i < text.len && (!text.ptr[i] || model_is_space(text.ptr[i])))
		i++;
	return i == text.len;
}

/*
 * The first white space of [p, end), or end. It skips eight bytes at a time as long as none of
 * them has a value of 0x20 (blank) or less.
 */
static inline const uint8_t *model_find_space(const uint8_t *p, const uint8_t *end)
{
	const uint64_t ones = 0x0101010101010101u;

	while (p < end) {
		uint64_t v;

		if (end - p >= 8) {
			memcpy(&v, p, 8);
			/* Exact for the lowest hit; bytes from 0x80 on never hit. */
			if (!((v - ones * 0x21) & ~v & ones * 0x80)) {
				p += 8;
				continue;
			}
		}
		do {
			if (model_is_space(*p))
				return p;
			p++;
		} while (p<end && * p> ' ');
	}
	return end;
}

/* The values of hex digits; of every other byte 16. */
extern const uint8_t model_hex_values[256];

static inline unsigned int model_hex_value(uint8_t c)
{
	return model_hex_values[c];
}

#endif
