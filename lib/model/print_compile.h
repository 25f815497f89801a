/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what expr.c, print_compile.c and print_compile_pointer.c share. */
#ifndef TDAT_MODEL_PRINT_COMPILE_H
#define TDAT_MODEL_PRINT_COMPILE_H

#include "print_ast.h"
#include "print_prog.h"
#include "print_split.h"

struct compiler {
	struct print_prog *prog;
	const struct tdat_event_format *format;
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
/* What items of both readings are made with; compile_steps() and c->result bound them all. */
void *compile_alloc(struct compiler *c, size_t n);
/* A copy of text with room behind it, so that 16 bytes may be copied at once. */
const char *compile_keep_text(struct compiler *c, const void *text, size_t len);
/* A further item of the program, zeroed but for its byte order; and what it prints first. */
struct item *compile_add_item(struct compiler *c);
void compile_put_item(struct compiler *c, struct item *it);
enum item_op compile_number_op(const struct tdat_num_spec *s, uint8_t bits, bool other);
void compile_flush_text(struct compiler *c, struct item *it);
/* Ends a table whose pairs are in list: it is hashed, and sorted where values are looked up. */
void compile_pairs_done(struct compiler *c, struct pairs *out, struct pair *list,
			const struct item *it, bool sorted);

/*
 * Compiles print fmt as the kernel reads it (kfmt_compile.c). False: it has no format string, and
 * nothing was compiled.
 */
bool kfmt_compile(struct compiler *c);

/* The parts that trees of both readings are made of; NULL: c->result says why. */
struct expr *expr_new(struct compiler *c, enum expr_op op);
const struct expr *expr_constant(struct compiler *c, uint64_t k);
/*
 * A number of len bytes at a fixed place of the record. Other lengths than 1, 2, 4 and 8 read as 0,
 * as libtraceevent reads them.
 */
const struct expr *expr_load(struct compiler *c, uint32_t off, uint32_t len, bool is_signed);
/* Nodes of operations; NULL: there is no memory, or an operand is NULL. */
const struct expr *expr_unary(struct compiler *c, enum expr_op op, const struct expr *a,
			      uint8_t elem, uint64_t k);
const struct expr *expr_cond(struct compiler *c, const struct expr *cond, const struct expr *yes,
			     const struct expr *no);
/* The length or place of a dynamic field. */
const struct expr *expr_of_field(struct compiler *c, enum expr_op op,
				 const struct tdat_field *field);
const struct expr *expr_mask(struct compiler *c, const struct expr *a, uint64_t k);
/* Constants are folded. */
const struct expr *expr_binary(struct compiler *c, unsigned op, const struct expr *a,
			       const struct expr *b);

/* Compiles a conversion of the %p family. */
void item_compile_pointer(struct compiler *c, const struct part *part, struct item *it);

#endif
