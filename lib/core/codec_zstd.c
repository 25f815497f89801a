/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compresses and inflates chunks with zstd. Frames have no content size: the chunk header alone
 * bounds what a frame may inflate to, and output never exceeds the caller's room. A frame that
 * is cut is inflated block by block, so that all blocks before the bad one are returned. Each
 * owner keeps a context.
 */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "codec.h"

static const char *codec_version(void)
{
	return ZSTD_versionString();
}

static size_t zstd_bound(size_t len)
{
	return ZSTD_compressBound(len);
}

/* Frames are written without their content size: out_len alone bounds what one may inflate to. */
static int zstd_inflate(void *state, const void *in, size_t in_len, void *out, size_t out_len,
			const char **why)
{
	size_t got = state ? ZSTD_decompressDCtx(state, out, out_len, in, in_len)
			   : ZSTD_decompress(out, out_len, in, in_len);

	if (ZSTD_isError(got)) {
		*why = ZSTD_getErrorCode(got) == ZSTD_error_dstSize_tooSmall
			       ? "zstd data inflates to more bytes than the file states"
			       : ZSTD_getErrorName(got);
		return -1;
	}
	if (got != out_len) {
		*why = "zstd data inflates to fewer bytes than the file states";
		return -1;
	}
	return 0;
}

/* As zlib_inflate_part: what can be inflated, and where the frame ends by itself. */
static size_t zstd_inflate_part(const void *in, size_t in_len, void *out, size_t out_len,
				size_t *end)
{
	ZSTD_DStream *ctx = ZSTD_createDStream();
	ZSTD_inBuffer from = {in, 0, 0};
	ZSTD_outBuffer to = {out, out_len, 0};
	size_t want = ctx ? ZSTD_initDStream(ctx) : 0, before;

	/*
	 * zstd gets as much as it asks for, a block at most, so that all blocks before a bad one
	 * are out. Where they fill the room, the end of the frame may follow without any.
	 */
	*end = 0;
	while (want && !ZSTD_isError(want)) {
		before = from.pos + to.pos;
		from.size = want < in_len - from.pos ? from.pos + want : in_len;
		want = ZSTD_decompressStream(ctx, &to, &from);
		if (from.pos + to.pos == before)
			break;
	}
	if (!want && from.pos && to.pos == out_len)
		*end = from.pos;
	ZSTD_freeDStream(ctx);
	return to.pos;
}

/* Contexts are kept by their owner: making one takes longer than a small chunk. */
static void *zstd_inflate_new(void)
{
	return ZSTD_createDCtx();
}

static void zstd_inflate_free(void *state)
{
	ZSTD_freeDCtx(state);
}

static void *zstd_deflate_new(void)
{
	return ZSTD_createCCtx();
}

static void zstd_deflate_free(void *state)
{
	ZSTD_freeCCtx(state);
}

/* Without a context one is made for this call alone. */
static int zstd_deflate(void *state, const void *in, size_t in_len, void *out, size_t *out_len,
			int level, const char **why)
{
	ZSTD_CCtx *ctx = state ? state : ZSTD_createCCtx();
	size_t got;

	if (!ctx) {
		*why = "zstd has no memory";
		return -1;
	}
	/* v7 readers take the size from the chunk header (trace-cmd writes it so). */
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, 0);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	got = ZSTD_compress2(ctx, out, *out_len, in, in_len);
	if (!state)
		ZSTD_freeCCtx(ctx);
	if (ZSTD_isError(got)) {
		*why = ZSTD_getErrorName(got);
		return -1;
	}
	*out_len = got;
	return 0;
}

/* RFC 8878: a frame of raw blocks, without content size and checksum, and a window of 128 KiB. */
static int zstd_store(const void *in, size_t in_len, void *out, size_t *out_len)
{
	static const uint8_t head[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3};
	const uint8_t *from = in;
	uint8_t *to = out;

	if (*out_len < sizeof(head) + in_len + 3 * (in_len / ZSTD_BLOCKSIZE_MAX + 1))
		return -1;
	memcpy(to, head, sizeof(head));
	to += sizeof(head);
	do {
		const size_t len = in_len < ZSTD_BLOCKSIZE_MAX ? in_len : ZSTD_BLOCKSIZE_MAX;
		const size_t block = len << 3 | (len == in_len);

		*to++ = (uint8_t)block;
		*to++ = (uint8_t)(block >> 8);
		*to++ = (uint8_t)(block >> 16);
		if (len)
			memcpy(to, from, len);
		to += len;
		from += len;
		in_len -= len;
	} while (in_len);
	*out_len = (size_t)(to - (uint8_t *)out);
	return 0;
}

const struct tdat_codec tdat_codec_zstd = {
	.name = "zstd",
	.version = codec_version,
	.default_level = ZSTD_CLEVEL_DEFAULT,
	.bound = zstd_bound,
	.inflate = zstd_inflate,
	.inflate_new = zstd_inflate_new,
	.inflate_free = zstd_inflate_free,
	.inflate_part = zstd_inflate_part,
	.deflate = zstd_deflate,
	.store = zstd_store,
	.deflate_new = zstd_deflate_new,
	.deflate_free = zstd_deflate_free,
};
