/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes UTF-8 apart: which bytes make one character, and which make none. */
#ifndef TDAT_CORE_UTF8_H
#define TDAT_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "search.h"

/*
 * Tells how many bytes the character at p takes, 1 to 4 and never more than len, and sets
 * *code to its number. Returns 0 when the bytes are not well-formed UTF-8 (RFC 3629):
 * overlong forms, surrogates and numbers above U+10FFFF are not. len must not be 0.
 */
static inline size_t tdat_utf8_len(const void *bytes, size_t len, uint32_t *code)
{
	const uint8_t *p = bytes;
	size_t n, i;
	uint32_t c;

	if (p[0] < 0x80) {
		*code = p[0];
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	c = p[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if ((n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
	    (n == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	*code = c;
	return n;
}

/* How many characters a text has: each byte that does not continue one begins one. */
static inline size_t tdat_utf8_count(const uint8_t *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += (p[i] & 0xc0) != 0x80;
	return n;
}

/* How many of the bytes at the start are ASCII. */
static inline size_t tdat_ascii_run(const uint8_t *p, size_t len)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t eight;
	size_t i = 0;

	for (; len - i >= sizeof(eight); i += sizeof(eight)) {
		memcpy(&eight, p + i, sizeof(eight));
		if (eight & tops)
			break;
	}
	while (i < len && p[i] < 0x80)
		i++;
	return i;
}

/* Whether a terminal takes the character for a command: C0, DEL and C1. */
static inline bool tdat_utf8_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/*
 * Whether the character is not seen as itself on a screen: a control character; one that only
 * forms the text around it, as bidirectional overrides, which let text be read in another order
 * (general category Cf); a line or paragraph separator; or one that is invisible
 * (Default_Ignorable_ Code_Point of Unicode's DerivedCoreProperties.txt, so also variation
 * selectors and fillers).
 */
static inline bool tdat_utf8_is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0xad, 0xad},	    {0x34f, 0x34f},	{0x600, 0x605},	    {0x61c, 0x61c},
		{0x6dd, 0x6dd},	    {0x70f, 0x70f},	{0x890, 0x891},	    {0x8e2, 0x8e2},
		{0x115f, 0x1160},   {0x17b4, 0x17b5},	{0x180b, 0x180f},   {0x200b, 0x200f},
		{0x2028, 0x202e},   {0x2060, 0x206f},	{0x3164, 0x3164},   {0xfe00, 0xfe0f},
		{0xfeff, 0xfeff},   {0xffa0, 0xffa0},	{0xfff0, 0xfffb},   {0x110bd, 0x110bd},
		{0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe0fff},
	};
	size_t i;

	if (code < ranges[0].first)
		return tdat_utf8_is_control(code);
	TDAT_SEARCH(i, sizeof(ranges) / sizeof(ranges[0]), ranges[i].last < code);
	return i < sizeof(ranges) / sizeof(ranges[0]) && code >= ranges[i].first;
}

/*
 * Makes text that may quote a hostile file fit for a terminal, in place: each hidden character
 * and each byte that is no UTF-8 becomes a question mark. The text does not grow.
 */
static inline void tdat_utf8_clean(char *text)
{
	size_t left = strlen(text);
	char *to = text;

	while (left) {
		uint32_t code = 0;
		size_t n = tdat_utf8_len(text, left, &code);

		if (!n || tdat_utf8_is_hidden(code)) {
			*to++ = '?';
			n = n ? n : 1;
		} else {
			memmove(to, text, n);
			to += n;
		}
		text += n;
		left -= n;
	}
	*to = '\0';
}

#endif
