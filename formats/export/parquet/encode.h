/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The encodings of values in Parquet's pages. Each function appends the bytes of count values.
 *
 * Source: apache/parquet-format, Encodings.md
 */
#ifndef PARQUET_ENCODE_H
#define PARQUET_ENCODE_H

#include "core/build.h"
#include "core/endian.h"

/* Numbers of the encodings in page heads and the footer. */
enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_RLE = 3,
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_DELTA_LENGTH_BYTE_ARRAY = 6,
	PARQUET_RLE_DICTIONARY = 8,
};

/* Bits that the numbers 0 to most need. */
static inline unsigned int bits_of(uint64_t most)
{
	return most ? 64u - (unsigned int)__builtin_clzll(most) : 0;
}

/*
 * Appends count values of bits bits each, from the least significant bit on; a last byte that
 * is not full has zeros. bits is at most 32, or 64.
 */
void bit_pack32(struct tdat_build *out, const uint32_t *v, size_t count, unsigned int bits);
void bit_pack64(struct tdat_build *out, const uint64_t *v, size_t count, unsigned int bits);

/* The hybrid of runs and bit-packed values, without a length in front. bits is 1 to 32. */
void encode_rle(struct tdat_build *out, const uint32_t *v, size_t count, unsigned int bits);
/* The same for levels and booleans; bits is 1 to 8. */
void encode_rle_bytes(struct tdat_build *out, const uint8_t *v, size_t count, unsigned int bits);

/* DELTA_BINARY_PACKED of INT64 where wide, else of INT32. */
void encode_delta(struct tdat_build *out, const void *v, bool wide, size_t count);
/* About how many bytes that would append, from a few places of the values. */
size_t encode_delta_guess(const void *v, bool wide, size_t count);

/* Digits and bytes of a decimal that holds any unsigned number of 64 bits. */
enum { DECIMAL_DIGITS = 20, DECIMAL_LEN = 9 };

/* A decimal: the number in big-endian order, behind a byte that has the sign. */
static inline void decimal_store(uint8_t *p, uint64_t v)
{
	p[0] = 0;
	tdat_store64(p + 1, v, true);
}

/* PLAIN of decimals, whose values are numbers of 64 bits. */
void encode_decimal(struct tdat_build *out, const void *v, size_t count);

/* PLAIN of INT32, INT64 and DOUBLE, of size bytes each. */
void encode_plain(struct tdat_build *out, const void *v, size_t count, size_t size);
#endif
