/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes messages of unknown length, and strings that any reader of protocol buffers takes. A
 * message is begun with one byte for its length; a longer length moves the message when it is
 * closed. A failure of memory is the buffer's flag. Strings are cleaned, as readers refuse
 * bytes outside UTF-8.
 */
#include "proto.h"

#include <string.h>

#include "core/utf8.h"

/*
 * Ends a message whose content begins at start: writes its length into the byte before, moving the
 * content if it needs more bytes.
 */
void proto_close(struct tdat_build *b, size_t start)
{
	const size_t len = b->failed ? 0 : b->len - start;
	const size_t more = proto_varint_len(len) - 1;

	if (b->failed || (more && !tdat_build_room(b, more)))
		return;
	if (more)
		memmove(b->ptr + start + more, b->ptr + start, len);
	proto_varint_at(b->ptr + start - 1, len);
	b->len += more;
}

/* Writes a string field as valid UTF-8. ASCII, nearly all of them, is copied. */
void proto_string(struct tdat_build *b, uint32_t number, const void *p, size_t len)
{
	size_t start;

	if (tdat_ascii_run(p, len) == len) {
		proto_bytes(b, number, p, len);
		return;
	}
	start = proto_open(b, number);
	tdat_build_utf8(b, p, len);
	proto_close(b, start);
}

void proto_cstr(struct tdat_build *b, uint32_t number, const char *text)
{
	proto_string(b, number, text, strlen(text));
}
