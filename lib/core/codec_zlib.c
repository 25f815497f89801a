/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codec.h"

static const char *codec_version(void)
{
	return zlibVersion();
}

static size_t zlib_bound(size_t len)
{
	return compressBound((uLong)len);
}

/* A stream that is reset for each call. */
static void *zlib_inflate_new(void)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (z && inflateInit(z) != Z_OK) {
		free(z);
		return NULL;
	}
	return z;
}

static void zlib_inflate_free(void *state)
{
	if (state)
		inflateEnd(state);
	free(state);
}

static int zlib_inflate(void *state, const void *in, size_t in_len, void *out, size_t out_len,
			const char **why)
{
	z_stream own = {0}, *z = state ? state : &own;
	int rc, end;

	*why = "zlib data is damaged";
	if (in_len > UINT_MAX || out_len > UINT_MAX)
		return -1;
	if ((state ? inflateReset(z) : inflateInit(z)) != Z_OK) {
		*why = "zlib has no memory";
		return -1;
	}
	z->next_in = (Bytef *)in;
	z->avail_in = (uInt)in_len;
	z->next_out = out;
	z->avail_out = (uInt)out_len;
	rc = inflate(z, Z_FINISH);
	end = rc == Z_STREAM_END && z->total_out == out_len;
	if (rc == Z_STREAM_END && z->total_out != out_len)
		*why = "zlib data inflates to less than promised";
	else if (rc == Z_BUF_ERROR && !z->avail_out)
		*why = "zlib data inflates to more than promised";
	else if (rc == Z_BUF_ERROR)
		*why = "zlib data is cut";
	if (!state)
		inflateEnd(z);
	return end ? 0 : -1;
}

static size_t zlib_inflate_part(const void *in, size_t in_len, void *out, size_t out_len)
{
	z_stream z = {0};
	size_t got = 0;
	int rc;

	if (in_len > UINT_MAX || out_len > UINT_MAX || inflateInit(&z) != Z_OK)
		return 0;
	z.next_in = (Bytef *)in;
	z.avail_in = (uInt)in_len;
	z.next_out = out;
	z.avail_out = (uInt)out_len;
	rc = inflate(&z, Z_SYNC_FLUSH);
	if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
		got = z.total_out;
	inflateEnd(&z);
	return got;
}

/* A stream of one level, reset for each call. */
struct zlib_state {
	z_stream z;
	int level;
	bool ready;
};

static void *zlib_deflate_new(void)
{
	return calloc(1, sizeof(struct zlib_state));
}

static void zlib_deflate_free(void *state)
{
	struct zlib_state *s = state;

	if (s && s->ready)
		deflateEnd(&s->z);
	free(s);
}

static int state_prepare(struct zlib_state *s, int level)
{
	if (s->ready && s->level == level)
		return deflateReset(&s->z);
	if (s->ready)
		deflateEnd(&s->z);
	memset(&s->z, 0, sizeof(s->z));
	s->level = level;
	s->ready = deflateInit(&s->z, level) == Z_OK;
	return s->ready ? Z_OK : Z_MEM_ERROR;
}

static int zlib_deflate(void *state, const void *in, size_t in_len, void *out, size_t *out_len,
			int level, const char **why)
{
	struct zlib_state own = {.ready = false}, *s = state ? state : &own;
	int rc = Z_MEM_ERROR;

	*why = "zlib could not compress";
	if (in_len <= UINT_MAX && *out_len <= UINT_MAX && state_prepare(s, level) == Z_OK) {
		s->z.next_in = (Bytef *)in;
		s->z.avail_in = (uInt)in_len;
		s->z.next_out = out;
		s->z.avail_out = (uInt)*out_len;
		rc = deflate(&s->z, Z_FINISH);
		*out_len = s->z.total_out;
	}
	if (!state && own.ready)
		deflateEnd(&own.z);
	return rc == Z_STREAM_END ? 0 : -1;
}

const struct tdat_codec tdat_codec_zlib = {
	.name = "zlib",
	.version = codec_version,
	.default_level = 9, /* as trace-cmd's compress2() call */
	.bound = zlib_bound,
	.inflate = zlib_inflate,
	.inflate_new = zlib_inflate_new,
	.inflate_free = zlib_inflate_free,
	.inflate_part = zlib_inflate_part,
	.deflate = zlib_deflate,
	.deflate_new = zlib_deflate_new,
	.deflate_free = zlib_deflate_free,
};
