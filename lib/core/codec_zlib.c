/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
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

static int zlib_inflate(const void *in, size_t in_len, void *out, size_t out_len,
			const char **why)
{
	z_stream z = {0};
	int rc, end;

	*why = "zlib data is damaged";
	if (in_len > UINT_MAX || out_len > UINT_MAX)
		return -1;
	if (inflateInit(&z) != Z_OK) {
		*why = "zlib has no memory";
		return -1;
	}
	z.next_in = (Bytef *)in;
	z.avail_in = (uInt)in_len;
	z.next_out = out;
	z.avail_out = (uInt)out_len;
	rc = inflate(&z, Z_FINISH);
	end = rc == Z_STREAM_END && z.total_out == out_len;
	if (rc == Z_STREAM_END && z.total_out != out_len)
		*why = "zlib data inflates to less than promised";
	else if (rc == Z_BUF_ERROR && !z.avail_out)
		*why = "zlib data inflates to more than promised";
	else if (rc == Z_BUF_ERROR)
		*why = "zlib data is cut";
	inflateEnd(&z);
	return end ? 0 : -1;
}

static int zlib_deflate(const void *in, size_t in_len, void *out, size_t *out_len, int level,
			const char **why)
{
	uLongf len = (uLongf)*out_len;

	if (compress2(out, &len, in, (uLong)in_len, level) != Z_OK) {
		*why = "zlib could not compress";
		return -1;
	}
	*out_len = len;
	return 0;
}

const struct tdat_codec tdat_codec_zlib = {
	.name = "zlib",
	.version = codec_version,
	.default_level = 9, /* as trace-cmd's compress2() call */
	.bound = zlib_bound,
	.inflate = zlib_inflate,
	.deflate = zlib_deflate,
};
