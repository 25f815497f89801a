/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what expr.c, print_compile.c and print_compile_pointer.c share. */
#ifndef TDAT_MODEL_PRINT_COMPILE_H
#define TDAT_MODEL_PRINT_COMPILE_H

#include "print_ast.h"
#include "print_prog.h"
#include "print_split.h"

struct compiler {
	struct print_prog *prog;
	const struct tdat_format *format;
	const struct model_env *env;
	struct tdat_arena tree; /* of the parse, dropped after compiling */
	struct item *items;
	size_t item_cap;
	uint32_t nodes, node_max;
	uint32_t lookups; /* of symbols by name */
	uint64_t room;
	uint64_t text_len; /* of all literals */
	uint8_t long_size;
	enum prog_result result;
	const char *limit; /* that is exceeded, or NULL */
	char *why;
	size_t why_len;
	struct tdat_build text; /* literal before the next item */
};

/* Marks the print format as sound but not compiled, with the reason; always NULL. */
void compile_foreign(struct compiler *c, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* Counts steps that the program will take; false: too many. */
bool compile_steps(struct compiler *c, uint32_t n);

/* NULL: c->result says why. */
const struct expr *expr_compile(struct compiler *c, const struct ast *n);
const struct prog_call *compile_call(struct compiler *c, const struct ast *n);
/* Compiles a conversion of the %p family. */
void item_compile_pointer(struct compiler *c, const struct part *part, struct item *it);

#endif
