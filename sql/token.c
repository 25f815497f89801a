/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits SQL into tokens. Rewriting must find names, brackets and the ends of statements, and
 * must not find them in strings and comments. Signs of two characters come as two tokens: no
 * caller asks for them. Nothing is copied; a token is a place in the text.
 */
#include "token.h"

#include <string.h>

#include "sqlite_api.h"

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of what a quote begins; a doubled quote stands for itself. */
static const char *quoted_end(const char *p, const char *end, char quote)
{
	for (p++; p < end; p++) {
		if (*p != quote)
			continue;
		if (quote == ']' || p + 1 == end || p[1] != quote)
			return p + 1;
		p++;
	}
	return end;
}

/* The end of blanks and comments; p if there are none. */
static const char *space_end(const char *p, const char *end)
{
	while (p < end) {
		if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
			p++;
		} else if (end - p > 1 && p[0] == '-' && p[1] == '-') {
			const char *line = memchr(p, '\n', (size_t)(end - p));

			p = line ? line + 1 : end;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			for (p += 2; p < end && !(p[0] == '*' && end - p > 1 && p[1] == '/'); p++)
				;
			p = end - p > 1 ? p + 2 : end;
		} else {
			break;
		}
	}
	return p;
}

static const char *word_end(const char *p, const char *end, bool number)
{
	while (p < end && (is_word(*p) || (number && *p == '.')))
		p++;
	return p;
}

struct sql_token sql_token_at(const char *p, const char *end)
{
	const char *to = space_end(p, end);
	enum sql_token_kind kind = SQL_SPACE;

	if (p == end) {
		kind = SQL_END;
	} else if (to != p) {
		kind = SQL_SPACE;
	} else if (*p == '\'') {
		kind = SQL_STRING;
		to = quoted_end(p, end, '\'');
	} else if (*p == '"' || *p == '`' || *p == '[') {
		kind = SQL_QUOTED;
		to = quoted_end(p, end, *p == '[' ? ']' : *p);
	} else if (is_digit(*p) || (*p == '.' && end - p > 1 && is_digit(p[1]))) {
		kind = SQL_NUMBER;
		to = word_end(p, end, true);
	} else if (*p == '$' || *p == ':' || *p == '@' || *p == '?') {
		to = word_end(p + 1, end, false);
		kind = to == p + 1 && *p != '?' ? SQL_SIGN : SQL_VARIABLE;
	} else if (is_word(*p)) {
		kind = SQL_WORD;
		to = word_end(p, end, false);
	} else {
		kind = SQL_SIGN;
		to = p + 1;
	}
	return (struct sql_token){kind, p, (size_t)(to - p)};
}

struct sql_token sql_token_skip(const char *p, const char *end)
{
	struct sql_token t = sql_token_at(p, end);

	return t.kind == SQL_SPACE ? sql_token_at(sql_token_end(t), end) : t;
}

bool sql_token_is(struct sql_token t, const char *word)
{
	return (t.kind == SQL_WORD || t.kind == SQL_SIGN) && t.len == strlen(word) &&
	       !sqlite3_strnicmp(t.p, word, (int)t.len);
}

bool sql_token_name(struct sql_token t, char **name)
{
	char *to;

	*name = NULL;
	if (t.kind != SQL_WORD && t.kind != SQL_QUOTED)
		return false;
	*name = to = sqlite3_malloc64(t.len + 1);
	if (!to)
		return true;
	if (t.kind == SQL_WORD) {
		memcpy(to, t.p, t.len);
		to[t.len] = '\0';
		return true;
	}
	for (size_t i = 1; i + 1 < t.len; i++) {
		*to++ = t.p[i];
		/* A doubled quote is one. */
		i += t.p[i] == *t.p && *t.p != '[';
	}
	*to = '\0';
	return true;
}
