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

/*
 * Computes the differences of up to BLOCK numbers, less the least of them, which it returns. v[-1]
 * must exist.
 */
static int64_t differences64(const uint64_t *v, size_t n, uint64_t *d)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		d[i] = v[i] - v[(ptrdiff_t)i - 1];
		least = (int64_t)d[i] < least ? (int64_t)d[i] : least;
	}
	for (size_t i = 0; i < n; i++)
		d[i] -= (uint64_t)least;
	return least;
}

/* As differences64(), in 32 bits: the format allows no wider difference for INT32. */
static int64_t differences32(const uint32_t *v, size_t n, uint32_t *d)
{
	int32_t least = INT32_MAX;

	for (size_t i = 0; i < n; i++) {
		d[i] = v[i] - v[(ptrdiff_t)i - 1];
		least = (int32_t)d[i] < least ? (int32_t)d[i] : least;
	}
	for (size_t i = 0; i < n; i++)
		d[i] -= (uint32_t)least;
	return least;
}

/* Bits of the largest difference in a miniblock. */
static unsigned int mini_bits64(const uint64_t *d)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < MINI; i++)
		all |= d[i];
	return bits_of(all);
}

static unsigned int mini_bits32(const uint32_t *d)
{
	uint32_t all = 0;

	for (unsigned int i = 0; i < MINI; i++)
		all |= d[i];
	return bits_of(all);
}

/* Header: block size, miniblocks, number of values, first value. */
static void put_head(struct tdat_build *out, size_t count, int64_t first)
{
	varint_put(out, BLOCK);
	varint_put(out, MINIS);
	varint_put(out, count);
	varint_put(out, zigzag(first));
}

/*
 * Writes a block of 1 to BLOCK numbers; v[-1] is the number before it. The last miniblock is filled
 * with zeros.
 */
static void put_block64(struct tdat_build *out, const uint64_t *v, size_t n)
{
	uint64_t d[BLOCK] = {0};
	uint8_t bits[MINIS];
	size_t m;

	varint_put(out, zigzag(differences64(v, n, d)));
	for (m = 0; m < MINIS; m++)
		bits[m] = (uint8_t)mini_bits64(d + m * MINI);
	tdat_build_bytes(out, bits, MINIS);
	/* Miniblocks without values have a width but no bytes. */
	for (m = 0; m < MINIS && m * MINI < n; m++)
		bit_pack64(out, d + m * MINI, MINI, bits[m]);
}

static void put_block32(struct tdat_build *out, const uint32_t *v, size_t n)
{
	uint32_t d[BLOCK] = {0};
	uint8_t bits[MINIS];
	size_t m;

	varint_put(out, zigzag(differences32(v, n, d)));
	for (m = 0; m < MINIS; m++)
		bits[m] = (uint8_t)mini_bits32(d + m * MINI);
	tdat_build_bytes(out, bits, MINIS);
	for (m = 0; m < MINIS && m * MINI < n; m++)
		bit_pack32(out, d + m * MINI, MINI, bits[m]);
}

/* Appends the numbers in this encoding. */
void encode_delta64(struct tdat_build *out, const uint64_t *v, size_t count)
{
	put_head(out, count, count ? (int64_t)v[0] : 0);
	for (size_t i = 1; i < count; i += BLOCK)
		put_block64(out, v + i, count - i < BLOCK ? count - i : BLOCK);
}

void encode_delta32(struct tdat_build *out, const uint32_t *v, size_t count)
{
	put_head(out, count, count ? (int32_t)v[0] : 0);
	for (size_t i = 1; i < count; i += BLOCK)
		put_block32(out, v + i, count - i < BLOCK ? count - i : BLOCK);
}

/* Bytes of a block with these widths, and about 3 for its least difference. */
static size_t block_len(const unsigned int *bits)
{
	size_t len = MINIS + 3;

	for (unsigned int m = 0; m < MINIS; m++)
		len += (size_t)bits[m] * MINI / 8;
	return len;
}

/* Distance between the blocks that a guess reads. */
static size_t guess_step(size_t count)
{
	const size_t blocks = count / BLOCK;

	return (blocks > GUESS_BLOCKS ? blocks / GUESS_BLOCKS : 1) * BLOCK;
}

/* Guesses the encoded length from a few blocks; SIZE_MAX: too few values to tell. */
size_t encode_delta64_guess(const uint64_t *v, size_t count)
{
	const size_t step = guess_step(count);
	unsigned int bits[MINIS];
	size_t len = 0, seen = 0;
	uint64_t d[BLOCK];

	for (size_t i = 1; i + BLOCK <= count; i += step, seen++) {
		differences64(v + i, BLOCK, d);
		for (unsigned int m = 0; m < MINIS; m++)
			bits[m] = mini_bits64(d + m * MINI);
		len += block_len(bits);
	}
	return seen ? len / seen * (count / BLOCK + 1) : SIZE_MAX;
}

size_t encode_delta32_guess(const uint32_t *v, size_t count)
{
	const size_t step = guess_step(count);
	unsigned int bits[MINIS];
	size_t len = 0, seen = 0;
	uint32_t d[BLOCK];

	for (size_t i = 1; i + BLOCK <= count; i += step, seen++) {
		differences32(v + i, BLOCK, d);
		for (unsigned int m = 0; m < MINIS; m++)
			bits[m] = mini_bits32(d + m * MINI);
		len += block_len(bits);
	}
	return seen ? len / seen * (count / BLOCK + 1) : SIZE_MAX;
}
