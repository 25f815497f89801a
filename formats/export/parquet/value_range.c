/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the least and the greatest value of a page. Bounds of texts are cut to a bounded
 * length: the lower one down, the upper one up, so that they still hold. They go into page and
 * chunk statistics, by which readers skip pages.
 */
#include "value_range.h"

#include <string.h>

#include "core/endian.h"
#include "core/utf8.h"

#define SIGN64 (UINT64_C(1) << 63)

/* Sets a bound; key orders values, bits are the value as Parquet stores it. */
static void set_number(struct bound *b, uint64_t key, uint64_t bits, uint8_t len)
{
	b->key = key;
	b->len = len;
	b->exact = true;
	if (len == 1)
		b->bytes[0] = (uint8_t)bits;
	else if (len == 4)
		tdat_store32(b->bytes, (uint32_t)bits, false);
	else
		tdat_store64(b->bytes, bits, false);
}

static void set_empty(struct value_range *r, bool is_text)
{
	r->has_min = r->has_max = false;
	r->is_text = is_text;
}

/* Range of booleans: all set, and any set. */
void range_bools(struct value_range *r, const uint8_t *v, size_t count)
{
	uint8_t all = 1, any = 0;

	set_empty(r, false);
	for (size_t i = 0; i < count; i++) {
		all &= v[i];
		any |= v[i];
	}
	if (!count)
		return;
	r->has_min = r->has_max = true;
	set_number(&r->min, all, all, 1);
	set_number(&r->max, any, any, 1);
}

/* The least and greatest number; wide: of 64 bits, else of 32. */
static inline __attribute__((always_inline)) void numbers(struct value_range *r, const void *v,
							  size_t count, bool wide, bool is_signed)
{
	const uint64_t flip = is_signed ? UINT64_C(1) << (wide ? 63 : 31) : 0;
	uint64_t min = UINT64_MAX, max = 0;

	set_empty(r, false);
	for (size_t i = 0; i < count; i++) {
		const uint64_t key =
			(wide ? ((const uint64_t *)v)[i] : ((const uint32_t *)v)[i]) ^ flip;

		min = key < min ? key : min;
		max = key > max ? key : max;
	}
	if (!count)
		return;
	r->has_min = r->has_max = true;
	set_number(&r->min, min, min ^ flip, wide ? 8 : 4);
	set_number(&r->max, max, max ^ flip, wide ? 8 : 4);
}

void range_numbers(struct value_range *r, const void *v, size_t count, bool wide, bool is_signed)
{
	if (wide)
		numbers(r, v, count, true, is_signed);
	else
		numbers(r, v, count, false, is_signed);
}

/* Key of a double's bits: keys order as the doubles do, with -0 below +0. */
static uint64_t double_key(uint64_t bits)
{
	return bits & SIGN64 ? ~bits : bits | SIGN64;
}

static uint64_t double_bits(uint64_t key)
{
	return key & SIGN64 ? key & ~SIGN64 : ~key;
}

/* Range of doubles; NaNs are left out, as the format asks for. */
void range_doubles(struct value_range *r, const uint64_t *v, size_t count)
{
	const uint64_t infinity = UINT64_C(0x7ff) << 52;
	uint64_t min = UINT64_MAX, max = 0;

	set_empty(r, false);
	for (size_t i = 0; i < count; i++) {
		const uint64_t key = double_key(v[i]);

		if ((v[i] & ~SIGN64) > infinity)
			continue;
		min = key < min ? key : min;
		max = key > max ? key : max;
		r->has_min = r->has_max = true;
	}
	if (!r->has_min)
		return;
	/*
	 * Readers may not tell the zeros apart: the least one is written as -0, the greatest as +0.
	 */
	if (double_bits(min) == 0)
		min = double_key(SIGN64);
	if (double_bits(max) == SIGN64)
		max = double_key(0);
	set_number(&r->min, min, double_bits(min), 8);
	set_number(&r->max, max, double_bits(max), 8);
}

/* ---- texts ---- */

