/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Packs numbers of a few bits each without gaps, least significant bits first. Loops over
 * eights and fours of values are written so that compilers use vector instructions; the rest
 * goes one by one. Used by the encodings below.
 */
#include "encode.h"

/* Packs groups of eight values whose bits make up one 64-bit word or less: up to 8 bits each. */
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

/* Packs groups of eight values of 9 to 16 bits as two words of four values. */
static uint8_t *pack_fours(uint8_t *p, const uint32_t *v, size_t groups, unsigned int bits)
{
	for (; groups; groups--, v += 8, p += bits) {
		uint64_t low = 0, high = 0;

		for (unsigned int i = 0; i < 4; i++) {
			low |= (uint64_t)v[i] << (i * bits);
			high |= (uint64_t)v[i + 4] << (i * bits);
		}
		tdat_store64(p, low, false);
		/* With an odd width the low half ends in the middle of a byte. */
		if (bits % 2)
			p[bits / 2] |= (uint8_t)(high << 4);
		tdat_store64(p + (bits + 1) / 2, bits % 2 ? high >> 4 : high, false);
	}
	return p;
}

/* Packs values of any width up to 32. acc holds the bits that are not stored yet. */
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

/* Packs count values, each bits wide; the last byte is filled with 0. bits 0: nothing. */
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

/* As bit_pack32(), for up to 64 bits. */
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
			/*
			 * Bits of v[i] that did not fit; shifted in two steps, since a shift by 64
			 * is undefined.
			 */
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
