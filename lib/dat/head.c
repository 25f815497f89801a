/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the head of a trace.dat: magic, version, byte order and sizes, compression. Doubtful facts
 * are findings of a tolerant open, with a guess in their place: the byte order in which the page
 * size makes sense, a long of 8 bytes. Input is a cursor on the first bytes, output are fields of
 * struct dat_index.
 */
#include "head.h"

#include <inttypes.h>
#include <string.h>

#include "core/other_file.h"
#include "core/packed.h"
#include "core/text.h"

enum { OLDEST_VERSION = 6, NEWEST_VERSION = 7 };

static const uint8_t magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

/* Version digits, up to their NUL; any length, strictly decimal. */
static enum tdat_status read_version(struct dat_index *ix, struct tdat_cursor *c,
				     struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	struct tdat_span s = tdat_cursor_cstr(c);
	struct tdat_span rest = s;
	uint64_t v = 0;
	size_t digits;

	if (!tdat_cursor_ok(c))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the version at offset %llu is not terminated",
				      (unsigned long long)off);
	digits = tdat_take_digits(&rest, 10, &v);
	if (!digits || rest.len || v > 10000000)
		return tdat_error_set(err, TDAT_E_FORMAT, off,
				      "the version at offset %llu is \"%.*s\", expected a number",
				      (unsigned long long)off, (int)(s.len > 32 ? 32 : s.len),
				      (const char *)s.ptr);
	if (v < OLDEST_VERSION || v > NEWEST_VERSION)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, off,
				      "file version %" PRIu64
				      " is not supported: versions %d and %d are",
				      v, OLDEST_VERSION, NEWEST_VERSION);
	ix->version = (uint8_t)v;
	return TDAT_OK;
}

/*
 * True if the bytes are raw pages: a timestamp, and a commit that a page can have, in one of both
 * byte orders.
 */
static bool looks_like_pages(const struct tdat_cursor *c, uint64_t total)
{
	int big;

	if (c->len < 64 || total % 4096)
		return false;
	for (big = 0; big < 2; big++) {
		uint64_t ts = tdat_load64(c->base, big), commit = tdat_load64(c->base + 8, big);

		commit &= ~(1ull << 31 | 1ull << 30);
		if (ts && ts >> 60 == 0 && commit >= 8 && commit < 65536 && commit % 4 == 0)
			return true;
	}
	return false;
}

/* The tools that unpack, in the order of enum tdat_packing. */
static enum tdat_status packed(enum tdat_packing packing, struct tdat_error *err)
{
	static const char *const how[] = {"",
					  "gzip data: decompress it with gunzip",
					  "xz data: decompress it with unxz",
					  "zstd data: decompress it with unzstd",
					  "bzip2 data: decompress it with bunzip2",
					  "a zip archive: unpack it with unzip",
					  "a tar archive: unpack it with tar"};

	return tdat_error_set(err, TDAT_E_FORMAT, 0,
			      "not a trace.dat file, but %s (tdat commands unpack only one layer)",
			      how[packing]);
}

/* Names files of other tools that are often mistaken for a trace.dat. */
static enum tdat_status check_magic(struct tdat_cursor *c, uint64_t total, struct tdat_error *err)
{
	const bool empty = !c->len;
	struct tdat_span m = tdat_cursor_bytes(c, sizeof(magic));
	const enum tdat_packing packing = tdat_packing(c->base, c->len);
	const char *other = m.ptr && !memcmp(m.ptr, magic, sizeof(magic))
				    ? NULL
				    : tdat_other_file(c->base, c->len);

	if (empty)
		return tdat_error_set(err, TDAT_E_FORMAT, 0, "not a trace.dat file: it is empty");
	if (packing != TDAT_PACKING_NONE)
		return packed(packing, err);
	if (other)
		return tdat_error_set(err, TDAT_E_FORMAT, 0, "not a trace.dat file, %s", other);
	if (!m.ptr)
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "not a trace.dat file: it has only %zu bytes", c->len);
	if (memcmp(m.ptr, magic, sizeof(magic)) && looks_like_pages(c, total))
		return tdat_error_set(
			err, TDAT_E_FORMAT, 0,
			"not a trace.dat file, but raw pages of one CPU from a killed recorder: "
			"join them with their trace.dat by \"tdat repair\"");
	if (memcmp(m.ptr, magic, sizeof(magic)))
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "not a trace.dat file: it starts with %02x %02x %02x, "
				      "expected 17 08 44 \"tracing\"",
				      m.ptr[0], m.ptr[1], m.ptr[2]);
	/* perf.data stores a header of its own behind the same magic. */
	if (tdat_cursor_left(c) >= 3 && c->base[c->pos] == '0' && c->base[c->pos + 1] == '.')
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, sizeof(magic),
				      "not a trace.dat file, but the tracing header of a perf.data "
				      "file (version %.3s)",
				      (const char *)c->base + c->pos);
	return TDAT_OK;
}

