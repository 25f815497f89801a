/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What zlib, zstd, libelf and some functions of the C library write is initialised, though
 * MemorySanitizer has not seen them write it: calls of them go through here (linked with --wrap).
 */
#include <gelf.h>
#include <sanitizer/msan_interface.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* The result itself comes from where no shadow was kept. */
#define KNOWN(v) __msan_unpoison((void *)&(v), sizeof(v))
#define REAL(type, name, params)                                                                   \
	type __real_##name params;                                                                 \
	type __wrap_##name params;                                                                 \
	type __wrap_##name params

/* ---- the C library: names that files of 64-bit sizes use, which clang 14 does not know ---- */

#define STAT(name, params, args)                                                                   \
	REAL(int, name, params)                                                                    \
	{                                                                                          \
		int rc = __real_##name args;                                                       \
                                                                                                   \
		KNOWN(rc);                                                                         \
		if (!rc)                                                                           \
			KNOWN(*st);                                                                \
		return rc;                                                                         \
	}
STAT(stat64, (const char *path, struct stat *st), (path, st))
STAT(lstat64, (const char *path, struct stat *st), (path, st))
STAT(fstat64, (int fd, struct stat *st), (fd, st))
STAT(fstatat64, (int fd, const char *path, struct stat *st, int flags), (fd, path, st, flags))

/* ---- zlib ---- */

REAL(int, inflate, (z_streamp z, int flush))
{
	unsigned char *from = z->next_out;
	int rc = __real_inflate(z, flush);

	KNOWN(rc);
	KNOWN(*z);
	__msan_unpoison(from, (size_t)(z->next_out - from));
	return rc;
}

REAL(int, deflate, (z_streamp z, int flush))
{
	unsigned char *from = z->next_out;
	int rc;

	__msan_check_mem_is_initialized(z->next_in, z->avail_in);
	rc = __real_deflate(z, flush);
	KNOWN(rc);
	KNOWN(*z);
	__msan_unpoison(from, (size_t)(z->next_out - from));
	return rc;
}

#define ZLIB_STATE(name, params, args)                                                             \
	REAL(int, name, params)                                                                    \
	{                                                                                          \
		int rc = __real_##name args;                                                       \
                                                                                                   \
		KNOWN(rc);                                                                         \
		KNOWN(*z);                                                                         \
		return rc;                                                                         \
	}
ZLIB_STATE(inflateInit_, (z_streamp z, const char *version, int size), (z, version, size))
ZLIB_STATE(inflateReset, (z_streamp z), (z))
ZLIB_STATE(inflateEnd, (z_streamp z), (z))
ZLIB_STATE(deflateInit_, (z_streamp z, int level, const char *version, int size),
	   (z, level, version, size))
ZLIB_STATE(deflateReset, (z_streamp z), (z))
ZLIB_STATE(deflateEnd, (z_streamp z), (z))

REAL(int, uncompress, (Bytef * out, uLongf *room, const Bytef *in, uLong len))
{
	int rc = __real_uncompress(out, room, in, len);

	KNOWN(rc);
	KNOWN(*room);
	if (rc == Z_OK)
		__msan_unpoison(out, *room);
	return rc;
}

REAL(uLong, compressBound, (uLong len))
{
	uLong n = __real_compressBound(len);

	KNOWN(n);
	return n;
}

REAL(const char *, zlibVersion, (void))
{
	const char *v = __real_zlibVersion();

	KNOWN(v);
	return v;
}

/* ---- zstd ---- */

static size_t known_output(void *out, size_t len)
{
	KNOWN(len);
	if (!ZSTD_isError(len))
		__msan_unpoison(out, len);
	return len;
}

REAL(unsigned, ZSTD_isError, (size_t code))
{
	unsigned yes = __real_ZSTD_isError(code);

	KNOWN(yes);
	return yes;
}

REAL(size_t, ZSTD_decompress, (void *out, size_t room, const void *in, size_t len))
{
	return known_output(out, __real_ZSTD_decompress(out, room, in, len));
}

REAL(size_t, ZSTD_decompressDCtx,
     (ZSTD_DCtx * ctx, void *out, size_t room, const void *in, size_t len))
{
	return known_output(out, __real_ZSTD_decompressDCtx(ctx, out, room, in, len));
}

REAL(size_t, ZSTD_compress2, (ZSTD_CCtx * ctx, void *out, size_t room, const void *in, size_t len))
{
	__msan_check_mem_is_initialized(in, len);
	return known_output(out, __real_ZSTD_compress2(ctx, out, room, in, len));
}

