/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Base64 (RFC 4648), in which a footer has the Arrow schema of its table. */
#include "base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_put(struct tdat_build *out, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		const size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)p[i] << 16;

		v |= n > 1 ? (uint32_t)p[i + 1] << 8 : 0;
		v |= n > 2 ? p[i + 2] : 0;
		tdat_build_u8(out, (uint8_t)letters[v >> 18]);
		tdat_build_u8(out, (uint8_t)letters[v >> 12 & 63]);
		tdat_build_u8(out, (uint8_t)(n > 1 ? letters[v >> 6 & 63] : '='));
		tdat_build_u8(out, (uint8_t)(n > 2 ? letters[v & 63] : '='));
	}
}

bool base64_get(struct tdat_build *out, struct tdat_span text)
{
	uint32_t v = 0;
	size_t bits = 0;

	while (text.len && text.ptr[text.len - 1] == '=')
		text.len--;
	for (size_t i = 0; i < text.len; i++) {
		const char *letter = text.ptr[i] ? strchr(letters, text.ptr[i]) : NULL;

		if (!letter)
			return false;
		v = v << 6 | (uint32_t)(letter - letters);
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		tdat_build_u8(out, (uint8_t)(v >> bits));
	}
	return true;
}
