/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the inside of a JSON string of the bytes of a trace, piece by piece, so that buffers and
 * stdio streams write it alike (RFC 8259, section 7).
 */
#ifndef TDAT_CORE_JSON_TEXT_H
#define TDAT_CORE_JSON_TEXT_H

#include <tdat/base.h>

#include "build.h"
#include "utf8.h"

/* Bytes of the longest escape: twice \u and four digits. */
enum { TDAT_JSON_ESCAPE = 12 };

/* Whether one of the eight bytes is no character of its own in JSON. */
static inline bool tdat_json_any_special(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	const uint64_t del = w ^ 0x7f * ones, quote = w ^ '"' * ones, back = w ^ '\\' * ones;

	return (((w - 0x20 * ones) & ~w) | w | ((del - ones) & ~del) | ((quote - ones) & ~quote) |
		((back - ones) & ~back)) &
	       tops;
}

/* The number of bytes from p on that stand for themselves in JSON. */
static inline size_t tdat_json_plain_run(const uint8_t *p, size_t len)
{
	size_t i = 0;

	while (len - i >= 8 && !tdat_json_any_special(tdat_load64(p + i, false)))
		i += 8;
	for (; i < len; i++)
		if (p[i] < 0x20 || p[i] >= 0x7f || p[i] == '"' || p[i] == '\\')
			break;
	return i;
}

/* \u and four digits. */
static inline void tdat_json_put_unit(uint32_t unit, uint8_t *text)
{
	static const char digits[] = "0123456789abcdef";

	text[0] = '\\';
	text[1] = 'u';
	for (int i = 0; i < 4; i++)
		text[2 + i] = (uint8_t)digits[unit >> (12 - 4 * i) & 15];
}

/* The escape of one character, in text; above U+FFFF it is a pair of surrogates. */
static inline struct tdat_span tdat_json_escape(uint32_t c, uint8_t text[TDAT_JSON_ESCAPE])
{
	struct tdat_span escape = {text, 2};

	text[0] = '\\';
	switch (c) {
	case '"':
	case '\\':
		text[1] = (uint8_t)c;
		break;
	case '\n':
		text[1] = 'n';
		break;
	case '\t':
		text[1] = 't';
		break;
	default:
		escape.len = c > 0xffff ? 12 : 6;
		if (c > 0xffff)
			tdat_json_put_unit(0xdc00 | (c & 0x3ff), text + 6);
		tdat_json_put_unit(c > 0xffff ? 0xd7c0 + (c >> 10) : c, text);
	}
	return escape;
}

/*
 * Takes bytes from *p, of which *len > 0 are left, and returns what stands for them: the
 * bytes themselves, an escape in text for a quote, a backslash and what tdat_utf8_is_hidden
 * says is not seen, or U+FFFD for a byte that is no UTF-8.
 */
static inline struct tdat_span tdat_json_next(const uint8_t **p, size_t *len,
					      uint8_t text[TDAT_JSON_ESCAPE])
{
	struct tdat_span piece = {*p, tdat_json_plain_run(*p, *len)};
	size_t taken = piece.len;
	uint32_t c = 0;

	if (!taken) {
		taken = piece.len = tdat_utf8_len(*p, *len, &c);
		if (!taken) {
			piece = (struct tdat_span){(const uint8_t *)"\xef\xbf\xbd", 3};
			taken = 1;
		} else if (tdat_utf8_is_hidden(c) || c == '"' || c == '\\') {
			piece = tdat_json_escape(c, text);
		}
	}
	*p += taken;
	*len -= taken;
	return piece;
}

/* Appends the inside of a JSON string. */
void tdat_json_inside(struct tdat_build *out, struct tdat_span s);
/* Appends a JSON string, in quotes. */
void tdat_json_quoted(struct tdat_build *out, const void *text, size_t len);

#endif
