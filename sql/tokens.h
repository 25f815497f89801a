/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits a text of SQL into tokens as SQLite does, for the files of this folder. */
#ifndef SQL_TOKENS_H
#define SQL_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_END,    /* of the text */
	TOKEN_WORD,   /* a name without quotes, or a keyword */
	TOKEN_QUOTED, /* a name in "", `` or [] */
	TOKEN_STRING, /* '...', or x'...' */
	TOKEN_NUMBER,
	TOKEN_OTHER /* an operator, a parameter, or what SQLite refuses */
};

struct token {
	enum token_kind kind;
	const char *text; /* borrowed from the text, with its quotes */
	size_t len;
};

/* Returns the token at *text and moves behind it; blanks and comments before it are passed. */
struct token token_next(const char **text);

/* These compare without regard to case: with a keyword or an operator, and with a name in quotes or
 * without. */
bool token_is(const struct token *t, const char *word);
bool token_names(const struct token *t, const char *name);

#endif
