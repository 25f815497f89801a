/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes numbers as text, without printf. Lines of dump and rows of exports are mostly numbers,
 * so this code is hot. Digits are written from their end into room that the caller has. The
 * functions named printf follow its rules of flags, width and precision.
 */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "put.h"

const char tdat_digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				"25262728293031323334353637383940414243444546474849"
				"50515253545556575859606162636465666768697071727374"
				"75767778798081828384858687888990919293949596979899";

/* The fourth byte is only there to copy four at a time. */
#define ONES(ht) ht "0 " ht "1 " ht "2 " ht "3 " ht "4 " ht "5 " ht "6 " ht "7 " ht "8 " ht "9 "
#define TENS(h)                                                                                    \
	ONES(h "0")                                                                                \
	ONES(h "1")                                                                                \
	ONES(h "2")                                                                                \
	ONES(h "3") ONES(h "4") ONES(h "5") ONES(h "6") ONES(h "7") ONES(h "8") ONES(h "9")
const char tdat_digit_triples[] = TENS("0") TENS("1") TENS("2") TENS("3") TENS("4") TENS("5")
	TENS("6") TENS("7") TENS("8") TENS("9");

/* Two digits a step; the second loop divides 32 bits, which is faster on most CPUs. */
char *tdat_number_dec(char *end, uint64_t v)
{
	uint32_t w;

	while (v > UINT32_MAX) {
		end -= 2;
		memcpy(end, tdat_digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	w = (uint32_t)v;
	while (w >= 100) {
		end -= 2;
		memcpy(end, tdat_digit_pairs + w % 100 * 2, 2);
		w /= 100;
	}
	if (w >= 10) {
		end -= 2;
		memcpy(end, tdat_digit_pairs + w * 2, 2);
	} else {
		*--end = (char)('0' + w);
	}
	return end;
}

/* Writes digits before end, and returns where they start. upper: as "%X". */
char *tdat_number_hex(char *end, uint64_t v, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	do {
		*--end = digits[v & 15];
		v >>= 4;
	} while (v);
	return end;
}

/* The same in base 8. */
static char *oct(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + (v & 7));
		v >>= 3;
	} while (v);
	return end;
}

/* The usual case writes into the buffer directly, without a copy. */
void tdat_number_u64(struct tdat_build *out, uint64_t v)
{
	char buf[TDAT_NUMBER_MAX], *p;

	if (__builtin_expect(out->cap - out->len >= TDAT_PUT_DEC, 1)) {
		out->len = (size_t)(tdat_put_u64(out->ptr + out->len, v) - out->ptr);
		return;
	}
	p = tdat_number_dec(buf + sizeof(buf), v);
	tdat_build_bytes(out, p, (size_t)(buf + sizeof(buf) - p));
}

/* The magnitude is computed without a sign, so that INT64_MIN is right, too. */
void tdat_number_i64(struct tdat_build *out, int64_t v)
{
	if (v < 0) {
		tdat_build_u8(out, '-');
		tdat_number_u64(out, 0 - (uint64_t)v);
	} else {
		tdat_number_u64(out, (uint64_t)v);
	}
}

/* Hexadecimal, with at least min digits. */
void tdat_number_x64(struct tdat_build *out, uint64_t v, unsigned min)
{
	char buf[TDAT_NUMBER_MAX], *p;
	size_t len;

	p = tdat_number_hex(buf + sizeof(buf), v, false);
	len = (size_t)(buf + sizeof(buf) - p);
	if (len < min)
		tdat_build_fill(out, '0', min - len);
	tdat_build_bytes(out, p, len);
}

void tdat_number_0x(struct tdat_build *out, uint64_t v)
{
	tdat_build_bytes(out, "0x", 2);
	tdat_number_x64(out, v, 0);
}

/* Width counts bytes, as in C. */
void tdat_string_printf(struct tdat_build *out, const char *s, size_t len, bool left, int32_t width,
			int32_t prec)
{
	size_t pad;

	if (prec >= 0 && len > (size_t)prec)
		len = (size_t)prec;
	pad = width > 0 && (size_t)width > len ? (size_t)width - len : 0;
	if (!left)
		tdat_build_fill(out, ' ', pad);
	tdat_build_bytes(out, s, len);
	if (left)
		tdat_build_fill(out, ' ', pad);
}

