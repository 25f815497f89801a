/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compresses the output of an exporter with zlib, piece by piece, as a gzip file. */
#include <stdlib.h>
#include <zlib.h>

#include "chrome.h"

#include "core/text.h"

struct chrome_gzip {
	z_stream z;
};

/*
 * ROOM: bytes of output that zlib gets at a time; GIVEN: bytes of input at most, as its counts have
 * 32 bits.
 */
enum { ROOM = 64 * 1024, GIVEN = 1 << 30 };

/* 15 bits of window, and 16 more for gzip's header (zlib.h, deflateInit2). */
enum { GZIP_BITS = 15 + 16, LEVEL = 6, MEMORY = 8 };

struct chrome_gzip *chrome_gzip_new(void)
{
	struct chrome_gzip *z = calloc(1, sizeof(*z));

	if (z &&
	    deflateInit2(&z->z, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(z);
		z = NULL;
	}
	return z;
}

void chrome_gzip_free(struct chrome_gzip *z)
{
	if (!z)
		return;
	deflateEnd(&z->z);
	free(z);
}

/* Compresses bytes into out; last: ends the gzip file. Without it zlib may keep some back. */
enum tdat_status chrome_gzip_put(struct chrome_gzip *z, struct tdat_span bytes, bool last,
				 struct tdat_build *out, struct tdat_error *err)
{
	int rc = Z_OK;

	do {
		const size_t n = bytes.len < GIVEN ? bytes.len : GIVEN;

		z->z.next_in = (Bytef *)(uintptr_t)bytes.ptr;
		z->z.avail_in = (uInt)n;
		bytes = tdat_span_from(bytes, n);
		do {
			uint8_t *room = tdat_build_room(out, ROOM);

			if (!room)
				return tdat_error_no_memory(err, "compressed output");
			z->z.next_out = room;
			z->z.avail_out = ROOM;
			rc = deflate(&z->z, last && !bytes.len ? Z_FINISH : Z_NO_FLUSH);
			if (rc == Z_STREAM_ERROR)
				return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
						      "zlib cannot compress");
			out->len += ROOM - z->z.avail_out;
		} while (!z->z.avail_out || (last && !bytes.len && rc != Z_STREAM_END));
	} while (bytes.len);
	return TDAT_OK;
}
