/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strings of a trace as JSON, CSV and hexadecimal text. */
#include "put_text.h"

#include "core/json_text.h"

static const char hex_digits[] = "0123456789abcdef";

void export_hex(struct tdat_build *out, const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		const char two[2] = {hex_digits[p[i] >> 4], hex_digits[p[i] & 15]};

		tdat_build_bytes(out, two, 2);
	}
}

void export_json_str(struct tdat_build *out, const void *s, size_t len)
{
	uint8_t escape[TDAT_JSON_ESCAPE];
	const uint8_t *p = s;

	tdat_build_u8(out, '"');
	while (len) {
		struct tdat_span piece = tdat_json_next(&p, &len, escape);

		tdat_build_bytes(out, piece.ptr, piece.len);
	}
	tdat_build_u8(out, '"');
}

/* Whether a CSV value must be in quotes. */
static bool csv_needs_quotes(const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] == '"' || p[i] == ',' || p[i] == '\n' || p[i] == '\r')
			return true;
	return len && (p[0] == ' ' || p[len - 1] == ' ');
}

void export_csv_str(struct tdat_build *out, const void *s, size_t len)
{
	const uint8_t *p = s;
	bool quotes = csv_needs_quotes(p, len);

	if (quotes)
		tdat_build_u8(out, '"');
	while (len) {
		uint32_t c = 0;
		size_t n = tdat_utf8_len(p, len, &c);

		if (!n) {
			tdat_build_bytes(out, "\xef\xbf\xbd", 3);
			n = 1;
		} else if (c == '"') {
			tdat_build_bytes(out, "\"\"", 2);
		} else if (tdat_utf8_is_control(c) && c != '\n' && c != '\t') {
			tdat_build_bytes(out, "\\x", 2);
			tdat_build_u8(out, (uint8_t)hex_digits[c >> 4 & 15]);
			tdat_build_u8(out, (uint8_t)hex_digits[c & 15]);
		} else {
			tdat_build_bytes(out, p, n);
		}
		p += n;
		len -= n;
	}
	if (quotes)
		tdat_build_u8(out, '"');
}
