/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compresses and inflates chunks with zlib, or with libdeflate where the build has it. Whole
 * chunks go to libdeflate where the build has it, two to three times as fast; what it refuses
 * goes to zlib, which says why and inflates the part that is good. Output never exceeds the
 * caller's room. Each owner keeps a state.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef TDAT_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "codec.h"

/* Version of the library that is linked, which may be newer than its headers. */
static const char *codec_version(void)
{
	return zlibVersion();
}

/* The most bytes that compressing len bytes may give. */
static size_t zlib_bound(size_t len)
{
	return compressBound((uLong)len);
}

/*
 * libdeflate, if the build has it, inflates whole chunks two to three times as fast. Chunks that
 * it refuses go to zlib, which says what is wrong.
 */
struct inflate_state {
#ifdef TDAT_HAVE_LIBDEFLATE
	struct libdeflate_decompressor *fast; /* NULL: none */
#endif
	z_stream z; /* reset for each call */
	bool ready;
};

/* NULL is not an error: zlib_inflate() then makes a state for each call. */
static void *zlib_inflate_new(void)
{
	struct inflate_state *s = calloc(1, sizeof(*s));

#ifdef TDAT_HAVE_LIBDEFLATE
	if (s)
		s->fast = libdeflate_alloc_decompressor();
#endif
	return s;
}

static void zlib_inflate_free(void *state)
{
	struct inflate_state *s = state;

	if (!s)
		return;
#ifdef TDAT_HAVE_LIBDEFLATE
	libdeflate_free_decompressor(s->fast);
#endif
	if (s->ready)
		inflateEnd(&s->z);
	free(s);
}

/*
 * libdeflate needs the exact output length, and must use all input: else zlib says what is
 * wrong.
 */
static bool inflate_fast(const struct inflate_state *s, const void *in, size_t in_len, void *out,
			 size_t out_len)
{
#ifdef TDAT_HAVE_LIBDEFLATE
	size_t used = 0;

	return s->fast &&
	       libdeflate_zlib_decompress_ex(s->fast, in, in_len, out, out_len, &used, NULL) ==
		       LIBDEFLATE_SUCCESS &&
	       used == in_len;
#else
	(void)s, (void)in, (void)in_len, (void)out, (void)out_len;
	return false;
#endif
}

/* Resets the stream, or makes it at the first use: many readers never need zlib itself. */
static bool inflate_ready(struct inflate_state *s)
{
	if (s->ready)
		return inflateReset(&s->z) == Z_OK;
	s->ready = inflateInit(&s->z) == Z_OK;
	return s->ready;
}

/* A chunk is right only if the stream ends, fills out_len bytes and uses all input. */
static int zlib_inflate(void *state, const void *in, size_t in_len, void *out, size_t out_len,
			const char **why)
{
	struct inflate_state own = {.ready = false}, *s = state ? state : &own;
	z_stream *z = &s->z;
	int rc, end;

	*why = "zlib data is damaged";
	/* zlib counts in unsigned int; chunks of files are far smaller. */
	if (in_len > UINT_MAX || out_len > UINT_MAX)
		return -1;
	if (inflate_fast(s, in, in_len, out, out_len))
		return 0;
	if (!inflate_ready(s)) {
		*why = "zlib has no memory";
		return -1;
	}
	z->next_in = (Bytef *)in;
	z->avail_in = (uInt)in_len;
	z->next_out = out;
	z->avail_out = (uInt)out_len;
	rc = inflate(z, Z_FINISH);
	end = rc == Z_STREAM_END && z->total_out == out_len && !z->avail_in;
	if (rc == Z_STREAM_END && z->total_out == out_len)
		*why = "other bytes follow the zlib data";
	else if (rc == Z_STREAM_END && z->total_out != out_len)
		*why = "zlib data inflates to fewer bytes than the file states";
	else if (rc == Z_BUF_ERROR && !z->avail_out)
		*why = "zlib data inflates to more bytes than the file states";
	else if (rc == Z_BUF_ERROR)
		*why = "zlib data is truncated";
	if (!state)
		inflateEnd(z);
	return end ? 0 : -1;
}

/*
 * Inflates a chunk that is cut or longer than promised. *end: where the stream ends by itself,
 * if its output fills the room; 0: it does not.
 */
static size_t zlib_inflate_part(const void *in, size_t in_len, void *out, size_t out_len,
				size_t *end)
{
	z_stream z = {0};
	size_t got = 0;
	int rc;

	*end = 0;
	if (in_len > UINT_MAX || out_len > UINT_MAX || inflateInit(&z) != Z_OK)
		return 0;
	z.next_in = (Bytef *)in;
	z.avail_in = (uInt)in_len;
	z.next_out = out;
	z.avail_out = (uInt)out_len;
	rc = inflate(&z, Z_SYNC_FLUSH);
	if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
		got = z.total_out;
	if (rc == Z_STREAM_END && got == out_len)
		*end = z.total_in;
	inflateEnd(&z);
	return got;
}

/* A stream of one level, reset for each call. */
struct zlib_state {
	z_stream z;
	int level;
	bool ready;
};

/* The stream itself is made by state_prepare(), when the level is known. */
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

/* A state keeps its memory from chunk to chunk; another level needs a new one. */
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

/* Without a state one is made for this call alone. */
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

static int zlib_store(const void *in, size_t in_len, void *out, size_t *out_len)
{
	const char *why;

	return zlib_deflate(NULL, in, in_len, out, out_len, Z_NO_COMPRESSION, &why);
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
	.store = zlib_store,
	.deflate_new = zlib_deflate_new,
	.deflate_free = zlib_deflate_free,
};
