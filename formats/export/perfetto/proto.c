/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes messages of unknown length, and strings that any reader of protocol buffers takes. A
 * message is begun with one byte for its length; a longer length moves the message when it is
 * closed. A failure of memory is the buffer's flag. Strings are cleaned, as readers refuse what
 * is no UTF-8.
 */
#include "proto.h"

#include <string.h>

#include "core/endian.h"
#include "core/utf8.h"

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

/* Bytes from p on that are ASCII. */
static size_t ascii_run(const uint8_t *p, size_t len)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	size_t i = 0;

	while (len - i >= 8 && !(tdat_load64(p + i, false) & tops))
		i += 8;
	while (i < len && p[i] < 0x80)
		i++;
	return i;
}

void proto_clean(struct tdat_build *b, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	while (len) {
		size_t n = ascii_run(p, len);

		if (n) {
			tdat_build_bytes(b, p, n);
		} else {
			uint32_t code;

			n = tdat_utf8_len(p, len, &code);
			if (n)
				tdat_build_bytes(b, p, n);
			else
				tdat_build_bytes(b, "\xef\xbf\xbd", 3);
			n = n ? n : 1;
		}
		p += n;
		len -= n;
	}
}

void proto_string(struct tdat_build *b, uint32_t number, const void *p, size_t len)
{
	size_t start;

	if (ascii_run(p, len) == len) {
		proto_bytes(b, number, p, len);
		return;
	}
	start = proto_open(b, number);
	proto_clean(b, p, len);
	proto_close(b, start);
}

void proto_cstr(struct tdat_build *b, uint32_t number, const char *text)
{
	proto_string(b, number, text, strlen(text));
}
