/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses a filter's expression into a tree. It accepts all that libtraceevent's parser accepts and
 * more: arithmetic and parentheses on both sides of a comparison. Errors name the column in the
 * text. Depth and length of an expression are bounded, because the parser is recursive. The tree
 * (filter_ast.h) lives in the filter's arena.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/regex_bound.h"
#include "filter.h"
#include "filter_ast.h"
#include "lex.h"

/* The state of one parse: a recursive descent with one token of look-ahead. */
struct parser {
	struct model_filter *f;
	size_t base; /* where the expression starts in the text */
	struct model_lex lex;
	struct model_tok tok; /* the one not taken yet */
	size_t column;	      /* of it */
	bool bad;	      /* it is an end that is not the text's end */
	uint32_t depth;
	enum tdat_status st;
	struct tdat_error *err;
};

/*
 * Operators of two operands. Arithmetic has the levels of C; comparisons have level 0, which
 * parse_arith() leaves to parse_cmp().
 */
static const struct {
	char text[4];
	uint8_t op;
	uint8_t level; /* arithmetic: higher binds tighter */
} ops[] = {
	{"==", FILTER_EQ, 0},	{"!=", FILTER_NE, 0},	  {"<", FILTER_LT, 0},
	{">", FILTER_GT, 0},	{"<=", FILTER_LE, 0},	  {">=", FILTER_GE, 0},
	{"=~", FILTER_LIKE, 0}, {"!~", FILTER_UNLIKE, 0}, {"|", FILTER_BOR, 1},
	{"^", FILTER_XOR, 2},	{"&", FILTER_BAND, 3},	  {"<<", FILTER_SHL, 4},
	{">>", FILTER_SHR, 4},	{"+", FILTER_ADD, 5},	  {"-", FILTER_SUB, 5},
	{"*", FILTER_MUL, 6},	{"/", FILTER_DIV, 6},	  {"%", FILTER_MOD, 6},
};

/* Returns the operator that a token is, or FILTER_OP_NONE; *level is its strength. */
static enum filter_op find_op(const struct model_tok *tok, uint32_t *level)
{
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (model_tok_is(tok, MODEL_TOK_OP, ops[i].text)) {
			*level = ops[i].level;
			return (enum filter_op)ops[i].op;
		}
	}
	*level = 0;
	return FILTER_OP_NONE;
}

/*
 * Reads the next token. "=" or "!" and a "~" that follows at once are one operator, which the lexer
 * of format files does not know.
 */
static void next(struct parser *p)
{
	struct model_lex *lex = &p->lex;

	while (lex->pos < lex->len && strchr(" \t\r\n\v\f", lex->text[lex->pos]))
		lex->pos++;
	p->column = p->base + lex->pos + 1;
	p->tok = model_lex_item(lex);
	if (p->tok.type == MODEL_TOK_OP && p->tok.len == 1 &&
	    (p->tok.text[0] == '=' || p->tok.text[0] == '!') && lex->pos < lex->len &&
	    lex->text[lex->pos] == '~') {
		lex->pos++;
		p->tok.len = 2;
	}
	/*
	 * The lexer reports the end of the text and a byte that it cannot read alike; only the
	 * first is one.
	 */
	p->bad = p->tok.type == MODEL_TOK_NONE && p->column <= p->base + lex->len;
	if (lex->failed)
		p->st = tdat_error_no_memory(p->err, "a filter");
}

/* True if the token not taken yet is this one. */
static bool at(const struct parser *p, enum model_tok_type type, const char *text)
{
	return model_tok_is(&p->tok, type, text);
}

/* Notes a failure at a column; the first one is kept. Always NULL. */
static const struct filter_node *fail_at(struct parser *p, size_t column, const char *what)
{
	if (p->st == TDAT_OK)
		p->st = model_filter_fail(p->f, column, p->err, "%s", what);
	return NULL;
}

/* Notes "expected WHAT, found ..." at the token not taken yet. Always NULL. */
static const struct filter_node *expected(struct parser *p, const char *what)
{
	size_t len = p->tok.len < 40 ? p->tok.len : 40;

	if (p->st != TDAT_OK)
		return NULL;
	if (p->bad)
		p->st = model_filter_fail(p->f, p->column, p->err,
					  "a quote is not closed, or a character is not printable");
	else if (p->tok.type == MODEL_TOK_NONE)
		p->st = model_filter_fail(p->f, p->column, p->err,
					  "expected %s, but the filter ends", what);
	else
		p->st = model_filter_fail(
			p->f, p->column, p->err, "expected %s, found '%.*s'%s", what, (int)len,
			p->tok.text,
			*p->tok.text == ':' ? "; a filter is 'SYSTEM/EVENT: EXPRESSION'" : "");
	return NULL;
}

