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

/* Length of the run of equal values at v. */
static size_t run_len(const uint32_t *v, size_t left)
{
	size_t n = 1;

	if (left > RUN_MOST)
		left = RUN_MOST;
	while (n < left && v[n] == v[0])
		n++;
	return n;
}

/* True if eight values are equal. */
static bool is_run(const uint32_t *v)
{
	uint32_t differ = 0;

	for (unsigned int i = 1; i < GROUP; i++)
		differ |= v[i] ^ v[0];
	return !differ;
}

/* Number of values up to the next group of equal ones: whole groups, or all that are left. */
static size_t packed_len(const uint32_t *v, size_t left)
{
	size_t n = 0;

	while (left - n >= GROUP && !is_run(v + n) && n < RUN_MOST)
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

/* Writes packed groups: the odd varint counts groups; the last group is filled with zeros. */
static void put_packed(struct tdat_build *out, const uint32_t *v, size_t n, unsigned int bits)
{
	uint32_t last[GROUP] = {0};

	varint_put(out, (uint64_t)(n + GROUP - 1) / GROUP << 1 | 1);
	bit_pack32(out, v, n - n % GROUP, bits);
	if (n % GROUP == 0)
		return;
	memcpy(last, v + n - n % GROUP, n % GROUP * sizeof(*v));
	bit_pack32(out, last, GROUP, bits);
}

/* Appends the values in the hybrid encoding, without a length before it. */
void encode_rle(struct tdat_build *out, const uint32_t *v, size_t count, unsigned int bits)
{
	size_t i = 0, n;

	while (i < count) {
		n = run_len(v + i, count - i);
		if (n >= GROUP || n == count - i) {
			put_run(out, v[i], n, bits);
		} else {
			n = packed_len(v + i, count - i);
			put_packed(out, v + i, n, bits);
		}
		i += n;
	}
}

/* ---- levels and booleans, a byte each ---- */

static size_t byte_run_len(const uint8_t *v, size_t left)
{
	size_t n = 1;

	if (left > RUN_MOST)
		left = RUN_MOST;
	while (n < left && v[n] == v[0])
		n++;
	return n;
}

/* As packed_len(), eight bytes in one comparison. */
static size_t byte_packed_len(const uint8_t *v, size_t left)
{
	size_t n = 0;
	uint64_t group;

	for (; left - n >= GROUP && n < RUN_MOST; n += GROUP) {
		memcpy(&group, v + n, sizeof(group));
		if (group == v[n] * 0x0101010101010101u)
			return n;
	}
	return left - n < GROUP ? left : n;
}

static void put_packed_bytes(struct tdat_build *out, const uint8_t *v, size_t n, unsigned int bits)
{
	varint_put(out, (uint64_t)(n + GROUP - 1) / GROUP << 1 | 1);
	for (size_t i = 0; i < n; i += GROUP) {
		uint32_t wide[GROUP] = {0};

		for (size_t k = 0; k < GROUP && i + k < n; k++)
			wide[k] = v[i + k];
		bit_pack32(out, wide, GROUP, bits);
	}
}

/* As encode_rle(), for values that are bytes. */
void encode_rle_bytes(struct tdat_build *out, const uint8_t *v, size_t count, unsigned int bits)
{
	size_t i = 0, n;

	while (i < count) {
		n = byte_run_len(v + i, count - i);
		if (n >= GROUP || n == count - i) {
			put_run(out, v[i], n, bits);
		} else {
			n = byte_packed_len(v + i, count - i);
			put_packed_bytes(out, v + i, n, bits);
		}
		i += n;
	}
}
