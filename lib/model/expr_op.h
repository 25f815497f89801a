/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the operations of compiled expressions, also for those who fold constants. */
#ifndef TDAT_MODEL_EXPR_OP_H
#define TDAT_MODEL_EXPR_OP_H

#include <stdint.h>

enum expr_op {
	X_CONST, /* k */
	X_U8,	 /* number at off */
	X_U16,
	X_U32,
	X_U64,
	X_MASK, /* a & k */
	X_ADD,
	X_SUB,
	X_MUL,
	X_DIV,
	X_MOD,
	X_AND,
	X_OR,
	X_XOR,
	X_SHL,
	X_SHR,
	X_LT,
	X_LE,
	X_GT,
	X_GE,
	X_EQ,
	X_NE,
	X_LAND,
	X_LOR,
	X_NOT,	     /* !a */
	X_COND,	     /* a ? b : c */
	X_INDEX,     /* element a of the array at off, elem bytes each, masked by k */
	X_DYN_INDEX, /* number of elem bytes, a bytes into dynamic field, masked by k */
	X_DYN_LEN,   /* bytes of dynamic field */
	X_DYN_OFF,   /* where dynamic field's bytes begin in the record */
	X_CALL,	     /* result of call */
	/* Those of the kernel's reading of print fmt (kfmt_expr.c), which has signed types. */
	X_S8, /* signed number at off */
	X_S16,
	X_S32,
	X_SIGN, /* a, whose bit k - 1 is extended */
	X_BOOL, /* a != 0 */
	X_SDIV, /* as the unsigned ones above, of signed numbers */
	X_SMOD,
	X_SAR,
	X_SLT,
	X_SLE,
	X_SGT,
	X_SGE,
	X_AT,  /* number of elem bytes at offset a of the record; k: it is signed */
	X_SWAP /* a, whose elem bytes change their order */
};

/* What an operation makes of two numbers; what C leaves undefined is 0, or wraps. */
uint64_t expr_apply(unsigned op, uint64_t a, uint64_t b);
/*
 * The operation of an operator that libtraceevent evaluates; 0 for others: it complains of those
 * and takes 0 as their value.
 */
unsigned expr_operator(const char *text);

/* v, whose bit bits - 1 is extended. */
static inline uint64_t expr_sign(uint64_t v, unsigned bits)
{
	return bits && bits < 64 ? (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits)) : v;
}

#endif