/* Makes a leaf in the filter's arena, which owns the tree. NULL: no memory, noted in p->st. */
static struct filter_node *new_node(struct parser *p, enum filter_kind kind, size_t column)
{
	struct filter_node *n = tdat_arena_alloc(&p->f->arena, sizeof(*n));

	if (!n) {
		if (p->st == TDAT_OK)
			p->st = tdat_error_no_memory(p->err, "a filter");
		return NULL;
	}
	n->kind = kind;
	n->column = column;
	n->stack = 1;
	return n;
}

/*
 * Makes an operation of two nodes. An arithmetic pushes its left value and keeps it while the right
 * one is computed, hence the + 1.
 */
static const struct filter_node *new_pair(struct parser *p, enum filter_kind kind,
					  enum filter_op op, size_t column,
					  const struct filter_node *left,
					  const struct filter_node *right)
{
	struct filter_node *n = new_node(p, kind, column);

	if (!n)
		return NULL;
	n->op = op;
	n->left = left;
	n->right = right;
	if (kind == FILTER_ARITH)
		n->stack = left->stack > right->stack + 1 ? left->stack : right->stack + 1;
	return n;
}

/*
 * Copies the token's text with a NUL: tokens point into the filter's text or into joined strings.
 */
static bool copy_text(struct parser *p, struct filter_node *n)
{
	n->text = tdat_arena_strndup(&p->f->arena, p->tok.text, p->tok.len);
	n->len = p->tok.len;
	if (n->text)
		return true;
	p->st = tdat_error_no_memory(p->err, "a filter");
	return false;
}

/* Reads decimal, hexadecimal and octal numbers, as strtoull() with base 0 does. */
static const struct filter_node *parse_number(struct parser *p)
{
	struct filter_node *n = new_node(p, FILTER_NUM, p->column);
	char *end;

	if (!n || !copy_text(p, n))
		return NULL;
	errno = 0;
	n->num = strtoull(n->text, &end, 0);
	if (*end)
		return fail_at(p, n->column, "this is not a number");
	if (errno)
		return fail_at(p, n->column, "the number does not fit in 64 bits");
	next(p);
	return n;
}

/*
 * Reads a word that must be a field, and notes it for model_filter_word(): lib/read/select.c checks
 * that some event has it.
 */
static const struct filter_node *parse_field(struct parser *p)
{
	struct filter_node *n = new_node(p, FILTER_FIELD, p->column);
	struct filter_word *w;

	if (!n || !copy_text(p, n))
		return NULL;
	w = &p->f->words[p->f->word_count++];
	w->text = n->text;
	w->column = n->column;
	next(p);
	return n;
}

/* Reads text in quotes. A single character in single quotes may become a number (as_number). */
static const struct filter_node *parse_string(struct parser *p)
{
	struct filter_node *n = new_node(p, FILTER_STR, p->column);

	if (!n || !copy_text(p, n))
		return NULL;
	n->chr = p->tok.type == MODEL_TOK_SQUOTE;
	next(p);
	return n;
}

static bool is_number(const struct filter_node *n)
{
	return n->kind == FILTER_NUM || n->kind == FILTER_FIELD || n->kind == FILTER_ARITH;
}

/* Returns n as a number. A character of single quotes means its code; NULL: it has no number. */
static const struct filter_node *as_number(struct parser *p, const struct filter_node *n)
{
	struct filter_node *num;

	if (n->kind != FILTER_STR)
		return is_number(n)
			       ? n
			       : fail_at(p, n->column, "a comparison cannot be used as a number");
	if (!n->chr || n->len != 1)
		return fail_at(p, n->column, "a string cannot be used as a number");
	num = new_node(p, FILTER_NUM, n->column);
	if (num)
		num->num = (unsigned char)n->text[0];
	return num;
}

static const struct filter_node *parse_expr(struct parser *p);