/* Returns how unlikely a page size is; the lowest result is the most likely. */
static uint32_t page_size_doubt(uint32_t size)
{
	return size >= 1024 && !(size & (size - 1)) ? size : UINT32_MAX;
}

/* Guesses the byte order if its byte is neither 0 nor 1: the one with the more likely page size. */
static enum tdat_status guess_order(struct dat_index *ix, struct tdat_cursor *c, uint8_t found,
				    uint64_t off, struct tdat_error *err)
{
	struct tdat_cursor size = *c;
	uint32_t little;

	tdat_cursor_u8(&size); /* of long */
	size.big = false;
	little = tdat_cursor_u32(&size);
	c->big = page_size_doubt(__builtin_bswap32(little)) < page_size_doubt(little);
	tdat_error_set(err, TDAT_E_DAMAGED, off,
		       "the byte order at offset %llu is %u, expected 0 or 1",
		       (unsigned long long)off, found);
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* Byte order, long size, page size (§2). */
static enum tdat_status read_machine(struct dat_index *ix, struct tdat_cursor *c,
				     struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	uint8_t endian = tdat_cursor_u8(c);
	enum tdat_status st = TDAT_OK;

	c->big = endian == 1;
	if (endian > 1 && tdat_cursor_left(c) >= 5)
		st = guess_order(ix, c, endian, off, err);
	ix->long_size = tdat_cursor_u8(c);
	ix->big = c->big;
	ix->page_size = tdat_cursor_u32(c);
	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the header");
	if (st == TDAT_OK && ix->long_size != 4 && ix->long_size != 8) {
		tdat_error_set(err, TDAT_E_DAMAGED, off + 1,
			       "the long size at offset %llu is %u, expected 4 or 8",
			       (unsigned long long)(off + 1), ix->long_size);
		st = dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
		ix->long_size = 8; /* of pages whose header_page says so */
	}
	if (st != TDAT_OK)
		return st;
	if (ix->page_size < 64 || ix->page_size > ix->limits.page_len) {
		st = tdat_error_set(
			err, ix->page_size < 64 ? TDAT_E_DAMAGED : TDAT_E_LIMIT, off + 2,
			"the page size at offset %llu is %u, expected 64 to %u (limit page_len)",
			(unsigned long long)(off + 2), ix->page_size, ix->limits.page_len);
		st = dat_index_tolerate(ix, st, err);
		if (st != TDAT_OK)
			return st;
		ix->page_size = 4096;
		ix->page_size_lost = true;
	}
	ix->kernel_long_size = ix->long_size;
	ix->header_data_off = 8u + ix->long_size; /* unless header_page knows better */
	return TDAT_OK;
}

/* Only version 7 has it. An unknown codec is fatal: no metadata could be read. */
static enum tdat_status read_compression(struct dat_index *ix, struct tdat_cursor *c,
					 struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	struct tdat_span name = tdat_cursor_cstr(c);
	struct tdat_span version = tdat_cursor_cstr(c);

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the compression name");
	ix->compression = tdat_arena_strndup(&ix->arena, name.ptr, name.len);
	ix->compression_version = tdat_arena_strndup(&ix->arena, version.ptr, version.len);
	if (!ix->compression || !ix->compression_version)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	ix->codec = tdat_codec_find(ix->compression);
	if (!ix->codec && strcmp(ix->compression, "none"))
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, off,
				      "compression \"%.64s\" is not supported: \"none\", \"zlib\" "
				      "and \"zstd\" are",
				      ix->compression);
	return TDAT_OK;
}

/* Every part depends on the one before. */
enum tdat_status dat_read_head(struct dat_index *ix, struct tdat_cursor *c, uint64_t total,
			       struct tdat_error *err)
{
	enum tdat_status st = check_magic(c, total, err);

	if (st == TDAT_OK)
		st = read_version(ix, c, err);
	if (st == TDAT_OK)
		st = read_machine(ix, c, err);
	if (st == TDAT_OK && ix->version == 7)
		st = read_compression(ix, c, err);
	return st;
}
