/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts format files, and the format string of a print fmt, into tokens exactly where
 * libtraceevent does, strange cases included, so that both parse the same texts.
 */
#ifndef TDAT_MODEL_LEX_H
#define TDAT_MODEL_LEX_H

#include <tdat/base.h>

#include "core/arena.h"

enum model_tok_type {
	MODEL_TOK_NONE, /* the end, or a byte that is no text */
	MODEL_TOK_NEWLINE,
	MODEL_TOK_OP,
	MODEL_TOK_DELIM,  /* one of ( ) , */
	MODEL_TOK_ITEM,	  /* letters, digits, _ */
	MODEL_TOK_DQUOTE, /* "..." without the quotes; neighbours are joined */
	MODEL_TOK_SQUOTE
};

struct model_tok {
	enum model_tok_type type;
	const char *text; /* not NUL-terminated */
	size_t len;
};

struct model_lex {
	const char *text;
	size_t len;
	size_t pos;
	struct tdat_arena *arena; /* for strings joined from several; NULL: cut */
	bool failed;		  /* no memory */
};

struct model_lex model_lex_init(const char *text, size_t len, struct tdat_arena *arena);

/* The next token; a newline is one. */
struct model_tok model_lex_next(struct model_lex *lex);

/* The next token that is not a newline. */
struct model_tok model_lex_item(struct model_lex *lex);

bool model_tok_is(const struct model_tok *tok, enum model_tok_type type, const char *text);

#endif