/* Reads the rest of a parenthesis, which may hold a whole expression. */
static const struct filter_node *parse_paren(struct parser *p)
{
	const struct filter_node *n;

	next(p);
	n = parse_expr(p);
	if (!n)
		return NULL;
	if (!at(p, MODEL_TOK_DELIM, ")"))
		return expected(p, "')' or an operator");
	next(p);
	return n;
}

/* Makes an arithmetic whose evaluation fits in the stack of model_filter_run(). */
static const struct filter_node *new_arith(struct parser *p, enum filter_op op, size_t column,
					   const struct filter_node *left,
					   const struct filter_node *right)
{
	const struct filter_node *n = new_pair(p, FILTER_ARITH, op, column, left, right);

	return n && n->stack >= FILTER_STACK_MOST
		       ? fail_at(p, column, "the arithmetic is nested too deeply")
		       : n;
}

/* Reads an operand: "-" or "~" and an operand, a parenthesis, a number, a word or a string. */
static const struct filter_node *parse_unary(struct parser *p)
{
	const bool minus = at(p, MODEL_TOK_OP, "-");
	size_t column = p->column;
	const struct filter_node *n, *v;
	struct filter_node *num;

	if (p->depth >= FILTER_NEST_MOST)
		return fail_at(p, p->column, "the expression is nested too deeply");
	if (minus || at(p, MODEL_TOK_OP, "~")) {
		next(p);
		p->depth++;
		v = parse_unary(p);
		p->depth--;
		v = v ? as_number(p, v) : NULL;
		num = v ? new_node(p, FILTER_NUM, column) : NULL;
		if (!num)
			return NULL;
		/*
		 * Constants are negated here, so that "-1" stays a constant that a comparison can
		 * test at once.
		 */
		if (v->kind == FILTER_NUM) {
			num->num = minus ? 0 - v->num : ~v->num;
			num->negative = minus ? !v->negative : v->negative;
			return num;
		}
		/* -x is 0 - x, and ~x is x with all bits flipped. */
		num->num = minus ? 0 : UINT64_MAX;
		return new_arith(p, minus ? FILTER_SUB : FILTER_XOR, column, num, v);
	}
	if (at(p, MODEL_TOK_DELIM, "(")) {
		p->depth++;
		n = parse_paren(p);
		p->depth--;
		return n;
	}
	if (p->tok.type == MODEL_TOK_ITEM)
		return p->tok.text[0] >= '0' && p->tok.text[0] <= '9' ? parse_number(p)
								      : parse_field(p);
	if (p->tok.type == MODEL_TOK_DQUOTE || p->tok.type == MODEL_TOK_SQUOTE)
		return parse_string(p);
	return expected(p, "a field, a number or a string");
}

/*
 * Reads arithmetic whose operators bind at least as tight as level: precedence climbing. Equal
 * levels group from the left, since the right side is read with level + 1.
 */
static const struct filter_node *parse_arith(struct parser *p, uint32_t level)
{
	const struct filter_node *left = parse_unary(p), *right;

	for (;;) {
		uint32_t l;
		enum filter_op op = left ? find_op(&p->tok, &l) : FILTER_OP_NONE;
		size_t column = p->column;

		if (!left || !op || l < level || !l)
			return left;
		left = as_number(p, left);
		if (!left)
			return NULL;
		next(p);
		right = parse_arith(p, l + 1);
		right = right ? as_number(p, right) : NULL;
		if (!right)
			return NULL;
		left = new_arith(p, op, column, left, right);
	}
}

/* Makes the comparison of a field with a string: equal, or a regular expression. */
static const struct filter_node *string_match(struct parser *p, enum filter_op op, size_t column,
					      const struct filter_node *left,
					      const struct filter_node *right)
{
	struct filter_regex *r;
	struct filter_node *n;
	char why[256];

	if (left->kind != FILTER_FIELD)
		return fail_at(p, left->column, "only a field can be compared with a string");
	if (op == FILTER_EQ || op == FILTER_NE)
		return new_pair(p, FILTER_MATCH, op, column, left, right);
	if (op != FILTER_LIKE && op != FILTER_UNLIKE)
		return fail_at(p, column, "only ==, !=, =~ and !~ compare strings");
	r = tdat_arena_alloc(&p->f->arena, sizeof(*r));
	n = new_node(p, FILTER_MATCH, column);
	if (!r || !n)
		return NULL;
	if (!tdat_regex_compile(&r->regex, right->text, REG_ICASE | REG_NOSUB, why, sizeof(why))) {
		p->st = model_filter_fail(p->f, right->column, p->err,
					  "this regular expression cannot be used: %s", why);
		return NULL;
	}
	/*
	 * A second form of the expression is faster for long texts (filter_run.c); not every one
	 * has it.
	 */
	r->has_once = tdat_regex_compile_once(&r->once, right->text, REG_ICASE | REG_NOSUB);
	r->next = p->f->regexes;
	p->f->regexes = r;
	n->op = op;
	n->left = left;
	n->right = right;
	n->regex = r;
	return n;
}

