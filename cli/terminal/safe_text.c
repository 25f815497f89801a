/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of files and file names, written so that no byte of it drives a terminal. */
#include "terminal/safe_text.h"

#include <string.h>

#include "core/utf8.h"
#include "terminal/pager.h"

/*
 * Writes text so that no byte of it drives a terminal: invisible characters and invalid bytes
 * become "\xNN".
 */
void cli_put_text(FILE *to, const char *text, size_t len)
{
	while (len) {
		uint32_t code = 0;
		size_t n = tdat_utf8_len(text, len, &code);

		if (n && !tdat_utf8_is_hidden(code)) {
			fwrite(text, 1, n, to);
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				fprintf(to, "\\x%02x", (unsigned int)(uint8_t)text[i]);
		}
		text += n;
		len -= n;
	}
}

void cli_put_str(FILE *to, const char *text)
{
	cli_put_text(to, text, strlen(text));
}

/* The same into memory, with a backslash before the characters of `also`, which end a cell. */
void cli_build_text(struct tdat_build *out, const void *text, size_t len, const char *also)
{
	const uint8_t *p = text;

	while (len) {
		uint32_t code = 0;
		size_t n = tdat_utf8_len(p, len, &code);

		if (n && !tdat_utf8_is_hidden(code)) {
			if (n == 1 && strchr(also, (int)code))
				tdat_build_u8(out, '\\');
			tdat_build_bytes(out, p, n);
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				tdat_build_printf(out, "\\x%02x", (unsigned int)p[i]);
		}
		p += n;
		len -= n;
	}
}

/*
 * Writes lines of text; line ends, those of CSV too, and tabs stay. Text is split at those only, so
 * no character is split over two calls.
 */
void cli_put_lines(FILE *to, const char *text, size_t len)
{
	size_t n;

	for (; len; text += n, len -= n) {
		for (n = 0; n < len && text[n] != '\n' && text[n] != '\t'; n++)
			;
		cli_put_text(to, text,
			     n - (n && n < len && text[n] == '\n' && text[n - 1] == '\r'));
		if (n < len)
			putc(text[n++], to);
	}
}

/*
 * Writes a stored part: unchanged to a file or pipe, or with raw; escaped to a terminal. False:
 * writing failed.
 */
bool cli_put_stored(const char *text, size_t len, bool raw)
{
	if (raw || !cli_is_terminal())
		return !len || fwrite(text, 1, len, stdout) == len;
	cli_put_lines(stdout, text, len);
	return !ferror(stdout);
}
