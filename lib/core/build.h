/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes out: a growable buffer with a sticky out-of-memory failure. Room is
 * asked for once (tdat_build_room) and filled by pointer where speed matters.
 * Held (tdat_build_hold) it takes no more than what was asked for, and is full then.
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
	bool full;   /* something did not fit while held: nothing more is taken */
	size_t held; /* cap as it really is, while that is less; else 0 */
};

static inline void tdat_build_init(struct tdat_build *b, bool big)
{
	memset(b, 0, sizeof(*b));
	b->big = big;
}

void tdat_build_fini(struct tdat_build *b);

/* Grows so that n more bytes fit; false when that failed, or b is full. */
bool tdat_build_grow(struct tdat_build *b, size_t n);

/* For the functions below: what of n bytes fits, when not all do at once; and taking it. */
size_t tdat_build_fit(struct tdat_build *b, size_t n);
void tdat_build_more(struct tdat_build *b, const void *p, size_t n);

/* A pointer to room for n bytes past the end, or NULL; len is not changed. */
static inline uint8_t *tdat_build_room(struct tdat_build *b, size_t n)
{
	if (n > b->cap - b->len && !tdat_build_grow(b, n))
		return NULL;
	return b->ptr + b->len;
}

/*
 * From now on n more bytes at most, till it is let go; not within each other. False: no
 * memory for them.
 */
static inline bool tdat_build_hold(struct tdat_build *b, size_t n)
{
	if (!tdat_build_room(b, n))
		return false;
	b->held = b->cap;
	b->cap = b->len + n;
	return true;
}

/* Takes nothing more while it is held. */
static inline void tdat_build_stop(struct tdat_build *b)
{
	if (!b->held)
		return;
	b->full = true;
	b->cap = b->len;
}

/* Of what is held: whether something did not fit. */
static inline bool tdat_build_let_go(struct tdat_build *b)
{
	b->cap = b->held;
	b->held = 0;
	if (!b->full)
		return false;
	b->full = false;
	return true;
}

static inline void tdat_build_bytes(struct tdat_build *b, const void *p, size_t n)
{
	if (n > b->cap - b->len) {
		tdat_build_more(b, p, n);
	} else if (n) {
		memcpy(b->ptr + b->len, p, n);
		b->len += n;
	}
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
	if (n > b->cap - b->len)
		n = tdat_build_fit(b, n);
	if (!n)
		return;
	memset(b->ptr + b->len, byte, n);
	b->len += n;
}

/* printf into the buffer; not for hot paths. */
void tdat_build_printf(struct tdat_build *b, const char *fmt, ...) TDAT_PRINTF(2, 3);

#endif
