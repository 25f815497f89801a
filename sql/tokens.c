/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits a text of SQL into tokens, for prepare.c, which writes queries anew. SQLite has parsed the
 * text before, so mistakes in it need no care, only that no token ends behind the text. The rules
 * are those of SQLite's tokenizer, https://www.sqlite.org/draft/tokenreq.html.
 */
#include "tokens.h"

#include <string.h>

#include "sqlite_api.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Also all bytes of UTF-8. */
static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
	       c == '$' || (unsigned char)c >= 0x80;
}

static const char *past_words(const char *p)
{
	while (is_word(*p))
		p++;
	return p;
}

/* Passes blanks and comments. One that has no end lasts until the end of the text. */
static const char *past_blanks(const char *p)
{
	for (;;) {
		p += strspn(p, " \t\n\f\r");
		if (p[0] == '-' && p[1] == '-') {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");

			p = end ? end + 2 : p + strlen(p);
		} else {
			return p;
		}
	}
}

/* Passes a text in quotes, in which a quote is written twice. */
static const char *past_quotes(const char *p, char quote)
{
	for (p++; *p; p++) {
		if (*p != quote)
			continue;
		if (quote == ']' || p[1] != quote)
			return p + 1;
		p++;
	}
	return p;
}

static const char *past_number(const char *p)
{
	const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');

	for (; is_word(*p) || *p == '.'; p++)
		if (!hex && (*p == 'e' || *p == 'E') && (p[1] == '+' || p[1] == '-'))
			p++;
	return p;
}

/* Operators of two characters; "->>" is two tokens here, which no reader minds. */
static const char *past_other(const char *p)
{
	static const char *const pairs[] = {"||", "<=", ">=", "<>", "<<", ">>", "==", "!=", "->"};

	if (strchr("?:@#", *p))
		return past_words(p + 1);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strncmp(p, pairs[i], 2))
			return p + 2;
	return p + 1;
}

struct token token_next(const char **text)
{
	const char *p = past_blanks(*text), *end;
	struct token t = {TOKEN_OTHER, p, 0};

	if (!*p) {
		t.kind = TOKEN_END;
		end = p;
	} else if (*p == '\'' || ((*p == 'x' || *p == 'X') && p[1] == '\'')) {
		t.kind = TOKEN_STRING;
		end = past_quotes(p + (*p != '\''), '\'');
	} else if (*p == '"' || *p == '`' || *p == '[') {
		t.kind = TOKEN_QUOTED;
		end = past_quotes(p, *p == '[' ? ']' : *p);
	} else if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) {
		t.kind = TOKEN_NUMBER;
		end = past_number(p);
	} else if (is_word(*p)) {
		t.kind = TOKEN_WORD;
		end = past_words(p);
	} else {
		end = past_other(p);
	}
	t.len = (size_t)(end - p);
	*text = end;
	return t;
}

bool token_is(const struct token *t, const char *word)
{
	return (t->kind == TOKEN_WORD || t->kind == TOKEN_OTHER) && strlen(word) == t->len &&
	       !sqlite3_strnicmp(t->text, word, (int)t->len);
}

bool token_names(const struct token *t, const char *name)
{
	const char quote = *t->text == '[' ? ']' : *t->text;

	if (t->kind == TOKEN_WORD)
		return token_is(t, name);
	if (t->kind != TOKEN_QUOTED)
		return false;
	for (size_t i = 1; i + 1 < t->len; i++, name++) {
		i += quote != ']' && t->text[i] == quote; /* written twice */
		if (sqlite3_strnicmp(&t->text[i], name, 1) != 0 || !*name)
			return false;
	}
	return !*name;
}
