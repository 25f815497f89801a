/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text written straight to where the caller has made room (tdat_build_room);
 * every function returns the end. For the events that make up most of a trace.
 */
#ifndef TDAT_MODEL_PUT_H
#define TDAT_MODEL_PUT_H

#include <string.h>

#include <tdat/base.h>

#define MODEL_PUT_DEC 20 /* most bytes of an unsigned 64-bit number, one more signed */
#define MODEL_PUT_HEX 16

/* A string literal. */
#define model_put_lit(p, lit) ((uint8_t *)memcpy((p), "" lit, sizeof(lit) - 1) + (sizeof(lit) - 1))

static inline uint8_t *model_put_span(uint8_t *p, struct tdat_span s)
{
	if (s.len)
		memcpy(p, s.ptr, s.len);
	return p + s.len;
}

static inline uint8_t *model_put_fill(uint8_t *p, uint8_t byte, size_t n)
{
	if (n)
		memset(p, byte, n);
	return p + n;
}

static inline unsigned int model_put_dec_len(uint64_t v)
{
	unsigned int n = 1;

	for (;; v /= 10000, n += 4) {
		if (v < 10)
			return n;
		if (v < 100)
			return n + 1;
		if (v < 1000)
			return n + 2;
		if (v < 10000)
			return n + 3;
	}
}

/* %llu */
static inline uint8_t *model_put_u64(uint8_t *p, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	uint8_t *end = p + model_put_dec_len(v);
	uint8_t *q = end;

	while (v >= 100) {
		q -= 2;
		memcpy(q, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(q - 2, pairs + v * 2, 2);
	else
		q[-1] = (uint8_t)('0' + v);
	return end;
}

/* %lld */
static inline uint8_t *model_put_i64(uint8_t *p, int64_t v)
{
	if (v >= 0)
		return model_put_u64(p, (uint64_t)v);
	*p++ = '-';
	return model_put_u64(p, 0 - (uint64_t)v);
}

/* %llx */
static inline uint8_t *model_put_hex(uint8_t *p, uint64_t v)
{
	uint8_t *end = p + (67 - __builtin_clzll(v | 1)) / 4;
	uint8_t *q = end;

	do {
		*--q = (uint8_t) "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	return end;
}

#endif