/* Order of bytes as unsigned numbers, the order that Parquet defines for text, too. */
int text_compare(struct tdat_span a, struct tdat_span b)
{
	const size_t n = a.len < b.len ? a.len : b.len;
	const int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	if (order)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

/* Bytes of a bound that are kept: up to BOUND_LEN, and whole characters of UTF-8. */
static size_t cut_len(struct tdat_span s, bool utf8)
{
	const uint8_t *p = s.ptr;
	size_t n = BOUND_LEN;

	if (s.len <= BOUND_LEN)
		return s.len;
	while (utf8 && n && (p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* Sets a bound to the first len bytes of a text; it is exact if that is all of it. */
static void set_text(struct bound *b, struct tdat_span s, size_t len)
{
	b->key = 0;
	b->len = (uint8_t)len;
	b->exact = len == s.len;
	if (len)
		memcpy(b->bytes, s.ptr, len);
}

/*
 * Replaces the character of len bytes at p by its successor. False: it has none of the same length.
 */
static bool next_char(uint8_t *p, size_t len)
{
	uint32_t code;
	size_t i;

	if (tdat_utf8_len(p, len, &code) != len)
		return false;
	/*
	 * Counts up in base 64 below the first byte; results that are not characters are refused.
	 */
	for (i = len; i-- > 1;) {
		if (p[i] < 0xbf) {
			p[i]++;
			return tdat_utf8_len(p, len, &code) == len;
		}
		p[i] = 0x80;
	}
	p[0]++;
	return tdat_utf8_len(p, len, &code) == len;
}

/*
 * Raises a cut bound to the next greater one: the last character with a successor is raised, the
 * rest cut off. False: there is none.
 */
static bool raise_utf8(struct bound *b)
{
	size_t start;
	uint8_t old[BOUND_LEN];

	while (b->len) {
		start = b->len - 1u;
		while (start && (b->bytes[start] & 0xc0) == 0x80)
			start--;
		memcpy(old, b->bytes, b->len);
		if (next_char(b->bytes + start, b->len - start))
			return true;
		memcpy(b->bytes, old, b->len);
		b->len = (uint8_t)start;
	}
	return false;
}

/* As raise_utf8(), by bytes. */
static bool raise_bytes(struct bound *b)
{
	for (; b->len; b->len--)
		if (b->bytes[b->len - 1] != 0xff) {
			b->bytes[b->len - 1]++;
			return true;
		}
	return false;
}

/* Range of texts. A cut upper bound would be too low, so it is raised, or left out. */
void range_texts(struct value_range *r, struct tdat_span least, struct tdat_span greatest,
		 bool utf8)
{
	set_empty(r, true);
	r->has_min = r->has_max = true;
	set_text(&r->min, least, cut_len(least, utf8));
	set_text(&r->max, greatest, cut_len(greatest, utf8));
	if (!r->max.exact)
		r->has_max = utf8 ? raise_utf8(&r->max) : raise_bytes(&r->max);
}

/* ---- several pages ---- */

/* Order of two bounds of the same kind. */
int bound_compare(const struct bound *a, const struct bound *b, bool is_text)
{
	if (!is_text)
		return a->key < b->key ? -1 : a->key > b->key;
	return text_compare((struct tdat_span){a->bytes, a->len},
			    (struct tdat_span){b->bytes, b->len});
}

/*
 * True if a page's bound takes the place of the chunk's. If they are equal, the exact one is kept:
 * it is a value.
 */
static bool replaces(const struct bound *page, const struct bound *all, int order)
{
	return order < 0 || (order == 0 && page->exact && !all->exact);
}

/* Widens the range of a chunk by that of a page. Without a bound in one page the chunk has none. */
void range_add(struct value_range *all, const struct value_range *page, bool first)
{
	if (first) {
		*all = *page;
		return;
	}
	all->has_min = all->has_min && page->has_min;
	all->has_max = all->has_max && page->has_max;
	if (all->has_min &&
	    replaces(&page->min, &all->min, bound_compare(&page->min, &all->min, all->is_text)))
		all->min = page->min;
	if (all->has_max &&
	    replaces(&page->max, &all->max, bound_compare(&all->max, &page->max, all->is_text)))
		all->max = page->max;
}
