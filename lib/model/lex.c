/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts format files and print formats into tokens. Tokens are spans of the text; only strings
 * that are joined or have escapes are copied into the arena. Rules are those of libtraceevent's
 * reader, since its users write such texts: what ends a token there ends it here. Each read is
 * bounded by the end of the text.
 */
#include "lex.h"

#include <string.h>

#include "core/text.h"

struct model_lex model_lex_init(const char *text, size_t len, struct tdat_arena *arena)
{
	struct model_lex lex = {text, len, 0, arena, false};

	return lex;
}

/*
 * Returns the next byte, -1 at the end. Bytes from 0x80 on are negative, too: libtraceevent's char
 * is signed, and treats them as the end.
 */
static int peek(const struct model_lex *lex)
{
	return lex->pos < lex->len ? (signed char)lex->text[lex->pos] : -1;
}

static bool is_print(int ch)
{
	return ch >= 0x20 && ch < 0x7f;
}

/* Returns what a byte begins. Quotes are printable, too, so the order of tests matters. */
static enum model_tok_type type_of(int ch)
{
	if (ch == '\n')
		return MODEL_TOK_NEWLINE;
	if (tdat_is_word((uint8_t)ch))
		return MODEL_TOK_ITEM;
	if (ch == '\'')
		return MODEL_TOK_SQUOTE;
	if (ch == '"')
		return MODEL_TOK_DQUOTE;
	if (!is_print(ch))
		return MODEL_TOK_NONE;
	return ch == '(' || ch == ')' || ch == ',' ? MODEL_TOK_DELIM : MODEL_TOK_OP;
}

/*
 * Returns the length of the operator at pos, one to three characters, by the rules of
 * libtraceevent.
 */
static size_t op_len(const struct model_lex *lex)
{
	const char *p = lex->text + lex->pos;
	size_t left = lex->len - lex->pos;
	char second = left > 1 ? p[1] : '\0';

	switch (p[0]) {
	case '-':
		if (second == '>')
			return 2;
		break;
	case '+':
	case '|':
	case '&':
	case '!':
	case '=':
		break;
	case '<':
	case '>':
		if (second == p[0])
			return left > 2 && p[2] == '=' ? 3 : 2;
		break;
	default:
		return 1;
	}
	if (second == '=')
		return 2;
	return second == p[0] && p[0] != '!' && p[0] != '=' ? 2 : 1;
}

/*
 * Reads up to the closing quote. A backslash lets the next character pass; of two backslashes the
 * second is plain. False: the text ends first.
 */
static bool quoted_run(struct model_lex *lex, int quote, size_t *start, size_t *end)
{
	int ch = quote, last;

	*start = lex->pos;
	do {
		last = ch;
		ch = peek(lex);
		*end = lex->pos;
		if (lex->pos < lex->len)
			lex->pos++;
		if (ch == '\\' && last == '\\')
			last = 0;
		if (ch <= 0)
			return false;
	} while ((ch != quote && is_print(ch)) || last == '\\' || ch == '\n');
	return true;
}

/* Moves behind the opening quote of a string that continues this one. False: none follows. */
static bool next_quote(struct model_lex *lex)
{
	size_t pos = lex->pos;

	while (pos < lex->len && tdat_is_space((uint8_t)lex->text[pos]))
		pos++;
	if (pos >= lex->len || lex->text[pos] != '"')
		return false;
	lex->pos = pos + 1;
	return true;
}

/*
 * Appends a further string to the token. Without an arena, as in format files, the token keeps its
 * first part only.
 */
static bool join(struct model_lex *lex, struct model_tok *tok, size_t start, size_t end)
{
	size_t n = end - start;
	char *both;

	if (!lex->arena)
		return true;
	both = tdat_arena_alloc(lex->arena, tok->len + n + 1);
	if (!both) {
		lex->failed = true;
		return false;
	}
	memcpy(both, tok->text, tok->len);
	memcpy(both + tok->len, lex->text + start, n);
	tok->text = both;
	tok->len += n;
	return true;
}

/* Reads a string or a character; adjacent strings become one token, as in C. */
static struct model_tok quoted(struct model_lex *lex, int quote)
{
	struct model_tok tok = {quote == '"' ? MODEL_TOK_DQUOTE : MODEL_TOK_SQUOTE, NULL, 0};
	size_t start, end;
	bool ok;

	lex->pos++;
	ok = quoted_run(lex, quote, &start, &end);
	tok.text = lex->text + start;
	tok.len = end - start;
	while (ok && quote == '"' && next_quote(lex)) {
		ok = quoted_run(lex, quote, &start, &end);
		if (!join(lex, &tok, start, end))
			ok = false;
	}
	if (!ok)
		tok.type = MODEL_TOK_NONE;
	return tok;
}

/* Replaces macros that old mac80211 formats left unexpanded; libtraceevent does the same. */
static void expand(struct model_tok *tok)
{
	static const struct {
		const char *name, *text;
	} macros[] = {
		{"LOCAL_PR_FMT", "%s"}, {"STA_PR_FMT", " sta:%pM"}, {"VIF_PR_FMT", " vif:%p(%d)"}};
	size_t i;

	for (i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		if (model_tok_is(tok, MODEL_TOK_ITEM, macros[i].name)) {
			tok->type = MODEL_TOK_DQUOTE;
			tok->text = macros[i].text;
			tok->len = strlen(macros[i].text);
			return;
		}
	}
}

struct model_tok model_lex_next(struct model_lex *lex)
{
	struct model_tok tok = {MODEL_TOK_NONE, NULL, 1};
	size_t pos = lex->pos;

	while (pos < lex->len && lex->text[pos] != '\n' && tdat_is_space((uint8_t)lex->text[pos]))
		pos++;
	lex->pos = pos;
	tok.type = type_of(peek(lex));
	tok.text = lex->text + pos;
	if (tok.type == MODEL_TOK_ITEM) {
		do
			pos++;
		while (pos < lex->len && tdat_is_word((uint8_t)lex->text[pos]));
		tok.len = pos - lex->pos;
		lex->pos = pos;
		expand(&tok);
		return tok;
	}
	if (tok.type == MODEL_TOK_DQUOTE || tok.type == MODEL_TOK_SQUOTE)
		return quoted(lex, peek(lex));
	if (tok.type == MODEL_TOK_OP)
		tok.len = op_len(lex);
	/* A byte that is no text is taken, too. */
	lex->pos += lex->pos < lex->len ? tok.len : 0;
	if (tok.type == MODEL_TOK_NONE)
		tok.len = 0;
	return tok;
}

struct model_tok model_lex_item(struct model_lex *lex)
{
	struct model_tok tok;

	do {
		tok = model_lex_next(lex);
	} while (tok.type == MODEL_TOK_NEWLINE);
	return tok;
}

bool model_tok_is(const struct model_tok *tok, enum model_tok_type type, const char *text)
{
	return tok->type == type && tok->len == strlen(text) && !memcmp(tok->text, text, tok->len);
}
