/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes text directly to memory in which the caller has made room (tdat_build_room). Every
 * function returns the end of what it wrote. This is for the code that prints most events.
 */
#ifndef TDAT_CORE_PUT_H
#define TDAT_CORE_PUT_H

#include <string.h>

#include <tdat/base.h>

/* "00" to "99": two digits at a time. */
extern const char tdat_digit_pairs[];
/* "000 " to "999 ": the three digits of v at 4 * v. */
extern const char tdat_digit_triples[];

#define TDAT_PUT_DEC 20 /* most bytes of an unsigned 64-bit number, one more signed */
#define TDAT_PUT_HEX 16

/* A string literal. */
#define tdat_put_lit(p, lit) ((uint8_t *)memcpy((p), "" lit, sizeof(lit) - 1) + (sizeof(lit) - 1))

static inline uint8_t *tdat_put_span(uint8_t *p, struct tdat_span s)
{
	if (s.len)
		memcpy(p, s.ptr, s.len);
	return p + s.len;
}

static inline uint8_t *tdat_put_fill(uint8_t *p, uint8_t byte, size_t n)
{
	if (n)
		memset(p, byte, n);
	return p + n;
}

/* n spaces, where there is room for 16 at least. */
static inline uint8_t *tdat_put_spaces(uint8_t *p, size_t n)
{
	if (__builtin_expect(n > 16, 0))
		return tdat_put_fill(p, ' ', n);
	memcpy(p, "                ", 16);
	return p + n;
}

static inline unsigned int tdat_put_dec_len(uint64_t v)
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

/* Decimal digits of v. */
static inline unsigned int tdat_put_len32(uint32_t v)
{
	static const uint32_t powers[] = {0,	  10,	   100,	     1000,	10000,
					  100000, 1000000, 10000000, 100000000, 1000000000};
	unsigned int t = ((32u - (unsigned int)__builtin_clz(v | 1)) * 1233u) >> 12;

	return t + 1u - (v < powers[t]);
}

/* %u */
static inline uint8_t *tdat_put_u32(uint8_t *p, uint32_t v)
{
	uint8_t *end = p + tdat_put_len32(v), *q = end;

	while (v >= 100) {
		q -= 2;
		memcpy(q, tdat_digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(q - 2, tdat_digit_pairs + v * 2, 2);
	else
		q[-1] = (uint8_t)('0' + v);
	return end;
}

/* The eight digits of v, which is below 100,000,000. */
static inline uint8_t *tdat_put_8_digits(uint8_t *p, uint32_t v)
{
	const uint32_t high = v / 10000, low = v % 10000;

	memcpy(p, tdat_digit_pairs + high / 100 * 2, 2);
	memcpy(p + 2, tdat_digit_pairs + high % 100 * 2, 2);
	memcpy(p + 4, tdat_digit_pairs + low / 100 * 2, 2);
	memcpy(p + 6, tdat_digit_pairs + low % 100 * 2, 2);
	return p + 8;
}

/* %llu: the digits in pieces of eight, each of which is a number of 32 bits. */
static inline uint8_t *tdat_put_u64(uint8_t *p, uint64_t v)
{
	const uint32_t piece = 100000000;
	uint64_t high;

	if (v <= UINT32_MAX)
		return tdat_put_u32(p, (uint32_t)v);
	high = v / piece;
	if (high <= UINT32_MAX) {
		p = tdat_put_u32(p, (uint32_t)high);
	} else {
		p = tdat_put_u32(p, (uint32_t)(high / piece));
		p = tdat_put_8_digits(p, (uint32_t)(high % piece));
	}
	return tdat_put_8_digits(p, (uint32_t)(v % piece));
}

/* %lld */
static inline uint8_t *tdat_put_i64(uint8_t *p, int64_t v)
{
	if (v >= 0)
		return tdat_put_u64(p, (uint64_t)v);
	*p++ = '-';
	return tdat_put_u64(p, 0 - (uint64_t)v);
}

/* %llx */
static inline uint8_t *tdat_put_hex(uint8_t *p, uint64_t v)
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
