/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts the arguments of a print fmt into the tokens of C, reads numbers and characters with the
 * types that C gives them, and resolves escapes. Input is the text of a format file, which is
 * untrusted: every read is bounded by lex->end.
 */
#include "kfmt_lex.h"

#include <string.h>

#include "core/text.h"

/*
 * Reads a string or character from its opening quote on; an escaped quote does not end it. KT_BAD:
 * it is never closed.
 */
static struct ktok quoted(struct klex *lex, char quote)
{
	struct ktok tok = {.kind = quote == '"' ? KT_STR : KT_CHAR, .text = lex->p + 1};
	const char *p = tok.text;

	while (p < lex->end && *p != quote)
		p += *p == '\\' && lex->end - p > 1 ? 2 : 1;
	if (p >= lex->end)
		tok.kind = KT_BAD;
	tok.len = (size_t)(p - tok.text);
	lex->p = p < lex->end ? p + 1 : lex->end;
	return tok;
}

/* True for the second characters of operators; few bytes are, so that few are looked for. */
static bool is_second(char c)
{
	return c == '<' || c == '>' || c == '=' || c == '&' || c == '|';
}

/* A token of one wrong byte is KT_BAD, so reading always advances. */
struct ktok klex_next(struct klex *lex)
{
	struct ktok tok = {.kind = KT_END};
	const struct print_operator *two;

	while (lex->p < lex->end && tdat_is_space(*lex->p))
		lex->p++;
	tok.text = lex->p;
	if (lex->p >= lex->end)
		return tok;
	if (*lex->p == '"' || *lex->p == '\'')
		return quoted(lex, *lex->p);
	if (tdat_is_word(*lex->p)) {
		tok.kind = tdat_is_dec(*lex->p) ? KT_NUM : KT_NAME;
		while (lex->p < lex->end && tdat_is_word(*lex->p))
			lex->p++;
	} else {
		two = lex->end - lex->p > 1 && is_second(lex->p[1]) ? operator_named(lex->p, 2)
								    : NULL;
		lex->p += two ? 2 : 1;
		tok.op = two ? two->op : (unsigned char)*tok.text;
		tok.kind = strchr("+-*/%&|^~!<>=?:;,.()[]{}", *tok.text) ? KT_OP : KT_BAD;
	}
	tok.len = (size_t)(lex->p - tok.text);
	return tok;
}

/*
 * Reads one escape behind its backslash; *used is its bytes. -1: C does not have it, and the
 * backslash stays.
 */
static int escape(const char *p, size_t len, size_t *used)
{
	static const char from[] = "abfnrtve\\\"'?", to[] = "\a\b\f\n\r\t\v\033\\\"'?";
	const char *at = memchr(from, *p, sizeof(from) - 1);
	const unsigned base = *p == 'x' ? 16 : 8;
	size_t i = base == 16;
	unsigned v = 0, digits = 0;

	*used = 1;
	if (at)
		return (unsigned char)to[at - from];
	/* At most two hexadecimal or three octal digits: a byte has no more. */
	for (; i < len && tdat_digit((uint8_t)p[i]) < base && digits < (base == 16 ? 2 : 3);
	     i++, digits++)
		v = v * base + tdat_digit((uint8_t)p[i]);
	if (!digits)
		return -1;
	*used = i;
	return (int)(v & 0xff);
}

/* out may be text itself: the result is never longer. */
size_t klex_unescape(char *out, const char *text, size_t len)
{
	size_t n = 0, used;

	for (size_t i = 0; i < len; i++) {
		int c = -1;

		if (text[i] == '\\' && i + 1 < len)
			c = escape(text + i + 1, len - i - 1, &used);
		if (c < 0) {
			out[n++] = text[i];
			continue;
		}
		out[n++] = (char)c;
		i += used;
	}
	return n;
}

/*
 * Reads a character constant, whose type is int in C. Plain char is signed in kernels since 6.2;
 * before, characters beyond ASCII depended on the architecture.
 */
static bool character(const struct ktok *tok, uint64_t *num, struct ktype *type)
{
	char c[8];

	if (!tok->len || tok->len > sizeof(c) || klex_unescape(c, tok->text, tok->len) != 1)
		return false;
	*num = (uint64_t)(int64_t)(signed char)c[0];
	*type = (struct ktype){.len = 4, .is_signed = true};
	return true;
}

/*
 * Returns the type of an integer constant: the first of C's list that holds it (C17 6.4.4.1).
 * Decimal constants without "u" never become unsigned, unless nothing else holds them.
 */
static struct ktype type_of_constant(uint64_t v, bool decimal, bool u, unsigned longs,
				     uint8_t long_size)
{
	struct ktype t = {.len = longs > 1 ? 8 : longs ? long_size : 4, .is_signed = !u};

	for (;; t.len = 8) {
		const unsigned bits = 8u * t.len;

		t.is_signed = !u;
		if (bits == 64 ? !(v >> 63) : !(v >> (bits - 1)))
			return t;
		if (!decimal || u || bits == 64)
			t.is_signed = false;
		if (!t.is_signed && (bits == 64 || !(v >> bits)))
			return t;
	}
}

/*
 * Octal numbers begin with 0, and "0" alone is one of them. False: a digit or suffix that C does
 * not have, or above 64 bits.
 */
bool ktok_number(const struct ktok *tok, uint8_t long_size, uint64_t *num, struct ktype *type)
{
	const char *p = tok->text, *end = p + tok->len;
	unsigned base = 10, longs = 0;
	bool u = false, over = false;
	uint64_t v;

	if (tok->kind == KT_CHAR)
		return character(tok, num, type);
	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x') {
		base = 16;
		p += 2;
	} else if (p[0] == '0') {
		base = 8;
	}
	p = tdat_scan_digits(p, end, base, &v, &over);
	if (over)
		return false;
	for (; p < end; p++) {
		if ((*p | 0x20) == 'u')
			u = true;
		else if ((*p | 0x20) == 'l')
			longs++;
		else
			return false;
	}
	*num = v;
	*type = type_of_constant(v, base == 10, u, longs, long_size);
	return true;
}
