/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what print_parse.c (expressions) and print_call.c (functions) share. */
#ifndef TDAT_MODEL_PRINT_PARSE_H
#define TDAT_MODEL_PRINT_PARSE_H

#include "lex.h"
#include "print_ast.h"

struct parser {
	struct model_lex lex;
	struct model_tok tok; /* the one after what was read last */
	const struct tdat_format *format;
	struct ast_print *out;
	struct tdat_arena *arena;
	unsigned depth;
	bool plugins; /* functions of plugins are known */
	uint8_t long_size;
};

bool parse_fail(struct parser *p, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* Notes that there was no memory, which is no fault of the format. Returns false. */
bool parse_no_memory(struct parser *p);
struct ast *parse_node(struct parser *p);
const char *parse_text(struct parser *p, const char *text, size_t len);
bool parse_is(const struct parser *p, enum model_tok_type type, const char *text);
bool parse_want(struct parser *p, enum model_tok_type type, const char *text);
void parse_next(struct parser *p);
void parse_item(struct parser *p);
bool parse_want_name(struct parser *p);
bool parse_want_close(struct parser *p);
const struct tdat_field *parse_own_field(const struct parser *p, const char *name);

bool parse_arg(struct parser *p, struct ast *n);
bool parse_op(struct parser *p, struct ast *n);
bool parse_consolidate(struct parser *p, struct ast *n);

/* Makes n the call of a function, of which the name word and "(" have been read. */
bool parse_call(struct parser *p, struct ast *n, const char *word);

#endif
