/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads bytes of a file, and checks each read against the remaining bytes. All bytes of files are
 * read this way. A read that does not fit returns 0 or an empty span, does not move the cursor, and
 * marks it as failed; all later reads fail as well. Callers check tdat_cursor_ok() once after a
 * group of reads, and always before they use a value as a loop bound, an allocation size or an
 * index.
 */
#ifndef TDAT_CORE_CURSOR_H
#define TDAT_CORE_CURSOR_H

#include <tdat/error.h>

#include "endian.h"

struct tdat_cursor {
	const uint8_t *base;
	size_t len;
	size_t pos;
	uint64_t file_off; /* offset in the file of base[0] */
	bool big;
	bool failed;
	size_t need; /* of the first failed read */
	size_t fail_pos;
};

static inline struct tdat_cursor tdat_cursor_init(const void *base, size_t len, uint64_t file_off,
						  bool big)
{
	struct tdat_cursor c = {(const uint8_t *)base, len, 0, file_off, big, false, 0, 0};

	return c;
}

static inline bool tdat_cursor_ok(const struct tdat_cursor *c)
{
	return !c->failed;
}

static inline size_t tdat_cursor_left(const struct tdat_cursor *c)
{
	return c->len - c->pos;
}

/* File offset of the next byte. */
static inline uint64_t tdat_cursor_off(const struct tdat_cursor *c)
{
	return c->file_off + c->pos;
}

/* The only function that moves a cursor: n bytes, or NULL and a sticky failure. */
static inline const uint8_t *tdat_cursor_take(struct tdat_cursor *c, size_t n)
{
	const uint8_t *p;

	if (c->failed || n > c->len - c->pos) {
		if (!c->failed) {
			c->failed = true;
			c->need = n;
			c->fail_pos = c->pos;
		}
		return NULL;
	}
	p = c->base + c->pos;
	c->pos += n;
	return p;
}

static inline uint8_t tdat_cursor_u8(struct tdat_cursor *c)
{
	const uint8_t *p = tdat_cursor_take(c, 1);

	return p ? *p : 0;
}

static inline uint16_t tdat_cursor_u16(struct tdat_cursor *c)
{
	const uint8_t *p = tdat_cursor_take(c, 2);

	return p ? tdat_load16(p, c->big) : 0;
}

static inline uint32_t tdat_cursor_u32(struct tdat_cursor *c)
{
	const uint8_t *p = tdat_cursor_take(c, 4);

	return p ? tdat_load32(p, c->big) : 0;
}

static inline uint64_t tdat_cursor_u64(struct tdat_cursor *c)
{
	const uint8_t *p = tdat_cursor_take(c, 8);

	return p ? tdat_load64(p, c->big) : 0;
}

static inline struct tdat_span tdat_cursor_bytes(struct tdat_cursor *c, size_t n)
{
	struct tdat_span s = {tdat_cursor_take(c, n), 0};

	if (s.ptr)
		s.len = n;
	return s;
}

/* A cursor over the next n bytes: nested things cannot read past their parent. */
static inline struct tdat_cursor tdat_cursor_sub(struct tdat_cursor *c, size_t n)
{
	uint64_t off = tdat_cursor_off(c);
	struct tdat_span s = tdat_cursor_bytes(c, n);
	struct tdat_cursor sub = tdat_cursor_init(s.ptr, s.len, off, c->big);

	sub.failed = c->failed;
	sub.need = c->need;
	return sub;
}

/* Bytes up to a NUL, which is taken too; without one the cursor fails. */
static inline struct tdat_span tdat_cursor_cstr(struct tdat_cursor *c)
{
	struct tdat_span s = {NULL, 0};
	const uint8_t *nul = NULL;
	size_t left = c->failed ? 0 : tdat_cursor_left(c);

	if (left)
		nul = (const uint8_t *)memchr(c->base + c->pos, 0, left);
	if (!nul) {
		tdat_cursor_take(c, left + 1);
		return s;
	}
	s.len = (size_t)(nul - (c->base + c->pos));
	s.ptr = tdat_cursor_take(c, s.len + 1);
	return s;
}

/* The sentence for a failed cursor: "what is cut: needs n bytes at offset o, m left". */
enum tdat_status tdat_cursor_error(const struct tdat_cursor *c, struct tdat_error *err,
				   const char *what);

#endif
