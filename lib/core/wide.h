/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes products of two 64-bit numbers, shifted or divided before they are cut to 64 bits again.
 * Compilers for 32-bit machines have no 128-bit type: those use the functions that end in
 * _portable. All others use the type, and tests/unit/core/test_wide.c compares the two.
 */
#ifndef TDAT_CORE_WIDE_H
#define TDAT_CORE_WIDE_H

#include <stdint.h>

struct tdat_u128 {
	uint64_t hi, lo;
};

static inline struct tdat_u128 tdat_mul_portable(uint64_t a, uint64_t b)
{
	const uint64_t low = UINT32_MAX;
	uint64_t ll = (a & low) * (b & low), lh = (a & low) * (b >> 32);
	uint64_t hl = (a >> 32) * (b & low), hh = (a >> 32) * (b >> 32);
	uint64_t mid = (ll >> 32) + (lh & low) + (hl & low); /* below 3 * 2^32 */

	return (struct tdat_u128){hh + (lh >> 32) + (hl >> 32) + (mid >> 32),
				  mid << 32 | (ll & low)};
}

static inline uint64_t tdat_mul_shift_portable(uint64_t a, uint64_t b, unsigned int shift)
{
	struct tdat_u128 p = tdat_mul_portable(a, b);

	if (shift >= 64)
		return p.hi >> (shift - 64);
	return shift ? p.hi << (64 - shift) | p.lo >> shift : p.lo;
}

/* One bit of the quotient after the other; what does not fit in 64 bits is left out. */
static inline uint64_t tdat_div_portable(struct tdat_u128 v, uint64_t divisor)
{
	uint64_t rest = v.hi % divisor, quotient = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t carry = rest >> 63;

		rest = rest << 1 | (v.lo >> bit & 1);
		if (carry || rest >= divisor) {
			rest -= divisor;
			quotient |= 1ull << bit;
		}
	}
	return quotient;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 tdat_uint128;

static inline struct tdat_u128 tdat_mul(uint64_t a, uint64_t b)
{
	tdat_uint128 p = (tdat_uint128)a * b;

	return (struct tdat_u128){(uint64_t)(p >> 64), (uint64_t)p};
}

/* The low 64 bits of a * b >> shift; shift below 128. */
static inline uint64_t tdat_mul_shift(uint64_t a, uint64_t b, unsigned int shift)
{
	return (uint64_t)((tdat_uint128)a * b >> shift);
}

/* The low 64 bits of v / divisor, which is not 0. */
static inline uint64_t tdat_div(struct tdat_u128 v, uint64_t divisor)
{
	return (uint64_t)(((tdat_uint128)v.hi << 64 | v.lo) / divisor);
}
#else
static inline struct tdat_u128 tdat_mul(uint64_t a, uint64_t b)
{
	return tdat_mul_portable(a, b);
}

static inline uint64_t tdat_mul_shift(uint64_t a, uint64_t b, unsigned int shift)
{
	return tdat_mul_shift_portable(a, b, shift);
}

static inline uint64_t tdat_div(struct tdat_u128 v, uint64_t divisor)
{
	return tdat_div_portable(v, divisor);
}
#endif

#endif
