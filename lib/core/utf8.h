/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes UTF-8 apart: which bytes make one character, and which make none. */
#ifndef TDAT_CORE_UTF8_H
#define TDAT_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Whether a terminal takes the character for a command: C0, DEL and C1. */
static inline bool tdat_utf8_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

#endif
