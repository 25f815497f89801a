/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the arguments of trace_printk() out of a record. The kernel packs the arguments behind
 * the fields by the conversions of the string, which is in another table; so the string decides
 * where each argument lies. Every read is bounded by the record, and what is cut reads as 0.
 * Used by print_bprint.c.
 */
#include "bprint_args.h"

#include <string.h>

#include "core/text.h"
#include "native_util.h"
#include "print_split.h"

/*
 * Takes the next number. vbin_printf() aligns a number to its size but at most to 4 bytes;
 * alignment counts from the start of the record (a->base), not of the arguments.
 */
bool bprint_take_number(struct bprint_args *a, size_t len, uint64_t *out)
{
	size_t pos = a->pos;

	*out = 0;
	if (!bprint_has_more(a))
		return false;
	if (len >= 4)
		pos = ((a->base + pos + 3) & ~(size_t)3) - a->base;
	else if (len == 2)
		pos = ((a->base + pos + 1) & ~(size_t)1) - a->base;
	*out = native_load(a->buf, pos, len, a->big);
	a->pos = pos + len;
	return true;
}

/*
 * Takes the next string: bytes up to a NUL, or to the end of the record. Strings are not aligned.
 */
bool bprint_take_string(struct bprint_args *a, struct tdat_span *out)
{
	if (!bprint_has_more(a))
		return false;
	out->ptr = a->buf.ptr + a->pos;
	out->len = strnlen((const char *)out->ptr, a->buf.len - a->pos);
	a->pos += out->len + 1;
	return true;
}

/*
 * Reads a width or precision. It stops once the number has reached 100000, so a hostile string
 * cannot ask for gigabytes of blanks.
 */
static int32_t read_int(const char **p, const char *end)
{
	uint64_t v;

	*p = tdat_read_digits(*p, end, 10, &v);
	return v < 1000000 ? (int32_t)v : 1000000;
}

/*
 * Reads flags, width, precision and length of a conversion. A "*" takes an argument of the record
 * now, because arguments must be taken in the order in which the kernel packed them.
 */
void bprint_read_conversion(const char **p, const char *end, struct bprint_args *a,
			    struct bprint_conversion *c)
{
	/* Digits and "*" set the width until a "." makes them set the precision. */
	int32_t *number = &c->spec.width;
	uint64_t v;

	memset(c, 0, sizeof(*c));
	c->spec.prec = -1;
	for (++*p; *p < end && **p; ++*p) {
		const char ch = **p;

		if (strchr("-+#", ch)) {
			c->spec.left |= ch == '-';
			c->spec.plus |= ch == '+';
			c->spec.alt |= ch == '#';
		} else if (ch == '.') {
			number = &c->spec.prec;
			*number = 0;
		} else if (strchr(PART_LONGS, ch)) {
			c->longs = part_longs(c->longs, ch);
		} else if (ch == '*') {
			bprint_take_number(a, 4, &v);
			*number = (int32_t)v > 0 && v < 100000 ? (int32_t)v : 0;
		} else if (tdat_is_dec((uint8_t)ch)) {
			/* A zero before the width is the flag; behind "." it begins the precision.
			 */
			c->spec.zero |= ch == '0' && number == &c->spec.width;
			*number = read_int(p, end);
			--*p;
		} else {
			return;
		}
	}
}

/*
 * Returns the bytes that vbin_printf() packed for the number. Variadic arguments of C are promoted,
 * but the kernel stores char and short in their own size.
 */
size_t bprint_number_len(const struct bprint_args *a, const struct bprint_conversion *c,
			 char letter)
{
	if (letter == 'c')
		return 1;
	if (c->longs < 0)
		return c->longs == -1 ? 2 : 1;
	return c->longs == 0 ? 4 : c->longs == 1 ? a->long_size : 8;
}

/*
 * True if the kernel itself formats a pointer with these letters, and so packs its text instead of
 * the number. Symbols (s, S, f, F), plain %p and %px stay numbers: the reader resolves them. "%pfw"
 * is a firmware node, hence text.
 */
static bool makes_text(const char *letters, size_t n)
{
	const char first = n ? letters[0] : '\0';
	const bool more = tdat_is_alnum((uint8_t)first);
	bool number = !first || strchr("sSxfF", first);

	if ((first == 'f' || first == 'F') && n > 1 && letters[1] == 'w')
		number = false;
	return more && !number;
}

/*
 * True if text was packed. Older kernels packed a number for every %p, so the first byte must be
 * printable ASCII.
 */
bool bprint_pointer_is_text(const struct bprint_args *a, const char *letters, size_t n)
{
	return makes_text(letters, n) && bprint_has_more(a) && a->buf.ptr[a->pos] >= 0x20 &&
	       a->buf.ptr[a->pos] < 0x7f;
}

const char *bprint_plain(const char *p, const char *end, struct tdat_build *out)
{
	while (p < end && *p != '%' && !out->full) {
		const char *from = p;

		if (*p == '\\' && end - p > 1) {
			const char c = p[1];

			tdat_build_u8(out, (uint8_t)(c == 'n'	? '\n'
						     : c == 't' ? '\t'
						     : c == 'r' ? '\r'
								: c));
			p += 2;
			continue;
		}
		do
			p++;
		while (p < end && *p != '%' && *p != '\\');
		tdat_build_bytes(out, from, (size_t)(p - from));
	}
	return p;
}

void bprint_escapes(struct tdat_span s, struct tdat_build *out)
{
	const char *p = (const char *)s.ptr, *end = p + s.len;

	while ((p = bprint_plain(p, end, out)) < end && !out->full)
		tdat_build_u8(out, (uint8_t)*p++);
}
