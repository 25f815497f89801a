/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Packs numbers of a few bits each without gaps, least significant bits first. Loops over
 * eights and fours of values are written so that compilers use vector instructions; the rest
 * goes one by one. Used by the encodings below.
 */
#include "encode.h"

/*
 * Values whose bits fit in whole bytes of a 64-bit word together are packed a word at a time:
 * eight values of up to 8 bits, or four values of 10, 12, 14 or 16 bits.
 */
static uint8_t *pack_eights(uint8_t *p, const uint32_t *v, size_t groups, unsigned int bits)
{
	for (; groups; groups--, v += 8, p += bits) {
		uint64_t word = 0;

		for (unsigned int i = 0; i < 8; i++)
			word |= (uint64_t)v[i] << (i * bits);
		tdat_store64(p, word, false);
	}
	return p;
}

static uint8_t *pack_fours(uint8_t *p, const uint32_t *v, size_t groups, unsigned int bits)
{
	for (; groups; groups--, v += 8, p += bits) {
		uint64_t low = 0, high = 0;

		for (unsigned int i = 0; i < 4; i++) {
			low |= (uint64_t)v[i] << (i * bits);
			high |= (uint64_t)v[i + 4] << (i * bits);
		}
		tdat_store64(p, low, false);
		/* The low half ends inside of a byte when bits is odd. */
		if (bits % 2)
			p[bits / 2] |= (uint8_t)(high << 4);
		tdat_store64(p + (bits + 1) / 2, bits % 2 ? high >> 4 : high, false);
	}
	return p;
}

/* Any width: acc holds fewer than 8 bits between values. */
static uint8_t *pack_each(uint8_t *p, const uint32_t *v, size_t count, unsigned int bits)
{
	unsigned int have = 0;
	uint64_t acc = 0;

	for (size_t i = 0; i < count; i++) {
		acc |= (uint64_t)v[i] << have;
		have += bits;
		if (have >= 32) {
			tdat_store32(p, (uint32_t)acc, false);
			p += 4;
			acc >>= 32;
			have -= 32;
		}
	}
	for (; have; have -= have < 8 ? have : 8, acc >>= 8)
		*p++ = (uint8_t)acc;
	return p;
}

void bit_pack32(struct tdat_build *out, const uint32_t *v, size_t count, unsigned int bits)
{
	/* Whole words are stored: room for 16 bytes behind the last. */
	uint8_t *p = bits ? tdat_build_room(out, count / 8 * bits + bits + 16) : NULL;
	const size_t groups = count / 8;

	if (!p)
		return;
	if (bits <= 8)
		p = pack_eights(p, v, groups, bits);
	else if (bits <= 16)
		p = pack_fours(p, v, groups, bits);
	else
		p = pack_each(p, v, groups * 8, bits);
	p = pack_each(p, v + groups * 8, count % 8, bits);
	out->len = (size_t)(p - out->ptr);
}

void bit_pack64(struct tdat_build *out, const uint64_t *v, size_t count, unsigned int bits)
{
	uint8_t *p = bits ? tdat_build_room(out, (count / 8 + 1) * bits + 16) : NULL;
	unsigned int have = 0;
	uint64_t acc = 0;

	if (!p)
		return;
	for (size_t i = 0; i < count; i++) {
		acc |= v[i] << have;
		if (have + bits >= 64) {
			tdat_store64(p, acc, false);
			p += 8;
			acc = have ? v[i] >> 1 >> (63 - have) : 0;
			have = have + bits - 64;
		} else {
			have += bits;
		}
	}
	for (; have; have -= have < 8 ? have : 8, acc >>= 8)
		*p++ = (uint8_t)acc;
	out->len = (size_t)(p - out->ptr);
}
