/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes numbers as text, without printf, for the code that runs once for each event. */
#ifndef TDAT_CORE_NUMBER_H
#define TDAT_CORE_NUMBER_H

#include "core/build.h"

/* Longest decimal or octal number of 64 bits and a sign. */
enum { TDAT_NUMBER_MAX = 24 };

/* Write digits so that they end before end; the result is their start. */
char *tdat_number_dec(char *end, uint64_t v);
char *tdat_number_hex(char *end, uint64_t v, bool upper);

void tdat_number_u64(struct tdat_build *out, uint64_t v);
void tdat_number_i64(struct tdat_build *out, int64_t v);

/* A number of whose bits the caller knows the sign. */
static inline void tdat_number_int(struct tdat_build *out, uint64_t v, bool is_signed)
{
	if (is_signed)
		tdat_number_i64(out, (int64_t)v);
	else
		tdat_number_u64(out, v);
}

/* Hexadecimal without "0x", at least min digits (0: no least). */
void tdat_number_x64(struct tdat_build *out, uint64_t v, unsigned min);
/* Hexadecimal behind "0x". */
void tdat_number_0x(struct tdat_build *out, uint64_t v);

/*
 * The shortest decimal number that is read back as the same double, or float if single; its
 * decimal point is "." in any locale. point: an integer gets ".0". Others are nan, inf and -inf.
 */
void tdat_number_real(struct tdat_build *out, double v, bool single, bool point);

/* A %d, %u, %x, %X, %o, %p or %c of printf, its flags, width and precision. */
struct tdat_num_spec {
	char conv;     /* d u x X o c; p: x behind 0x, also of 0 */
	bool left;     /* - */
	bool zero;     /* 0 */
	bool plus;     /* + */
	bool space;    /* blank */
	bool alt;      /* # */
	int32_t width; /* 0: none */
	int32_t prec;  /* -1: none */
};

/* v as printf prints it; for d the caller has extended the sign. */
void tdat_number_printf(struct tdat_build *out, const struct tdat_num_spec *spec, uint64_t v);

/* The len bytes of s, cut to prec bytes (-1: not cut), and padded to width with blanks. */
void tdat_string_printf(struct tdat_build *out, const char *s, size_t len, bool left, int32_t width,
			int32_t prec);

#endif
