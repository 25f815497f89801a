/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes untrusted text of the kernel printable: control bytes become escapes of C. Bytes from 0x80
 * pass, so that UTF-8 stays readable. Nearly all text is clean, so eight bytes are checked in one
 * step.
 */
#include "clean_text.h"

/* True if a byte is printed without an escape. Bytes from 0x80 count: they may be UTF-8. */
static bool is_clean(uint8_t c)
{
	return c == '\t' || (c >= 0x20 && c != 0x7f);
}

/* Letter of the short escape that C has for a control byte, or 0: it becomes \xHH. */
static char escape_letter(uint8_t c)
{
	static const char letters[] = "abtnvfr"; /* of 7 to 13 */

	return c >= 7 && c <= 13 ? letters[c - 7] : 0;
}

/* Whether eight bytes are all from 0x20 to 0x7e: the usual case of is_clean. */
static inline bool eight_clean(const uint8_t *p)
{
	const uint64_t ones = 0x0101010101010101u, tops = 0x80 * ones;
	const uint64_t x = tdat_load64(p, false);

	/* No byte has its top bit, is below 0x20, or becomes 0x80 when 1 is added. */
	return !((x | (x + ones) | (((x | tops) - 0x20 * ones) ^ tops)) & tops);
}

/*
 * Appends the text with its escapes. Clean runs are copied whole: [plain, i) is the run not copied
 * yet.
 */
void ktr_text_clean(struct tdat_build *out, struct tdat_span text)
{
	static const char hex[] = "0123456789abcdef";
	size_t plain = 0;

	for (size_t i = 0; text.ptr && i <= text.len; i++) {
		uint8_t c;

		/*
		 * Skip clean bytes by eights; the tail and doubtful bytes take the slow path below.
		 */
		while (text.len - i >= 8 && eight_clean(text.ptr + i))
			i += 8;
		if (i < text.len && is_clean(text.ptr[i]))
			continue;
		tdat_build_bytes(out, text.ptr + plain, i - plain);
		plain = i + 1;
		if (i == text.len)
			break;
		c = text.ptr[i];
		tdat_build_u8(out, '\\');
		if (escape_letter(c)) {
			tdat_build_u8(out, (uint8_t)escape_letter(c));
			continue;
		}
		tdat_build_u8(out, 'x');
		tdat_build_u8(out, (uint8_t)hex[c >> 4]);
		tdat_build_u8(out, (uint8_t)hex[c & 15]);
	}
}

/* True if ktr_text_clean() would copy the text unchanged. */
bool ktr_text_is_clean(struct tdat_span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!is_clean(text.ptr[i]))
			return false;
	return true;
}
