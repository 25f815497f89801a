/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads and stores numbers in a given byte order, at any alignment. */
#ifndef TDAT_CORE_ENDIAN_H
#define TDAT_CORE_ENDIAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TDAT_HOST_BIG true
#else
#define TDAT_HOST_BIG false
#endif

static inline uint16_t tdat_load16(const void *p, bool big)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return big == TDAT_HOST_BIG ? v : __builtin_bswap16(v);
}

static inline uint32_t tdat_load32(const void *p, bool big)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return big == TDAT_HOST_BIG ? v : __builtin_bswap32(v);
}

static inline uint64_t tdat_load64(const void *p, bool big)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return big == TDAT_HOST_BIG ? v : __builtin_bswap64(v);
}

/* len is 1, 2, 4 or 8; anything else gives 0. */
static inline uint64_t tdat_load_uint(const void *p, size_t len, bool big)
{
	switch (len) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return tdat_load16(p, big);
	case 4:
		return tdat_load32(p, big);
	case 8:
		return tdat_load64(p, big);
	default:
		return 0;
	}
}

static inline void tdat_store16(void *p, uint16_t v, bool big)
{
	if (big != TDAT_HOST_BIG)
		v = __builtin_bswap16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void tdat_store32(void *p, uint32_t v, bool big)
{
	if (big != TDAT_HOST_BIG)
		v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void tdat_store64(void *p, uint64_t v, bool big)
{
	if (big != TDAT_HOST_BIG)
		v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

/* Stores the low len bytes of v, 8 at most. */
static inline void tdat_store_uint(void *p, size_t len, uint64_t v, bool big)
{
	uint8_t bytes[8];

	tdat_store64(bytes, v, big);
	memcpy(p, big ? bytes + (8 - len) : bytes, len);
}

#endif
