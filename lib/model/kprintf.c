/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the conversions of the kernel's vsprintf() and prints numbers and strings as it does.
 * Both the program of a print fmt (kfmt_compile.c) and trace_printk() strings use this file;
 * what "%p" prints is in kprint_pointer.c.
 */
#include "kprintf.h"

#include <string.h>

#include "core/text.h"

/* The kernel holds widths and precisions in 24 and 16 bits and clamps what is beyond. */
enum { WIDTH_MOST = (1 << 23) - 1, PREC_MOST = (1 << 15) - 1 };

/* Reads digits; the value stops growing above WIDTH_MOST, where the caller clamps it. */
static int32_t read_number(const char **p, const char *end)
{
	uint64_t v;

	*p = tdat_read_digits(*p, end, 10, &v);
	return v <= WIDTH_MOST ? (int32_t)v : WIDTH_MOST + 1;
}

static void read_flags(struct tdat_num_spec *s, const char **p, const char *end)
{
	for (; *p < end && **p && strchr("-+ #0", **p); ++*p) {
		s->left |= **p == '-';
		s->plus |= **p == '+';
		s->space |= **p == ' ';
		s->alt |= **p == '#';
		s->zero |= **p == '0';
	}
}

/* Reads width and precision. "." without digits means a precision of 0. */
static void read_width(struct kconv *c, const char **p, const char *end)
{
	if (*p < end && **p == '*') {
		c->star_width = true;
		++*p;
	} else if (*p < end && **p >= '0' && **p <= '9') {
		kconv_star_width(c, read_number(p, end));
	}
	if (*p == end || **p != '.')
		return;
	++*p;
	if (*p < end && **p == '*') {
		c->star_prec = true;
		++*p;
	} else {
		kconv_star_prec(c, read_number(p, end));
	}
}

/* Returns the bits of the argument for h, hh, l, ll, L, z, Z and t; 32 without one of them. */
static uint8_t read_length(const char **p, const char *end, uint8_t long_size)
{
	const char letter = *p < end ? **p : '\0';
	const bool twice = end - *p > 1 && (*p)[1] == letter;

	if (!letter || !strchr("hlLzZt", letter))
		return 32;
	*p += twice && strchr("hl", letter) ? 2 : 1;
	if (letter == 'h')
		return twice ? 8 : 16;
	return letter == 'L' || (letter == 'l' && twice) ? 64 : (uint8_t)(8 * long_size);
}

/*
 * Takes all letters and digits behind %p. The kernel skips those that it does not know, so they
 * belong to the conversion.
 */
static void read_letters(struct kconv *c, const char **p, const char *end)
{
	size_t n = 0;

	for (; *p < end && tdat_is_alnum((uint8_t) * *p); ++*p)
		if (n < KCONV_LETTERS)
			c->letters[n++] = **p;
}

/*
 * The order of the parts is that of format_decode() in lib/vsprintf.c: flags, width, precision,
 * length, letter.
 */
size_t kconv_parse(struct kconv *out, const char *text, size_t len, uint8_t long_size)
{
	const char *p = text + 1, *end = text + len;

	*out = (struct kconv){.spec.prec = -1};
	read_flags(&out->spec, &p, end);
	read_width(out, &p, end);
	out->bits = read_length(&p, end, long_size);
	if (p == end || !*p || !strchr("diuxXocsp%", *p))
		return len;
	out->spec.conv = *p == 'i' ? 'd' : *p;
	p++;
	if (out->spec.conv == 'p')
		read_letters(out, &p, end);
	return (size_t)(p - text);
}

/* A negative width means "-" and its absolute value, as in C. */
void kconv_star_width(struct kconv *c, int32_t v)
{
	if (v < 0) {
		c->spec.left = true;
		v = v < -WIDTH_MOST ? WIDTH_MOST : -v;
	}
	c->spec.width = v < WIDTH_MOST ? v : WIDTH_MOST;
	c->has_width = true;
}

/* Unlike in C, a negative precision is 0 and not none: set_precision() of the kernel clamps it. */
void kconv_star_prec(struct kconv *c, int32_t v)
{
	c->spec.prec = v < 0 ? 0 : v < PREC_MOST ? v : PREC_MOST;
}

