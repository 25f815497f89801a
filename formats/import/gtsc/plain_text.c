/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells text from binary data. Control bytes and broken UTF-8 count as binary. Used to warn
 * when the kind text was chosen for a file that is none.
 */
#include "gtsc.h"

#include "core/utf8.h"

/*
 * Percentage of bytes that no text has. Invalid UTF-8 counts byte by byte; tabs, line ends and
 * escape sequences do not count.
 */
unsigned int gtsc_binary_percent(struct tdat_span head)
{
	size_t strange = 0;

	for (size_t i = 0; i < head.len; i++) {
		uint8_t c = head.ptr[i];
		uint32_t code;
		size_t n;

		if ((c >= 0x20 && c < 0x7f) || (c >= 0x08 && c <= 0x0d) || c == 0x1b)
			continue;
		n = c < 0x80 ? 0 : tdat_utf8_len(head.ptr + i, head.len - i, &code);
		if (n)
			i += n - 1;
		else
			strange++;
	}
	return head.len ? (unsigned int)(strange * 100 / head.len) : 0;
}
