/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes strings of a trace as JSON, CSV and hexadecimal text. Text comes from a trace and may
 * be any bytes: bytes outside UTF-8 are replaced or shown in hexadecimal, control characters are
 * escaped. All text exporters use these functions.
 */
#include "put_text.h"

#include "core/json_text.h"

/*
 * True if a CSV value must be in quotes: RFC 4180's marks, or blanks at its ends, which readers may
 * trim.
 */
static bool csv_needs_quotes(const uint8_t *p, size_t len)
{
	static const char marks[] = {'"', ',', '\n', '\r'};
	size_t i;

	for (i = 0; len && i < sizeof(marks); i++)
		if (memchr(p, marks[i], len))
			return true;
	return len && (p[0] == ' ' || p[len - 1] == ' ');
}

/*
 * Writes one character that needs care: quotes are doubled, control characters escaped, bytes
 * outside UTF-8 become U+FFFD. Returns the bytes it took.
 */
static size_t put_csv_character(struct tdat_build *out, const uint8_t *p, size_t len)
{
	uint32_t c = 0;
	size_t n = tdat_utf8_len(p, len, &c);

	if (!n) {
		tdat_build_bytes(out, "\xef\xbf\xbd", 3);
		return 1;
	}
	if (c == '"') {
		tdat_build_bytes(out, "\"\"", 2);
	} else if (tdat_utf8_is_control(c) && c != '\n' && c != '\t') {
		const char escape[4] = {'\\', 'x', "0123456789abcdef"[c >> 4 & 15],
					"0123456789abcdef"[c & 15]};

		tdat_build_bytes(out, escape, sizeof(escape));
	} else {
		tdat_build_bytes(out, p, n);
	}
	return n;
}

/* Writes text as a CSV value. */
void export_csv_str(struct tdat_build *out, const void *s, size_t len)
{
	const uint8_t *p = s;
	bool quotes = csv_needs_quotes(p, len);

	if (quotes)
		tdat_build_u8(out, '"');
	/* Runs of plain bytes are copied at once: a text may have megabytes. */
	while (len) {
		size_t n = tdat_json_plain_run(p, len);

		if (n)
			tdat_build_bytes(out, p, n);
		else
			n = put_csv_character(out, p, len);
		p += n;
		len -= n;
	}
	if (quotes)
		tdat_build_u8(out, '"');
}
