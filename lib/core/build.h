/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a growable buffer of bytes. If memory runs out, it sets failed and accepts no more
 * bytes, so callers check failed once, at the end. Fast code requests room once (tdat_build_room)
 * and fills it by pointer. A held buffer (tdat_build_hold) accepts only a limited number of further
 * bytes, and sets full if more are appended.
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
	bool failed; /* there was no memory: the contents are incomplete */
	bool full;   /* bytes did not fit while the buffer was held: it takes no more of them */
	size_t held; /* the true cap while the buffer is held (cap is lower then); else 0 */
};

static inline void tdat_build_init(struct tdat_build *b, bool big)
{
	memset(b, 0, sizeof(*b));
	b->big = big;
}

void tdat_build_fini(struct tdat_build *b);

/* Ends the bytes with a NUL and gives them away: free() frees the text. NULL: no memory. */
char *tdat_build_text(struct tdat_build *b);

/* Grows so that n more bytes fit; false when that failed, or b is full. */
bool tdat_build_grow(struct tdat_build *b, size_t n);

/*
 * For the functions below, when n bytes are more than the room there is: tdat_build_fit makes
 * room and returns how many of the n bytes fit; tdat_build_more appends those that fit.
 */
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
 * Holds the buffer: until tdat_build_let_go it takes at most n more bytes. A buffer that is
 * held cannot be held again. False: there is no memory for n bytes.
 */
static inline bool tdat_build_hold(struct tdat_build *b, size_t n)
{
	/* A buffer without memory cannot be held: its capacity of 0 says that it is not. */
	if (!tdat_build_room(b, n ? n : 1))
		return false;
	b->held = b->cap;
	b->cap = b->len + n;
	return true;
}

/* From now on the buffer takes nothing more for as long as it is held. */
static inline void tdat_build_stop(struct tdat_build *b)
{
	if (!b->held)
		return;
	b->full = true;
	b->cap = b->len;
}

/* Ends holding; the result is whether something did not fit meanwhile. */
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

/* Appends text, in which each byte that is no UTF-8 becomes U+FFFD. */
void tdat_build_utf8(struct tdat_build *b, const void *text, size_t len);

/* Appends two hexadecimal digits for each byte. */
void tdat_build_hex(struct tdat_build *b, const uint8_t *p, size_t len);

/* Appends a word of a command line, in quotes where a shell needs them. */
void tdat_build_shell_word(struct tdat_build *b, const char *word);

#endif
