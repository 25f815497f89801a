/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the head of a section of version 7, and its body, which may be compressed. A head has
 * id, flags, description and length. A compressed body is inflated into the arena, within the
 * limits of metadata, and must give exactly the length that it promises; bytes behind a
 * section's contents are reported.
 */
#include <string.h>

#include "core/checked.h"
#include "v7.h"

enum { SECTION_HEADER_LEN = 16, SECTION_COMPRESSED = 1 };

/* 16 bytes at any offset; everything in them is checked by the callers' needs. */
enum tdat_status v7_read_head(struct dat_index *ix, uint64_t off, struct v7_head *h,
			      struct tdat_error *err)
{
	uint8_t raw[SECTION_HEADER_LEN];
	struct tdat_cursor c;
	enum tdat_status st = TDAT_OK;
	uint16_t flags;

	if (!tdat_range_ok(off, sizeof(raw), tdat_source_len(ix->src)))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the file ends at %llu, but a section should start at offset "
				      "%llu",
				      (unsigned long long)tdat_source_len(ix->src),
				      (unsigned long long)off);
	st = tdat_source_read(ix->src, off, raw, sizeof(raw), err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(raw, sizeof(raw), off, ix->big);
	memset(h, 0, sizeof(*h));
	h->s.off = off;
	h->s.body_off = off + SECTION_HEADER_LEN;
	h->s.id = tdat_cursor_u16(&c);
	flags = tdat_cursor_u16(&c);
	h->string_id = tdat_cursor_u32(&c);
	h->s.body_len = tdat_cursor_u64(&c);
	h->s.compressed = flags & SECTION_COMPRESSED;
	h->s.description = "";
	return TDAT_OK;
}

/* Bytes behind the last item mean that the number of items is wrong. */
enum tdat_status v7_all_read(struct dat_index *ix, const struct tdat_section *s, const char *what,
			     const struct tdat_cursor *c, struct tdat_error *err)
{
	if (!tdat_cursor_left(c))
		return TDAT_OK;
	tdat_error_set(err, TDAT_E_DAMAGED, s->off,
		       "section %u (%s) at offset %llu has %zu bytes after its last entry", s->id,
		       what, (unsigned long long)s->off, tdat_cursor_left(c));
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* A compressed body: u32 compressed size, u32 uncompressed size, data (§4.2). */
static enum tdat_status inflate_body(struct dat_index *ix, const struct tdat_section *s,
				     const char *what, struct tdat_span stored,
				     struct tdat_span *out, struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(stored.ptr, stored.len, s->body_off, ix->big);
	uint32_t in_len = tdat_cursor_u32(&c), out_len = tdat_cursor_u32(&c);
	struct tdat_span in = tdat_cursor_bytes(&c, in_len);
	enum tdat_status st;
	const char *why;
	uint8_t *buf;

	if (!tdat_cursor_ok(&c))
		return tdat_cursor_error(&c, err, what);
	if (!ix->codec)
		return tdat_error_set(err, TDAT_E_DAMAGED, s->off,
				      "%s at offset %llu is marked as compressed, but the file has "
				      "no compression",
				      what, (unsigned long long)s->off);
	st = dat_index_inflate(ix, what, s->off, out_len, err);
	if (st != TDAT_OK)
		return st;
	buf = tdat_arena_alloc(&ix->arena, (size_t)out_len + 1);
	if (!buf)
		return tdat_error_set(err, TDAT_E_NOMEM, s->off, "no memory for %s", what);
	if (ix->codec->inflate(NULL, in.ptr, in.len, buf, out_len, &why)) {
		size_t end;

		st = tdat_error_set(err, TDAT_E_DAMAGED, s->off, "%s at offset %llu: %s", what,
				    (unsigned long long)s->off, why);
		ix->codec->inflate_part(in.ptr, in.len, buf, out_len, &end);
		if (!end || dat_index_tolerate(ix, st, err) != TDAT_OK)
			return st;
	}
	*out = (struct tdat_span){buf, out_len};
	return v7_all_read(ix, s, what, &c, err);
}

/*
 * True if a compressed body is complete though its section claims more bytes than the file has: the
 * body's own head has its length.
 */
static bool is_whole(struct dat_index *ix, const struct tdat_section *s, uint64_t *len)
{
	const uint64_t left = tdat_source_len(ix->src) - s->body_off;
	uint8_t raw[4];

	if (!s->compressed || !tdat_range_ok(s->body_off, 8, tdat_source_len(ix->src)) ||
	    tdat_source_read(ix->src, s->body_off, raw, sizeof(raw), NULL) != TDAT_OK)
		return false;
	*len = 8 + (uint64_t)tdat_load32(raw, ix->big);
	return s->body_len > left && *len <= left;
}

/* A compressed body whose length was lost may still be whole: its own header says so. */
enum tdat_status v7_read_body(struct dat_index *ix, uint64_t off, uint16_t id, const char *what,
			      struct v7_head *h, struct tdat_span *out, struct tdat_error *err)
{
	enum tdat_status st = v7_read_head(ix, off, h, err);
	uint64_t len;

	if (st == TDAT_OK && h->s.id != id)
		st = tdat_error_set(
			err, TDAT_E_DAMAGED, off,
			"section %u (%s) should be at offset %llu, but section %u is there", id,
			what, (unsigned long long)off, h->s.id);
	if (st != TDAT_OK)
		return st;
	st = dat_index_bytes(ix, h->s.body_off, h->s.body_len, what, out, err);
	if (st == TDAT_E_DAMAGED && is_whole(ix, &h->s, &len)) {
		st = dat_index_tolerate(ix, st, err);
		if (st == TDAT_OK)
			st = dat_index_bytes(ix, h->s.body_off, len, what, out, err);
	}
	if (st == TDAT_OK && h->s.compressed)
		st = inflate_body(ix, &h->s, what, *out, out, err);
	return st;
}