/* Reads a comparison, or arithmetic alone, which is true unless 0. */
static const struct filter_node *parse_cmp(struct parser *p)
{
	const struct filter_node *left = parse_arith(p, 1), *right;
	size_t column = p->column;
	uint32_t level;
	enum filter_op op;

	if (!left)
		return NULL;
	op = find_op(&p->tok, &level);
	if (!op) {
		if (left->kind == FILTER_STR)
			return fail_at(p, left->column, "a string must be compared with something");
		return left;
	}
	next(p);
	right = parse_arith(p, 1);
	if (!right)
		return NULL;
	if (right->kind == FILTER_STR &&
	    !(right->chr && right->len == 1 && op != FILTER_LIKE && op != FILTER_UNLIKE))
		return string_match(p, op, column, left, right);
	if (op == FILTER_LIKE || op == FILTER_UNLIKE)
		return fail_at(p, right->column, "=~ and !~ need a regular expression in quotes");
	left = as_number(p, left);
	right = left ? as_number(p, right) : NULL;
	return right ? new_pair(p, FILTER_CMP, op, column, left, right) : NULL;
}

/* Reads any number of "!" before one comparison: "!a == b" means !(a == b) here. */
static const struct filter_node *parse_term(struct parser *p)
{
	const struct filter_node *n;
	size_t column = p->column;

	if (!at(p, MODEL_TOK_OP, "!"))
		return parse_cmp(p);
	if (p->depth >= FILTER_NEST_MOST)
		return fail_at(p, p->column, "the expression is nested too deeply");
	next(p);
	p->depth++;
	n = parse_term(p);
	p->depth--;
	return n ? new_pair(p, FILTER_NOT, FILTER_OP_NONE, column, NULL, n) : NULL;
}

/*
 * Reads terms joined by && and ||. Both have one precedence and group from the left, as in
 * libtraceevent: "a || b && c" means (a || b) && c.
 */
static const struct filter_node *parse_expr(struct parser *p)
{
	const struct filter_node *left = parse_term(p), *right;

	while (left) {
		bool and = at(p, MODEL_TOK_OP, "&&");
		size_t column = p->column;

		if (!and&&!at(p, MODEL_TOK_OP, "||"))
			return left;
		next(p);
		right = parse_term(p);
		left = right ? new_pair(p, and? FILTER_AND : FILTER_OR, FILTER_OP_NONE, column,
					left, right)
			     : NULL;
	}
	return NULL;
}

/* Parses the text from pos on into f->expr. The whole rest must be one expression. */
enum tdat_status model_filter_parse(struct model_filter *f, size_t pos, struct tdat_error *err)
{
	struct parser p = {.f = f, .base = pos, .st = TDAT_OK, .err = err};
	size_t len = strlen(f->text + pos);

	/* Words have a byte at least and something between them. */
	f->words = tdat_arena_array(&f->arena, len / 2 + 1, sizeof(*f->words));
	if (!f->words)
		return tdat_error_no_memory(err, "a filter");
	p.lex = model_lex_init(f->text + pos, len, &f->arena);
	next(&p);
	f->expr = parse_expr(&p);
	if (f->expr && (p.tok.type != MODEL_TOK_NONE || p.bad))
		expected(&p, "an operator");
	if (p.st == TDAT_OK && !f->expr)
		p.st = tdat_error_no_memory(err, "a filter");
	return p.st;
}

/* Makes a usage error that quotes the filter and names the column, from 1. */
enum tdat_status model_filter_fail(const struct model_filter *f, size_t column,
				   struct tdat_error *err, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "filter '%.160s', column %zu: %s",
			      f->text, column, what);
}