/* Digits and sign or base prefix of one number. */
struct digits {
	const char *text;
	size_t len;
	char prefix[2];
	size_t prefix_len;
};

/*
 * Splits a number into sign or prefix and digits; printf's rules put zeros and blanks between.
 */
static void convert(struct digits *d, char *end, const struct tdat_num_spec *spec, uint64_t v)
{
	bool negative = spec->conv == 'd' && (int64_t)v < 0;
	char *p = end;

	d->prefix_len = 0;
	if (negative)
		d->prefix[d->prefix_len++] = '-';
	else if (spec->conv == 'd' && spec->plus)
		d->prefix[d->prefix_len++] = '+';
	else if (spec->conv == 'd' && spec->space)
		d->prefix[d->prefix_len++] = ' ';
	if (v || spec->prec) {
		if (spec->conv == 'x' || spec->conv == 'X' || spec->conv == 'p')
			p = tdat_number_hex(end, v, spec->conv == 'X');
		else if (spec->conv == 'o')
			p = oct(end, v);
		else
			p = tdat_number_dec(end, negative ? 0 - v : v);
	}
	if (spec->conv == 'p' || (spec->alt && v && (spec->conv == 'x' || spec->conv == 'X'))) {
		d->prefix[d->prefix_len++] = '0';
		d->prefix[d->prefix_len++] = spec->conv == 'X' ? 'X' : 'x';
	}
	d->text = p;
	d->len = (size_t)(end - p);
}

/* A precision turns the flag 0 off, as in C; "#o" adds a zero only where none leads. */
void tdat_number_printf(struct tdat_build *out, const struct tdat_num_spec *spec, uint64_t v)
{
	char buf[TDAT_NUMBER_MAX];
	struct digits d;
	size_t zeros = 0, pad, width = spec->width > 0 ? (size_t)spec->width : 0;

	if (spec->conv == 'c') {
		char ch = (char)v;

		tdat_string_printf(out, &ch, 1, spec->left, spec->width, -1);
		return;
	}
	convert(&d, buf + sizeof(buf), spec, v);
	if (spec->prec >= 0 && d.len < (size_t)spec->prec)
		zeros = (size_t)spec->prec - d.len;
	if (spec->conv == 'o' && spec->alt && !zeros && (!d.len || d.text[0] != '0'))
		zeros = 1;
	pad = d.prefix_len + zeros + d.len;
	pad = width > pad ? width - pad : 0;
	if (spec->zero && !spec->left && spec->prec < 0) {
		zeros += pad;
		pad = 0;
	}
	if (!spec->left)
		tdat_build_fill(out, ' ', pad);
	tdat_build_bytes(out, d.prefix, d.prefix_len);
	tdat_build_fill(out, '0', zeros);
	tdat_build_bytes(out, d.text, d.len);
	if (spec->left)
		tdat_build_fill(out, ' ', pad);
}

/*
 * Writes the shortest text that reads back as the same number, independent of the locale. point:
 * also whole numbers have ".0". single: v was a float.
 */
void tdat_number_real(struct tdat_build *out, double v, bool single, bool point)
{
	static const char plain[] = "0123456789+-e";
	char text[64];

	if (!isfinite(v)) {
		tdat_build_printf(out, "%g", v);
		return;
	}
	/* 6 digits always survive a float, 15 a double; 17 restore any double. */
	for (int digits = single ? 6 : 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
			break;
	}
	point = point && !text[strspn(text, "0123456789-")];
	/* The locale's decimal point may have several bytes. */
	for (const char *p = text; *p;) {
		const size_t n = strspn(p, plain);

		tdat_build_bytes(out, p, n);
		p += n;
		if (*p)
			tdat_build_u8(out, '.');
		p += strcspn(p, plain);
	}
	if (point)
		tdat_build_str(out, ".0");
}
