/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the arguments of trace_printk() out of a record of ftrace/bprint, where they are packed
 * behind the fields as the conversions of the printk string say: each number at a multiple of four
 * bytes, strings with NUL (vbin_printf of the kernel).
 */
#ifndef TDAT_MODEL_BPRINT_ARGS_H
#define TDAT_MODEL_BPRINT_ARGS_H

#include <tdat/base.h>

#include "core/number.h"

struct bprint_args {
	struct tdat_span buf; /* the packed arguments */
	size_t pos;
	size_t base; /* of buf in the record: what alignment counts from */
	bool big;
	uint8_t long_size;
};

/* One conversion of the printk string. */
struct bprint_conversion {
	struct tdat_num_spec spec;
	int longs; /* of its number: 1 for l, 2 for ll, -1 for h, -2 for hh */
};

/* Whether any argument follows: after the last one, libtraceevent prints conversions. */
static inline bool bprint_has_more(const struct bprint_args *a)
{
	return a->pos < a->buf.len;
}

/* Takes a number; of one that the record cuts, what is not there is 0. False: none follows. */
bool bprint_take_number(struct bprint_args *a, size_t len, uint64_t *out);
bool bprint_take_string(struct bprint_args *a, struct tdat_span *out);

/*
 * Reads a conversion from its "%" at *p up to its letter, where *p is left, and takes the numbers
 * that "*" stands for.
 */
void bprint_read_conversion(const char **p, const char *end, struct bprint_args *a,
			    struct bprint_conversion *c);

/* How many bytes the number of a conversion has that ends with that letter. */
size_t bprint_number_len(const struct bprint_args *a, const struct bprint_conversion *c,
			 char letter);

/*
 * Whether the argument of %p with these n letters behind it is text that the kernel made of it; if
 * not, it is a number.
 */
bool bprint_pointer_is_text(const struct bprint_args *a, const char *letters, size_t n);

/*
 * Appends text up to the next "%", with escapes as the characters that they are, and returns where
 * it ends.
 */
const char *bprint_plain(const char *p, const char *end, struct tdat_build *out);
/* A whole string, in which "%" is plain, too. */
void bprint_escapes(struct tdat_span s, struct tdat_build *out);

#endif
