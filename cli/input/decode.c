/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes gzip, xz, zstd and bzip2 step by step, each by its own library: libarchive, which knows
 * them too, keeps back what it decoded of the last block before damage, and does not look at the
 * checksums of gzip. Each stream of an input gets a new state. liblzma and libbz2 are loaded only
 * here, because they would cost each run of any command time.
 */
#include "input/decode.h"

#include <bzlib.h>
#include <dlfcn.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* What a decoder of xz takes beside its window. */
enum { XZ_MORE = 2 * 1024 * 1024 };

/* The functions that are loaded, with the types of their headers. */
#define CALLS(X)                                                                                   \
	X("liblzma.so.5", lzma_stream_decoder)                                                     \
	X("liblzma.so.5", lzma_code)                                                               \
	X("liblzma.so.5", lzma_end)                                                                \
	X("libbz2.so.1.0", BZ2_bzDecompressInit)                                                   \
	X("libbz2.so.1.0", BZ2_bzDecompress)                                                       \
	X("libbz2.so.1.0", BZ2_bzDecompressEnd)

/* Set once, before the sandbox is entered. */
static struct {
#define X(library, name) __typeof__(name) *name;
	CALLS(X)
#undef X
} lib;

bool cli_decoder_load(void)
{
#ifdef TDAT_PACKED_LINKED
#define X(library, name) lib.name = name;
#else
	void *function, *handle;

#define X(library, name)                                                                           \
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);                                           \
	function = handle ? dlsym(handle, #name) : NULL;                                           \
	if (!function)                                                                             \
		return false;                                                                      \
	memcpy(&lib.name, &function, sizeof(function));
#endif
	CALLS(X)
#undef X
	return true;
}

/* Moves input and output to where a library left them. */
static void move(struct cli_decoding *d, size_t in_left, size_t out_left)
{
	d->in += d->in_len - in_left;
	d->in_len = in_left;
	d->out += d->out_len - out_left;
	d->out_len = out_left;
}

/* ---- gzip ---- */

static void *gzip_start(const struct cli_decoding *d)
{
	z_stream *z = calloc(1, sizeof(*z));

	(void)d;
	if (z && inflateInit2(z, 16 + MAX_WBITS) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum cli_decoded gzip_step(void *state, struct cli_decoding *d)
{
	z_stream *z = state;
	int rc;

	z->next_in = (Bytef *)d->in;
	z->avail_in = (uInt)d->in_len;
	z->next_out = d->out;
	z->avail_out = (uInt)d->out_len;
	rc = inflate(z, Z_NO_FLUSH);
	move(d, z->avail_in, z->avail_out);
	if (rc == Z_STREAM_END)
		return CLI_DECODED_ALL;
	if (rc == Z_OK || rc == Z_BUF_ERROR)
		return CLI_DECODED_SOME;
	return rc == Z_MEM_ERROR ? CLI_DECODED_NO_MEMORY : CLI_DECODED_BROKEN;
}

static void gzip_end(void *state)
{
	inflateEnd(state);
	free(state);
}

/* ---- xz ---- */

static void *xz_start(const struct cli_decoding *d)
{
	static const lzma_stream init = LZMA_STREAM_INIT;
	lzma_stream *z = malloc(sizeof(*z));

	if (!z)
		return NULL;
	*z = init;
	if (lib.lzma_stream_decoder(z, d->window + XZ_MORE, 0) == LZMA_OK)
		return z;
	free(z);
	return NULL;
}

static enum cli_decoded xz_step(void *state, struct cli_decoding *d)
{
	lzma_stream *z = state;
	lzma_ret rc;

	z->next_in = d->in;
	z->avail_in = d->in_len;
	z->next_out = d->out;
	z->avail_out = d->out_len;
	rc = lib.lzma_code(z, LZMA_RUN);
	move(d, z->avail_in, z->avail_out);
	if (rc == LZMA_STREAM_END)
		return CLI_DECODED_ALL;
	if (rc == LZMA_OK || rc == LZMA_BUF_ERROR)
		return CLI_DECODED_SOME;
	return rc == LZMA_MEM_ERROR	   ? CLI_DECODED_NO_MEMORY
	       : rc == LZMA_MEMLIMIT_ERROR ? CLI_DECODED_WINDOW
					   : CLI_DECODED_BROKEN;
}

static void xz_end(void *state)
{
	lib.lzma_end(state);
	free(state);
}

/* ---- zstd ---- */

static void *zstd_start(const struct cli_decoding *d)
{
	const ZSTD_bounds log = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
	ZSTD_DStream *z = ZSTD_createDStream();
	int most = log.lowerBound;

	while (most < log.upperBound && 2ull << most <= d->window)
		most++;
	if (z)
		ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, most);
	return z;
}

static enum cli_decoded zstd_step(void *state, struct cli_decoding *d)
{
	ZSTD_inBuffer in = {d->in, d->in_len, 0};
	ZSTD_outBuffer out = {d->out, d->out_len, 0};
	const size_t rc = ZSTD_decompressStream(state, &out, &in);
	const ZSTD_ErrorCode error = ZSTD_getErrorCode(rc);

	move(d, in.size - in.pos, out.size - out.pos);
	if (!error)
		return rc ? CLI_DECODED_SOME : CLI_DECODED_ALL;
	return error == ZSTD_error_memory_allocation		   ? CLI_DECODED_NO_MEMORY
	       : error == ZSTD_error_frameParameter_windowTooLarge ? CLI_DECODED_WINDOW
								   : CLI_DECODED_BROKEN;
}

static void zstd_end(void *state)
{
	ZSTD_freeDStream(state);
}

/* ---- bzip2 ---- */

static void *bzip2_start(const struct cli_decoding *d)
{
	bz_stream *z = calloc(1, sizeof(*z));

	(void)d;
	if (z && lib.BZ2_bzDecompressInit(z, 0, 0) == BZ_OK)
		return z;
	free(z);
	return NULL;
}

static enum cli_decoded bzip2_step(void *state, struct cli_decoding *d)
{
	bz_stream *z = state;
	int rc;

	z->next_in = (char *)d->in;
	z->avail_in = (unsigned)d->in_len;
	z->next_out = (char *)d->out;
	z->avail_out = (unsigned)d->out_len;
	rc = lib.BZ2_bzDecompress(z);
	move(d, z->avail_in, z->avail_out);
	if (rc == BZ_STREAM_END)
		return CLI_DECODED_ALL;
	if (rc == BZ_OK)
		return CLI_DECODED_SOME;
	return rc == BZ_MEM_ERROR ? CLI_DECODED_NO_MEMORY : CLI_DECODED_BROKEN;
}

static void bzip2_end(void *state)
{
	lib.BZ2_bzDecompressEnd(state);
	free(state);
}

const struct cli_decoder *cli_decoder_of(enum tdat_packing packing)
{
	/* zstd has frames to be skipped, too. */
	static const struct cli_decoder decoders[] = {
		[TDAT_PACKING_GZIP] = {"gzip", "\x1f", gzip_start, gzip_step, gzip_end},
		[TDAT_PACKING_XZ] = {"xz", "\xfd", xz_start, xz_step, xz_end},
		[TDAT_PACKING_ZSTD] = {"zstd", "\x28PQRSTUVWXYZ[\\]^_", zstd_start, zstd_step,
				       zstd_end},
		[TDAT_PACKING_BZIP2] = {"bzip2", "B", bzip2_start, bzip2_step, bzip2_end},
	};

	return packing < sizeof(decoders) / sizeof(decoders[0]) && decoders[packing].name
		       ? &decoders[packing]
		       : NULL;
}
