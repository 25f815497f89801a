/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "terminal/utf8.h"

size_t cli_utf8_len(const char *p, size_t len, uint32_t *code)
{
	static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
	uint8_t first = (uint8_t)p[0];
	uint32_t c;
	size_t n;

	if (first < 0x80) {
		*code = first;
		return 1;
	}
	if (first >= 0xc2 && first <= 0xdf) {
		n = 2;
		c = first & 0x1f;
	} else if (first >= 0xe0 && first <= 0xef) {
		n = 3;
		c = first & 0x0f;
	} else if (first >= 0xf0 && first <= 0xf4) {
		n = 4;
		c = first & 0x07;
	} else {
		return 0;
	}
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		uint8_t b = (uint8_t)p[i];

		if ((b & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (b & 0x3f);
	}
	if (c < lowest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return n;
}
