/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes out: a growable buffer with a sticky out-of-memory failure. Room is
 * asked for once (tdat_build_room) and filled by pointer where speed matters.
 */
#ifndef TDAT_CORE_BUILD_H
#define TDAT_CORE_BUILD_H

#include <tdat/error.h>

#include "endian.h"

struct tdat_build {
	uint8_t *ptr;
	size_t len;
	size_t cap;
	bool big;    /* byte order of u16..u64 */
	bool failed; /* memory could not be had; contents are incomplete */
};

static inline void tdat_build_init(struct tdat_build *b, bool big)
{
	memset(b, 0, sizeof(*b));
	b->big = big;
}

void tdat_build_fini(struct tdat_build *b);

/* Grows so that n more bytes fit; false when that failed. */
bool tdat_build_grow(struct tdat_build *b, size_t n);

/* A pointer to room for n bytes past the end, or NULL; len is not changed. */
static inline uint8_t *tdat_build_room(struct tdat_build *b, size_t n)
{
	if (n > b->cap - b->len && !tdat_build_grow(b, n))
		return NULL;
	return b->ptr + b->len;
}

static inline void tdat_build_bytes(struct tdat_build *b, const void *p, size_t n)
{
	uint8_t *room = n ? tdat_build_room(b, n) : NULL;

	if (!room)
		return;
	memcpy(room, p, n);
	b->len += n;
}

static inline void tdat_build_u8(struct tdat_build *b, uint8_t v)
{
	uint8_t *room = tdat_build_room(b, 1);

	if (!room)
		return;
	*room = v;
	b->len++;
}

static inline void tdat_build_u16(struct tdat_build *b, uint16_t v)
{
	uint8_t *room = tdat_build_room(b, 2);

	if (!room)
		return;
	tdat_store16(room, v, b->big);
	b->len += 2;
}

static inline void tdat_build_u32(struct tdat_build *b, uint32_t v)
{
	uint8_t *room = tdat_build_room(b, 4);

	if (!room)
		return;
	tdat_store32(room, v, b->big);
	b->len += 4;
}

static inline void tdat_build_u64(struct tdat_build *b, uint64_t v)
{
	uint8_t *room = tdat_build_room(b, 8);

	if (!room)
		return;
	tdat_store64(room, v, b->big);
	b->len += 8;
}

static inline void tdat_build_str(struct tdat_build *b, const char *s)
{
	tdat_build_bytes(b, s, strlen(s));
}

/* s with its NUL. */
static inline void tdat_build_cstr(struct tdat_build *b, const char *s)
{
	tdat_build_bytes(b, s, strlen(s) + 1);
}

static inline void tdat_build_fill(struct tdat_build *b, uint8_t byte, size_t n)
{
	uint8_t *room = n ? tdat_build_room(b, n) : NULL;

	if (!room)
		return;
	memset(room, byte, n);
	b->len += n;
}

/* printf into the buffer; not for hot paths. */
void tdat_build_printf(struct tdat_build *b, const char *fmt, ...) TDAT_PRINTF(2, 3);

#endif
