/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what kfmt_expr.c, kfmt_call.c, kfmt_text.c and kfmt_compile.c share. */
#ifndef TDAT_MODEL_KFMT_COMPILE_H
#define TDAT_MODEL_KFMT_COMPILE_H

#include "kfmt.h"
#include "print_compile.h"

/* The compiler of one print fmt as the kernel reads it. */
struct kcompiler {
	struct compiler *c;
	uint8_t word; /* bytes of a long of the kernel */
	char *why;    /* why the current argument cannot be evaluated; "": it can */
	size_t why_len;
};

/*
 * A compiled value. Its number has the bits of its type, and those above are its sign or 0. A
 * pointer into the record is the offset of its target, never 0 (in_record); of any other
 * pointer the number is the recorded address.
 */
struct kval {
	const struct expr *x; /* NULL: it cannot be evaluated, why says why; or c->result does */
	struct ktype type;
	bool in_record;
	bool jiffies;			/* it counts them, as HZ is not known */
	const struct tdat_field *field; /* what a pointer into the record points into, or NULL */
};

/* Says why the argument cannot be evaluated, unless that was said before; a value without x. */
struct kval kval_fail(struct kcompiler *k, const char *fmt, ...) TDAT_PRINTF(2, 3);
/* A number of a type; x may be NULL. */
struct kval kval_of(const struct expr *x, uint8_t len, bool is_signed);

struct kval kexpr_compile(struct kcompiler *k, const struct kn *n);
/* The same, of that type unless it is NULL; what cannot be evaluated leaves no reason behind. */
struct kval kexpr_try(const struct kcompiler *k, const struct kn *n, const struct ktype *type);
/* v as a value of that type. */
struct kval kexpr_convert(struct kcompiler *k, struct kval v, struct ktype type);
/* A call in a number's place. */
struct kval kcall_compile(struct kcompiler *k, const struct kn *n);
/* The address of a dynamic field's bytes: __get_dynamic_array(name) and its like. */
struct kval kcall_dynamic(struct kcompiler *k, const struct kn *n);
const struct tdat_field *kfmt_dynamic_field(const struct kcompiler *k, const char *name);
/* A call of a kernel's function; NULL: why says why. */
const struct prog_call *kcall_new(struct kcompiler *k, const struct kn *n,
				  const struct print_func *func);

/*
 * Makes *it the item that prints a tree behind "%s"; its conversion is in it->k already. False:
 * it cannot be evaluated.
 */
bool ktext_compile(struct kcompiler *k, const struct kn *n, struct item *it);

#endif
