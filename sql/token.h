/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits SQL into tokens, as SQLite does, for the rewriting of statements. Tokens point into the
 * text. A string or comment without an end goes up to the end of the text: SQLite reports it.
 */
#ifndef SQL_TOKEN_H
#define SQL_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum sql_token_kind {
	SQL_END,    /* of the text */
	SQL_SPACE,  /* blanks and comments */
	SQL_WORD,   /* a keyword or a name */
	SQL_QUOTED, /* a name in "", `` or [] */
	SQL_STRING, /* in '' */
	SQL_NUMBER,
	SQL_VARIABLE, /* $name, :name, @name, ?1 */
	SQL_SIGN      /* one character */
};

struct sql_token {
	enum sql_token_kind kind;
	const char *p;
	size_t len;
};

/* Returns the token at p; the next one begins at its end. */
struct sql_token sql_token_at(const char *p, const char *end);
/* The same, of the first token that is not blank. */
struct sql_token sql_token_skip(const char *p, const char *end);

static inline const char *sql_token_end(struct sql_token t)
{
	return t.p + t.len;
}

/* Compares a word with a keyword, or a sign with its character, without regard to case. */
bool sql_token_is(struct sql_token t, const char *word);

/* True if a token is a name: *name is a copy without quotes (sqlite3_free), or NULL: no memory. */
bool sql_token_name(struct sql_token t, char **name);

#endif