REAL(size_t, ZSTD_compressCCtx,
     (ZSTD_CCtx * ctx, void *out, size_t room, const void *in, size_t len, int level))
{
	__msan_check_mem_is_initialized(in, len);
	return known_output(out, __real_ZSTD_compressCCtx(ctx, out, room, in, len, level));
}

REAL(size_t, ZSTD_compress, (void *out, size_t room, const void *in, size_t len, int level))
{
	__msan_check_mem_is_initialized(in, len);
	return known_output(out, __real_ZSTD_compress(out, room, in, len, level));
}

REAL(size_t, ZSTD_decompressStream, (ZSTD_DStream * ctx, ZSTD_outBuffer *out, ZSTD_inBuffer *in))
{
	size_t from = out->pos, rc = __real_ZSTD_decompressStream(ctx, out, in);

	KNOWN(rc);
	KNOWN(*out);
	KNOWN(*in);
	__msan_unpoison((char *)out->dst + from, out->pos - from);
	return rc;
}

#define RESULT(type, name, params, args)                                                           \
	REAL(type, name, params)                                                                   \
	{                                                                                          \
		type r = __real_##name args;                                                       \
                                                                                                   \
		KNOWN(r);                                                                          \
		return r;                                                                          \
	}
RESULT(size_t, ZSTD_initDStream, (ZSTD_DStream * ctx), (ctx))
RESULT(size_t, ZSTD_compressBound, (size_t len), (len))
RESULT(ZSTD_DStream *, ZSTD_createDStream, (void), ())
RESULT(ZSTD_DCtx *, ZSTD_createDCtx, (void), ())
RESULT(ZSTD_CCtx *, ZSTD_createCCtx, (void), ())
RESULT(const char *, ZSTD_versionString, (void), ())
RESULT(ZSTD_ErrorCode, ZSTD_getErrorCode, (size_t code), (code))

/* Static texts of the library are initialised; it is their address that is not known. */
RESULT(const char *, ZSTD_getErrorName, (size_t code), (code))

/* ---- libelf ---- */

RESULT(Elf *, elf_memory, (char *image, size_t len), (image, len))
RESULT(Elf_Kind, elf_kind, (Elf * elf), (elf))
RESULT(unsigned, elf_version, (unsigned version), (version))
RESULT(Elf_Scn *, elf_nextscn, (Elf * elf, Elf_Scn *scn), (elf, scn))
RESULT(size_t, elf_ndxscn, (Elf_Scn * scn), (scn))

REAL(char *, elf_strptr, (Elf * elf, size_t section, size_t off))
{
	char *s = __real_elf_strptr(elf, section, off);

	KNOWN(s);
	/* In the image, or where libelf put it; strlen() would look at the shadow. */
	for (size_t i = 0; s; i++) {
		__msan_unpoison(s + i, 1);
		if (!s[i])
			break;
	}
	return s;
}

REAL(Elf_Data *, elf_getdata, (Elf_Scn * scn, Elf_Data *data))
{
	Elf_Data *d = __real_elf_getdata(scn, data);

	KNOWN(d);
	if (d) {
		KNOWN(*d);
		__msan_unpoison(d->d_buf, d->d_buf ? d->d_size : 0);
	}
	return d;
}

#define FILLED(type, name, params, args)                                                           \
	REAL(type *, name, params)                                                                 \
	{                                                                                          \
		type *r = __real_##name args;                                                      \
                                                                                                   \
		KNOWN(r);                                                                          \
		if (r)                                                                             \
			KNOWN(*r);                                                                 \
		return r;                                                                          \
	}
FILLED(GElf_Ehdr, gelf_getehdr, (Elf * elf, GElf_Ehdr *to), (elf, to))
FILLED(GElf_Phdr, gelf_getphdr, (Elf * elf, int i, GElf_Phdr *to), (elf, i, to))
FILLED(GElf_Shdr, gelf_getshdr, (Elf_Scn * scn, GElf_Shdr *to), (scn, to))
FILLED(GElf_Sym, gelf_getsym, (Elf_Data * data, int i, GElf_Sym *to), (data, i, to))

#define COUNTED(name)                                                                              \
	REAL(int, name, (Elf * elf, size_t * count))                                               \
	{                                                                                          \
		int rc = __real_##name(elf, count);                                                \
                                                                                                   \
		KNOWN(rc);                                                                         \
		KNOWN(*count);                                                                     \
		return rc;                                                                         \
	}
COUNTED(elf_getphdrnum)
COUNTED(elf_getshdrnum)
