/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The hybrid of run lengths and bit-packed values: levels, booleans, indices of dictionaries. A
 * run is used where at least eight equal values follow each other; else values are packed in
 * groups of eight. The choice depends on the values alone. Used for definition levels, booleans
 * and indices.
 */
#include "encode.h"
#include "thrift.h"

enum {
	GROUP = 8,	     /* values are bit-packed by the group */
	RUN_MOST = 1u << 30, /* values in a run, of the 2^31 - 1 that may be */
};

#define INLINE static inline __attribute__((always_inline))

/* Value i of levels and booleans, which are bytes, or of others. */
INLINE uint32_t at(const void *v, bool bytes, size_t i)
{
	return bytes ? ((const uint8_t *)v)[i] : ((const uint32_t *)v)[i];
}

/* Length of the run of equal values that starts at i. */
INLINE size_t run_len(const void *v, bool bytes, size_t i, size_t left)
{
	size_t n = 1;

	if (left > RUN_MOST)
		left = RUN_MOST;
	while (n < left && at(v, bytes, i + n) == at(v, bytes, i))
		n++;
	return n;
}

/* True if eight values are equal. */
INLINE bool is_run(const void *v, bool bytes, size_t i)
{
	uint32_t differ = 0;
	uint64_t group;

	if (bytes) {
		memcpy(&group, (const uint8_t *)v + i, sizeof(group));
		return group == at(v, true, i) * 0x0101010101010101u;
	}
	for (unsigned int k = 1; k < GROUP; k++)
		differ |= at(v, false, i + k) ^ at(v, false, i);
	return !differ;
}

/* Number of values up to the next group of equal ones: whole groups, or all that are left. */
INLINE size_t packed_len(const void *v, bool bytes, size_t i, size_t left)
{
	size_t n = 0;

	while (left - n >= GROUP && !is_run(v, bytes, i + n) && n < RUN_MOST)
		n += GROUP;
	return left - n < GROUP ? left : n;
}

/* Writes a run: twice its length as a varint, then the value in whole bytes. */
static void put_run(struct tdat_build *out, uint32_t value, size_t n, unsigned int bits)
{
	varint_put(out, (uint64_t)n << 1);
	for (unsigned int i = 0; i < bits; i += 8)
		tdat_build_u8(out, (uint8_t)(value >> i));
}
/* Appends values in groups of eight; the last group is filled with zeros. */
INLINE void put_packed(struct tdat_build *out, const void *v, bool bytes, size_t first, size_t n,
		       unsigned int bits)
{
	size_t i = 0;

	varint_put(out, (uint64_t)(n + GROUP - 1) / GROUP << 1 | 1);
	if (!bytes) {
		i = n - n % GROUP;
		bit_pack32(out, (const uint32_t *)v + first, i, bits);
	}
	for (; i < n; i += GROUP) {
		uint32_t group[GROUP] = {0};

		for (size_t k = 0; k < GROUP && i + k < n; k++)
			group[k] = at(v, bytes, first + i + k);
		bit_pack32(out, group, GROUP, bits);
	}
}

INLINE void encode(struct tdat_build *out, const void *v, bool bytes, size_t count,
		   unsigned int bits)
{
	size_t i = 0, n;

	while (i < count) {
		n = run_len(v, bytes, i, count - i);
		/* A run at the end may be short: a group of eight would be no shorter. */
		if (n >= GROUP || n == count - i) {
			put_run(out, at(v, bytes, i), n, bits);
		} else {
			n = packed_len(v, bytes, i, count - i);
			put_packed(out, v, bytes, i, n, bits);
		}
		i += n;
	}
}

void encode_rle(struct tdat_build *out, const uint32_t *v, size_t count, unsigned int bits)
{
	encode(out, v, false, count, bits);
}

void encode_rle_bytes(struct tdat_build *out, const uint8_t *v, size_t count, unsigned int bits)
{
	encode(out, v, true, count, bits);
}
