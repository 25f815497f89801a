/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies text of a trace as well-formed UTF-8, which all text columns are. */
#ifndef TDAT_TABLE_UTF8_PUT_H
#define TDAT_TABLE_UTF8_PUT_H

#include "core/endian.h"
#include "core/utf8.h"
#include "memory.h"

/* The text has a byte that is not ASCII. */
#define TABLE_NOT_ASCII SIZE_MAX

/*
 * Copies len bytes up to the first NUL to out, which has room for len and 8 bytes more. The result
 * is the bytes before the NUL, or TABLE_NOT_ASCII.
 */
static inline size_t table_copy_ascii(uint8_t *out, const uint8_t *p, size_t len)
{
	const uint64_t low = UINT64_C(0x0101010101010101), high = low << 7;
	size_t n = 0;

	for (; len - n >= 8; n += 8) {
		const uint64_t w = tdat_load64(p + n, false);
		/* The lowest bit that is set is that of the first byte that is 0 or above 127. */
		const uint64_t ends = ((w - low) & ~w & high) | (w & high);

		memcpy(out + n, p + n, 8);
		if (!ends)
			continue;
		n += (size_t)__builtin_ctzll(ends) / 8;
		return p[n] ? TABLE_NOT_ASCII : n;
	}
	for (; n < len && p[n]; n++) {
		if (p[n] >= 0x80)
			return TABLE_NOT_ASCII;
		out[n] = p[n];
	}
	return n;
}

/*
 * Appends text. Each byte that is no UTF-8 becomes U+FFFD, as in JSON (core/json_text.h).
 * False: no memory.
 */
static inline bool table_put_utf8(struct table_mem *m, const void *text, size_t len)
{
	const uint8_t *p = text;
	size_t n = len ? tdat_ascii_run(p, len) : 0;

	if (!table_mem_put(m, p, n))
		return false;
	while (n < len) {
		uint32_t code;
		size_t k = tdat_utf8_len(p + n, len - n, &code);

		if (!table_mem_put(m, k ? (const char *)p + n : "\xef\xbf\xbd", k ? k : 3))
			return false;
		n += k ? k : 1;
	}
	return true;
}

#endif
