/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers as text, without printf: what the hot path prints with. */
#ifndef TDAT_MODEL_TEXT_H
#define TDAT_MODEL_TEXT_H

#include "core/build.h"

/* Longest decimal or octal number of 64 bits and a sign. */
enum { MODEL_TEXT_NUM = 24 };

/* "00" to "99": two digits at a time. */
extern const char model_digit_pairs[];
/* "000 " to "999 ": the three digits of v at 4 * v. */
extern const char model_digit_triples[];

/* Write digits so that they end before end; the result is their start. */
char *model_text_dec(char *end, uint64_t v);
char *model_text_hex(char *end, uint64_t v, bool upper);
char *model_text_oct(char *end, uint64_t v);

void model_text_u64(struct tdat_build *out, uint64_t v);
void model_text_i64(struct tdat_build *out, int64_t v);
/* Hexadecimal without "0x", at least min digits (0: no least). */
void model_text_x64(struct tdat_build *out, uint64_t v, unsigned min);

/* A %d, %u, %x, %X, %o or %c of printf, its flags, width and precision. */
struct model_num_spec {
	char conv;      /* d u x X o c */
	bool left;      /* - */
	bool zero;      /* 0 */
	bool plus;      /* + */
	bool space;     /* blank */
	bool alt;       /* # */
	int32_t width;  /* 0: none */
	int32_t prec;   /* -1: none */
};

/* v as printf prints it; for d the caller has extended the sign. */
void model_text_num(struct tdat_build *out, const struct model_num_spec *spec, uint64_t v);

/* s, cut to prec bytes (-1: not), padded to width with blanks. */
void model_text_str(struct tdat_build *out, const char *s, size_t len, bool left, int32_t width,
		    int32_t prec);

#endif
