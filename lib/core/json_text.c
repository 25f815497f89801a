/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Appends strings of a trace to JSON in a buffer. Bytes that JSON does not allow are escaped;
 * invalid UTF-8 is replaced (tdat_json_next). For lines that are written once for each event.
 */
#include "json_text.h"

/* Appends the inside of a string, escaped, to where a limit allows. */
void tdat_json_inside(struct tdat_build *out, struct tdat_span s)
{
	uint8_t escape[TDAT_JSON_ESCAPE];

	while (s.len && !out->full && !out->failed) {
		const struct tdat_span piece = tdat_json_next(&s.ptr, &s.len, escape);

		tdat_build_bytes(out, piece.ptr, piece.len);
	}
}

void tdat_json_quoted(struct tdat_build *out, const void *text, size_t len)
{
	tdat_build_u8(out, '"');
	tdat_json_inside(out, (struct tdat_span){(const uint8_t *)text, len});
	tdat_build_u8(out, '"');
}