/* Writes what stands before the digits: sign and "0x". Unlike in C, "%#x" of 0 has its prefix. */
static size_t put_prefix(char *prefix, const struct tdat_num_spec *s, bool negative, bool zero)
{
	size_t n = 0;

	if (s->conv == 'd' && (negative || s->plus || s->space))
		prefix[n++] = negative ? '-' : s->plus ? '+' : ' ';
	if (!s->alt || s->conv == 'd' || s->conv == 'u')
		return n;
	if (s->conv != 'o' || !zero)
		prefix[n++] = '0';
	if (s->conv != 'o')
		prefix[n++] = s->conv;
	return n;
}

/* Writes the digits to the left of end and returns how many they are; 0 is one digit. */
static size_t put_digits(char *end, uint64_t v, char conv)
{
	char *p = end;

	if (conv == 'd' || conv == 'u')
		return (size_t)(end - tdat_number_dec(end, v));
	if (conv != 'o')
		return (size_t)(end - tdat_number_hex(end, v, conv == 'X'));
	do
		*--p = (char)('0' + (v & 7));
	while (v >>= 3);
	return (size_t)(end - p);
}

/* Returns the absolute value of the low c->bits of v, which a conversion to d reads as signed. */
static uint64_t narrow(const struct kconv *c, uint64_t v, bool *negative)
{
	const unsigned bits = c->bits;

	if (bits < 64)
		v &= (UINT64_C(1) << bits) - 1;
	*negative = c->spec.conv == 'd' && v >> (bits - 1);
	if (*negative && bits < 64)
		v |= ~UINT64_C(0) << bits;
	return *negative ? 0 - v : v;
}

/* A NUL is printed like any other character: its width still counts. */
static void print_char(struct tdat_build *out, const struct kconv *c, uint64_t v)
{
	const char ch = (char)v;

	tdat_string_printf(out, &ch, 1, c->spec.left, c->spec.width, -1);
}

/*
 * Prints sign and prefix, zeros and digits, padded to the width. Unlike in C, the flag 0 counts
 * even beside a precision (number() of lib/vsprintf.c).
 */
void kprint_number(struct tdat_build *out, const struct kconv *c, uint64_t v)
{
	const struct tdat_num_spec *s = &c->spec;
	char digits[TDAT_NUMBER_MAX], prefix[4], *end = digits + sizeof(digits);
	size_t n, prefix_len, width = (size_t)s->width, zeros;
	bool negative;

	if (s->conv == 'c') {
		print_char(out, c, v);
		return;
	}
	v = narrow(c, v, &negative);
	n = put_digits(end, v, s->conv);
	prefix_len = put_prefix(prefix, s, negative, !v);
	zeros = s->prec > 0 && (size_t)s->prec > n ? (size_t)s->prec - n : 0;
	width -= width < prefix_len + zeros + n ? width : prefix_len + zeros + n;
	if (!s->left && !s->zero)
		tdat_build_fill(out, ' ', width);
	tdat_build_bytes(out, prefix, prefix_len);
	if (!s->left && s->zero)
		tdat_build_fill(out, '0', width);
	tdat_build_fill(out, '0', zeros);
	tdat_build_bytes(out, end - n, n);
	if (s->left)
		tdat_build_fill(out, ' ', width);
}

void kprint_string(struct tdat_build *out, const struct kconv *c, const void *text, size_t len)
{
	tdat_string_printf(out, text, len, c->spec.left, c->spec.width, c->spec.prec);
}

void kprint_fit(struct tdat_build *out, size_t start, bool left, int32_t width, int32_t prec)
{
	size_t len = out->len - start, gap;

	if (out->failed || out->full)
		return;
	if (prec >= 0 && (size_t)prec < len) {
		len = (size_t)prec;
		out->len = start + len;
	}
	if (width <= 0 || (size_t)width <= len)
		return;
	gap = (size_t)width - len;
	tdat_build_fill(out, ' ', gap);
	/* The blanks may not all have fitted. */
	if (left || out->len != start + len + gap)
		return;
	memmove(out->ptr + start + gap, out->ptr + start, len);
	memset(out->ptr + start, ' ', gap);
}
