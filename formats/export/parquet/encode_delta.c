/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DELTA_BINARY_PACKED: differences of numbers, less the least one of each block, in as few bits
 * as each quarter of the block needs. Sums wrap around, as the format has it. Guesses of the
 * length look at a few places of the values, so that page.c can choose an encoding without
 * trying all.
 */
#include "encode.h"
#include "thrift.h"

enum {
	/* Values of a block; the format asks for a multiple of 128. */
	BLOCK = 128,
	MINI = 32, /* values of a miniblock */
	MINIS = BLOCK / MINI,
	GUESS_BLOCKS = 8, /* blocks that a guess reads */
};

#define INLINE static inline __attribute__((always_inline))

/*
 * Computes the differences of up to BLOCK numbers from v[at] on to the one before each, less the
 * least of them, which it returns. Those of 32 bits wrap around there: the format allows no wider
 * ones for INT32.
 */
INLINE int64_t differences(const void *v, bool wide, size_t at, size_t n, uint64_t *d)
{
	const uint64_t *v64 = (const uint64_t *)v + at;
	const uint32_t *v32 = (const uint32_t *)v + at;
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		const ptrdiff_t before = (ptrdiff_t)i - 1;

		d[i] = wide ? v64[i] - v64[before] : (uint64_t)(int32_t)(v32[i] - v32[before]);
		least = (int64_t)d[i] < least ? (int64_t)d[i] : least;
	}
	for (size_t i = 0; i < n; i++)
		d[i] -= (uint64_t)least;
	return least;
}

/* Bits of the largest difference in a miniblock. */
static unsigned int mini_bits(const uint64_t *d)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < MINI; i++)
		all |= d[i];
	return bits_of(all);
}

/* Appends a block: the least difference, the bits of each miniblock, and the packed differences. */
INLINE void put_block(struct tdat_build *out, const void *v, bool wide, size_t at, size_t n)
{
	uint64_t d[BLOCK] = {0};
	uint8_t bits[MINIS];
	size_t m;

	varint_put(out, zigzag(differences(v, wide, at, n, d)));
	for (m = 0; m < MINIS; m++)
		bits[m] = (uint8_t)mini_bits(d + m * MINI);
	tdat_build_bytes(out, bits, MINIS);
	for (m = 0; m < MINIS && m * MINI < n; m++)
		bit_pack64(out, d + m * MINI, MINI, bits[m]);
}

INLINE void encode(struct tdat_build *out, const void *v, bool wide, size_t count)
{
	const int64_t first = !count ? 0 : wide ? *(const int64_t *)v : *(const int32_t *)v;

	varint_put(out, BLOCK);
	varint_put(out, MINIS);
	varint_put(out, count);
	varint_put(out, zigzag(first));
	for (size_t i = 1; i < count; i += BLOCK)
		put_block(out, v, wide, i, count - i < BLOCK ? count - i : BLOCK);
}

void encode_delta(struct tdat_build *out, const void *v, bool wide, size_t count)
{
	if (wide)
		encode(out, v, true, count);
	else
		encode(out, v, false, count);
}

/* Appends about this many bytes for each block of those that are looked at, alike spread. */
size_t encode_delta_guess(const void *v, bool wide, size_t count)
{
	const size_t blocks = count / BLOCK;
	const size_t step = (blocks > GUESS_BLOCKS ? blocks / GUESS_BLOCKS : 1) * BLOCK;
	size_t len = 0, seen = 0;
	uint64_t d[BLOCK];

	for (size_t i = 1; i + BLOCK <= count; i += step, seen++) {
		differences(v, wide, i, BLOCK, d);
		/* The least difference takes few bytes as a rule. */
		len += MINIS + 3;
		for (unsigned int m = 0; m < MINIS; m++)
			len += (size_t)mini_bits(d + m * MINI) * MINI / 8;
	}
	return seen ? len / seen * (blocks + 1) : SIZE_MAX;
}
