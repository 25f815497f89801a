/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes strings of a trace as JSON, CSV and hexadecimal text. Text comes from a trace and may
 * be any bytes: what is no UTF-8 is replaced or shown in hexadecimal, control characters are
 * escaped. All text exporters use these functions.
 */
#include "put_text.h"

#include "core/json_text.h"

/* Whether a CSV value must be in quotes. */
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
 * Puts one character that does not stand for itself, or is not ASCII, and returns how many
 * bytes it took.
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

void export_csv_str(struct tdat_build *out, const void *s, size_t len)
{
	const uint8_t *p = s;
	bool quotes = csv_needs_quotes(p, len);

	if (quotes)
		tdat_build_u8(out, '"');
	/* Texts of many megabytes are mostly runs of plain bytes: those are copied at once. */
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
