/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cuts the format string of print fmt into literals and conversions. */
#ifndef TDAT_MODEL_PRINT_SPLIT_H
#define TDAT_MODEL_PRINT_SPLIT_H

#include "print_ast.h"

enum part_type { PART_TEXT, PART_NUMBER, PART_POINTER, PART_STRING };

struct part {
	struct part *next;
	enum part_type type;
	const char *text; /* the literal, or the conversion from its '%' on */
	size_t len;
	struct ast *arg;
	struct ast *star;
	int longs; /* number: -2 hh, -1 h, 0, 1 l, 2 ll */
};

/*
 * part_split cuts parsed->format and gives every conversion its argument.
 * False: arguments are missing (libtraceevent says so too), or no memory.
 */
bool part_split(struct part **out, struct ast_print *parsed, struct tdat_arena *arena);

/* How many letters after "%p" belong to it, of the n that follow. */
size_t part_pointer_letters(const char *p, size_t n);

/* The letters of a number's length, and how many "l" one more makes; "h" counts down. */
#define PART_LONGS "hlLzZ"
static inline int part_longs(int longs, char letter)
{
	return letter == 'h' ? longs - 1 : letter == 'l' ? longs + 1 : letter == 'L' ? 2 : 1;
}

#endif
