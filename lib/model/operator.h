/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the operators of print fmts: how they are written, bind and compute. */
#ifndef TDAT_MODEL_OPERATOR_H
#define TDAT_MODEL_OPERATOR_H

#include <stddef.h>
#include <stdint.h>

/* Operators of two characters have these names; all others are their character. */
enum kn_op {
	KOP_SHL = 0x80,
	KOP_SHR,
	KOP_LE,
	KOP_GE,
	KOP_EQ,
	KOP_NE,
	KOP_LAND,
	KOP_LOR,
	KOP_ARROW
};

struct print_operator {
	int op;
	char text[3];
	uint8_t strength; /* how strongly it binds in C, 1 (||) to 10 (*); 0: ? and -> */
	uint8_t plain,
		with_sign; /* enum expr_op, of unsigned and signed numbers; 0: no binary one */
};

/* NULL: there is none of that number, or text. */
const struct print_operator *operator_of(int op);
const struct print_operator *operator_named(const char *text, size_t len);

#endif
