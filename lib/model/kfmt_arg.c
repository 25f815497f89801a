/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses one argument of a print fmt as C. The kernel's preprocessor made it, so it was C once;
 * the text of a format file may still be anything. An argument that is not understood becomes a
 * KN_BAD with the fields that it names. Called by kfmt_parse.c for each argument.
 */
#include "kfmt_arg.h"

#include "kfmt_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Levels of brackets, and of nodes: a chain such as a | b | c has one for each operator. Formats of
 * real kernels need 30 and 90. Readers of trees are recursive, so depth must be bounded.
 */
enum { DEPTH_MOST = 120, NODES_DEEP = 400 };

/* A name that a statement expression declared. */
struct local {
	struct local *next;
	const char *name;
	size_t len;
	struct kn *value;
};

/* The state of parsing one argument: recursive descent with one token of look-ahead. */
struct parser {
	const struct tdat_event_format *format;
	struct tdat_arena *arena;
	struct klex lex;
	struct ktok tok;
	struct local *locals;
	unsigned depth;
	bool nomem;
	bool as_written; /* see kfmt_parse_written() */
	bool too_deep;
	char why[96]; /* of the first failure in this argument */
};

static struct kn *fail(struct parser *p, const char *fmt, ...) TDAT_PRINTF(2, 3);

/*
 * Notes why the argument is not understood. The first reason is kept: later ones follow from it.
 * Always NULL.
 */
static struct kn *fail(struct parser *p, const char *fmt, ...)
{
	va_list args;

	if (p->why[0])
		return NULL;
	va_start(args, fmt);
	vsnprintf(p->why, sizeof(p->why), fmt, args);
	va_end(args);
	return NULL;
}

static struct kn *fail_deep(struct parser *p)
{
	p->too_deep = true;
	return fail(p, "it is nested deeper than %d levels", DEPTH_MOST);
}

static struct kn *unexpected(struct parser *p)
{
	if (p->tok.kind == KT_END)
		return fail(p, "it ends too early");
	return fail(p, "unexpected '%.*s'", (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
}

/*
 * Reads the next token. As written: text of several lines and ++ or -- are refused
 * (kfmt_parse_written()).
 */
static void next(struct parser *p)
{
	const char *from = p->lex.p;

	p->tok = klex_next(&p->lex);
	if (!p->as_written)
		return;
	if (memchr(from, '\n', (size_t)(p->tok.text - from)) ||
	    ((p->tok.op == '+' || p->tok.op == '-') && p->lex.p < p->lex.end &&
	     *p->lex.p == p->tok.op))
		p->tok.kind = KT_BAD;
}

static bool is_op(const struct parser *p, int op)
{
	return p->tok.kind == KT_OP && p->tok.op == op;
}

static bool is_name(const struct parser *p, const char *name)
{
	return p->tok.kind == KT_NAME && p->tok.len == strlen(name) &&
	       !memcmp(p->tok.text, name, p->tok.len);
}

static bool want(struct parser *p, int op)
{
	if (!is_op(p, op)) {
		unexpected(p);
		return false;
	}
	next(p);
	return true;
}

/* Makes a zeroed node in the arena. text is never NULL, so it can be compared without a check. */
static struct kn *node(struct parser *p, enum kn_kind kind)
{
	struct kn *n = tdat_arena_alloc(p->arena, sizeof(*n));

	if (!n) {
		p->nomem = true;
		return fail(p, "no memory");
	}
	n->kind = kind;
	n->text = "";
	return n;
}

/*
 * Sets n->depth once its parts are set. NULL: too deep. Each recursive reader of trees relies on
 * the bound.
 */
static struct kn *grown(struct parser *p, struct kn *n)
{
	const struct kn *parts[] = {n->a, n->b, n->c};

	for (int i = 0; i < 3; i++)
		if (parts[i] && n->depth <= parts[i]->depth)
			n->depth = (uint16_t)(parts[i]->depth + 1);
	for (const struct kn *arg = n->args; arg; arg = arg->next)
		if (n->depth <= arg->depth)
			n->depth = (uint16_t)(arg->depth + 1);
	return n->depth <= NODES_DEEP ? n : fail_deep(p);
}

static bool set_text(struct parser *p, struct kn *n, const char *text, size_t len)
{
	n->text = tdat_arena_strndup(p->arena, text, len);
	n->len = len;
	p->nomem |= !n->text;
	return n->text != NULL;
}

static struct kn *parse_expr(struct parser *p);
static struct kn *parse_operand(struct parser *p);

/* ---- types ---- */

/* True if the token begins a type: a keyword of C or a type that the kernel is known to define. */
static bool is_type_word(const struct parser *p)
{
	/* ktype_named() knows all other words that may begin a type. */
	static const char *const words[] = {"const",  "volatile",   "typeof",
					    "static", "__typeof__", "__auto_type"};
	struct ktype t;

	if (p->tok.kind != KT_NAME)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_name(p, words[i]))
			return true;
	return ktype_named(&t, p->tok.text, p->tok.len, p->format->long_size);
}

/*
 * Skips the rest of a bracket that was just opened, and its end. The kinds of brackets need not
 * match: kfmt_parse.c checked that they balance.
 */
static bool skip_brackets(struct parser *p)
{
	unsigned open = 1;

	while (open) {
		if (p->tok.kind == KT_END)
			return unexpected(p), false;
		open += is_op(p, '(') || is_op(p, '[') || is_op(p, '{');
		open -= is_op(p, ')') || is_op(p, ']') || is_op(p, '}');
		next(p);
	}
	return true;
}

/*
 * Reads a type up to whatever ends it. *known is false for typeof(x) and __auto_type, whose type is
 * that of a value: such casts change nothing. It is also false for types that nobody here knows.
 */
static bool parse_type(struct parser *p, struct kn *n, bool *known)
{
	const char *start = p->tok.text, *end = start;

	*known = true;
	while (p->tok.kind == KT_NAME || is_op(p, '*') || is_op(p, '{')) {
		if (is_op(p, '{') || is_name(p, "typeof") || is_name(p, "__typeof__") ||
		    is_name(p, "__auto_type")) {
			const bool bare = is_name(p, "__auto_type");

			if (!is_op(p, '{'))
				*known = false;
			next(p);
			if (!bare && is_op(p, '('))
				next(p);
			if (!bare && !skip_brackets(p))
				return false;
			continue;
		}
		end = p->tok.text + p->tok.len;
		next(p);
	}
	if (*known)
		*known = ktype_named(&n->type, start, (size_t)(end - start), p->format->long_size);
	return !p->as_written || set_text(p, n, start, (size_t)(p->tok.text - start));
}

/*
 * True if the bracket that was just opened holds a type: a cast, or the operand of sizeof. "(name)"
 * alone is ambiguous without declarations; the token behind it decides.
 */
static bool holds_type(struct parser *p)
{
	struct parser ahead = *p;
	struct ktok after;

	if (is_type_word(p))
		return true;
	if (p->tok.kind != KT_NAME)
		return false;
	next(&ahead);
	while (is_op(&ahead, '*'))
		next(&ahead);
	if (!is_op(&ahead, ')'))
		return false;
	after = klex_next(&ahead.lex);
	/*
	 * Before "(", "~" or "!" only a name that ends in _t is a type: "(a) (b)" may call a
	 * function.
	 */
	return after.kind == KT_NAME || after.kind == KT_NUM ||
	       (p->as_written && after.op == '(') ||
	       (after.kind == KT_OP && strchr("(~!", after.op) && after.op < KOP_SHL &&
		p->tok.len > 2 && !memcmp(p->tok.text + p->tok.len - 2, "_t", 2));
}

/* ---- statement expressions: ({ TYPE NAME = VALUE; ... VALUE; }) ---- */

/*
 * Skips a statement that computes nothing, up to its ";": BUILD_BUG_ON() and typecheck() expand to
 * some.
 */
static bool skip_statement(struct parser *p)
{
	while (!is_op(p, ';')) {
		const bool opens = is_op(p, '(') || is_op(p, '[') || is_op(p, '{');

		if (p->tok.kind == KT_END)
			return unexpected(p), false;
		next(p);
		if (opens && !skip_brackets(p))
			return false;
	}
	next(p);
	return true;
}

/* True at the first word of a statement that has no value. */
static bool is_assertion(const struct parser *p)
{
	return is_name(p, "do") || is_name(p, "if") || is_name(p, "while") ||
	       is_name(p, "extern") || is_name(p, "__attribute__") || is_name(p, "_Static_assert");
}

/*
 * Reads "TYPE NAME = VALUE;" and keeps the value under its name. min(), max() and swab() of the
 * kernel expand to these. A type that is known becomes a cast of the value.
 */
static bool parse_declaration(struct parser *p)
{
	struct local *l = tdat_arena_alloc(p->arena, sizeof(*l));
	const char *start = p->tok.text, *end = start;
	struct ktype type;
	struct kn *cast;

	if (!l) {
		p->nomem = true;
		return false;
	}
	while (p->tok.kind == KT_NAME || is_op(p, '*')) {
		end = l->name ? l->name : start; /* the last word is the name */
		l->name = p->tok.text;
		l->len = p->tok.len;
		next(p);
		if (is_op(p, '(')) { /* of typeof */
			next(p);
			if (!skip_brackets(p))
				return false;
		}
	}
	end = l->name ? l->name : start;
	if (!want(p, '='))
		return false;
	l->value = parse_expr(p);
	if (!l->value || !want(p, ';'))
		return false;
	if (ktype_named(&type, start, (size_t)(end - start), p->format->long_size)) {
		cast = node(p, KN_CAST);
		if (!cast)
			return false;
		cast->type = type;
		cast->a = l->value;
		l->value = grown(p, cast);
		if (!l->value)
			return false;
	}
	l->next = p->locals;
	p->locals = l;
	return true;
}

/* True if two words follow each other, perhaps with stars between them: a type and a name. */
static bool is_declaration(const struct parser *p)
{
	struct parser ahead = *p;

	if (is_type_word(p))
		return true;
	if (p->tok.kind != KT_NAME)
		return false;
	next(&ahead);
	while (is_op(&ahead, '*'))
		next(&ahead);
	return ahead.tok.kind == KT_NAME;
}

/*
 * Reads the rest of a statement expression behind "({". Its value is that of the last statement,
 * and its names end with it.
 */
static struct kn *parse_statements(struct parser *p)
{
	struct local *outer = p->locals;
	struct kn *value = NULL;

	while (!is_op(p, '}')) {
		if (is_assertion(p)) {
			if (!skip_statement(p))
				return NULL;
		} else if (is_declaration(p)) {
			if (!parse_declaration(p))
				return NULL;
		} else {
			value = parse_expr(p);
			if (!value || !want(p, ';'))
				return NULL;
		}
	}
	p->locals = outer;
	next(p);
	if (!want(p, ')'))
		return NULL;
	return value ? value : fail(p, "it has a statement expression without a value");
}

/* ---- primaries ---- */

/* Reads adjacent strings as one. The room is counted first, since arena memory does not grow. */
static struct kn *parse_strings(struct parser *p)
{
	struct kn *n = node(p, KN_STR);
	struct klex ahead = p->lex;
	size_t room = p->tok.len;
	char *text;

	if (!n)
		return NULL;
	for (struct ktok t = klex_next(&ahead); t.kind == KT_STR; t = klex_next(&ahead))
		room += t.len;
	text = tdat_arena_alloc(p->arena, room + 1);
	if (!text) {
		p->nomem = true;
		return fail(p, "no memory");
	}
	for (; p->tok.kind == KT_STR; next(p)) {
		if (p->as_written)
			memcpy(text + n->len, p->tok.text, p->tok.len);
		n->len += p->as_written ? p->tok.len
					: klex_unescape(text + n->len, p->tok.text, p->tok.len);
	}
	n->text = text;
	return n;
}

/*
 * Reads a list up to end, which is ")" of a call or "}" of a table's entry; *list gets the nodes.
 */
static bool parse_args(struct parser *p, struct kn **list, int end)
{
	while (!is_op(p, end)) {
		struct kn *arg;

		if (is_op(p, '{')) {
			/*
			 * { value, "name" } of __print_flags() and __print_symbolic(). Lists nest,
			 * so they count as a level.
			 */
			arg = p->depth < DEPTH_MOST ? node(p, KN_LIST) : fail_deep(p);
			p->depth++;
			next(p);
			if (!arg || !parse_args(p, &arg->args, '}') || !grown(p, arg))
				return false;
			p->depth--;
		} else {
			arg = parse_expr(p);
		}
		if (!arg)
			return false;
		/* A local may stand in several lists: each needs a link of its own. */
		if (arg->next || list == &arg->next) {
			struct kn *copy = node(p, arg->kind);

			if (!copy)
				return false;
			*copy = *arg;
			copy->next = NULL;
			arg = copy;
		}
		*list = arg;
		list = &arg->next;
		if (!is_op(p, ',') && !is_op(p, end))
			return unexpected(p), false;
		if (!is_op(p, ','))
			continue;
		next(p);
		if (p->as_written && is_op(p, end) && arg->kind != KN_LIST)
			return unexpected(p), false;
	}
	next(p);
	return true;
}

/* Reads sizeof x, sizeof(x) and sizeof(TYPE). */
static struct kn *parse_sizeof(struct parser *p)
{
	struct kn *n = node(p, KN_SIZEOF);
	bool known;

	next(p);
	if (!n || !is_op(p, '(')) {
		if (n && p->as_written)
			return unexpected(p);
		if (n)
			n->a = parse_operand(p);
		return n && n->a ? grown(p, n) : NULL;
	}
	next(p);
	if (!holds_type(p)) {
		n->a = parse_expr(p);
		return n->a && want(p, ')') ? grown(p, n) : NULL;
	}
	if (!parse_type(p, n, &known) || !want(p, ')'))
		return NULL;
	return known || p->as_written ? n : fail(p, "the size of a type is not known");
}

/*
 * Reads a function of the compiler, whose arguments may be types and are skipped. As KN_NUM it is
 * 0: no field is a compile-time constant. As KN_NAME it is a name without a value.
 */
static struct kn *parse_builtin(struct parser *p, enum kn_kind kind)
{
	struct kn *n = node(p, kind);

	if (!n || !set_text(p, n, p->tok.text, p->tok.len))
		return NULL;
	next(p);
	if (!want(p, '(') || !skip_brackets(p))
		return NULL;
	n->type = (struct ktype){.len = 4, .is_signed = true};
	return n;
}

/* Reads a name: sizeof, a local, a call, or a constant of the kernel. */
static struct kn *parse_name(struct parser *p)
{
	struct kn *n;

	if (is_name(p, "sizeof"))
		return parse_sizeof(p);
	if (!p->as_written && is_name(p, "__builtin_constant_p"))
		return parse_builtin(p, KN_NUM);
	if (!p->as_written && is_name(p, "__builtin_types_compatible_p"))
		return parse_builtin(p, KN_NAME);
	/* The innermost declaration comes first in the list. */
	for (struct local *l = p->locals; l; l = l->next) {
		if (l->len == p->tok.len && !memcmp(l->name, p->tok.text, l->len)) {
			next(p);
			return l->value;
		}
	}
	n = node(p, KN_NAME);
	if (!n || !set_text(p, n, p->tok.text, p->tok.len))
		return NULL;
	next(p);
	if (!is_op(p, '('))
		return n;
	n->kind = KN_CALL;
	next(p);
	return parse_args(p, &n->args, ')') ? grown(p, n) : NULL;
}

/* Reads "(": a statement expression, an expression in parentheses, or a cast. */
static struct kn *parse_paren(struct parser *p)
{
	struct kn *n;
	bool known;

	next(p);
	if (is_op(p, '{') && !p->as_written) {
		next(p);
		return parse_statements(p);
	}
	if (!holds_type(p)) {
		struct kn *paren = p->as_written ? node(p, KN_PAREN) : NULL;

		n = parse_expr(p);
		if (!n || !want(p, ')'))
			return NULL;
		if (!paren)
			return n;
		paren->a = n;
		return grown(p, paren);
	}
	n = node(p, KN_CAST);
	if (!n || !parse_type(p, n, &known) || !want(p, ')'))
		return NULL;
	/* "(TYPE){...}" has no value that a recording holds. */
	if (is_op(p, '{'))
		return fail(p, "it has a compound literal");
	n->a = parse_operand(p);
	if (!n->a)
		return NULL;
	return known || p->as_written ? grown(p, n) : n->a;
}

/* Reads an operand without operators. */
static struct kn *parse_primary(struct parser *p)
{
	struct kn *n;

	switch (p->tok.kind) {
	case KT_NAME:
		return parse_name(p);
	case KT_STR:
		return parse_strings(p);
	case KT_NUM:
	case KT_CHAR:
		n = node(p, KN_NUM);
		if (!n || (p->as_written && !set_text(p, n, p->tok.text, p->tok.len)))
			return NULL;
		n->op = p->tok.kind == KT_CHAR ? '\'' : 0;
		if (!p->as_written &&
		    !ktok_number(&p->tok, p->format->long_size, &n->num, &n->type))
			return unexpected(p);
		next(p);
		return n;
	case KT_OP:
		return is_op(p, '(') ? parse_paren(p) : unexpected(p);
	case KT_END:
	case KT_BAD:
		break;
	}
	return unexpected(p);
}

/*
 * Reads "->name" or ".name". REC is the record: REC->name is a field of the event; others are
 * members of structures that the format does not describe.
 */
static struct kn *parse_member(struct parser *p, struct kn *of)
{
	struct kn *n = of, *whole = of;

	while (n->kind == KN_PAREN)
		n = n->a;
	if (n->kind == KN_NAME && !strcmp(n->text, "REC") && is_op(p, KOP_ARROW)) {
		n->kind = KN_FIELD; /* (REC)->x is (REC->x) */
	} else {
		whole = n = node(p, KN_DOT);
		if (!n)
			return NULL;
		n->a = of;
	}
	next(p);
	if (p->tok.kind != KT_NAME && p->tok.kind != KT_NUM) /* user events: REC->1a */
		return unexpected(p);
	if (!set_text(p, n, p->tok.text, p->tok.len) || !grown(p, n))
		return NULL;
	if (n->kind == KN_FIELD)
		n->field = tdat_event_format_field(p->format, n->text);
	next(p);
	return whole;
}

/* Reads an operand with its members and indexes. */
static struct kn *parse_postfix(struct parser *p)
{
	struct kn *n = parse_primary(p), *of;

	while (n) {
		if (is_op(p, KOP_ARROW) || is_op(p, '.')) {
			n = parse_member(p, n);
		} else if (is_op(p, '[')) {
			of = n;
			n = node(p, KN_INDEX);
			next(p);
			if (!n)
				return NULL;
			n->a = of;
			n->b = parse_expr(p);
			if (!n->b || !want(p, ']'))
				return NULL;
			n = grown(p, n);
		} else {
			return n;
		}
	}
	return NULL;
}

/* Reads "-x", "+x", "!x", "~x", "*x" or "&x"; others are operands. */
static struct kn *parse_unary(struct parser *p)
{
	struct kn *n;

	if (p->tok.kind != KT_OP || p->tok.op >= KOP_SHL || !strchr("-+!~*&", p->tok.op))
		return parse_postfix(p);
	n = node(p, KN_UNARY);
	if (!n)
		return NULL;
	n->op = p->tok.op;
	next(p);
	n->a = parse_operand(p);
	return n->a ? grown(p, n) : NULL;
}

/*
 * Reads the operand of a unary operator, a cast or sizeof. It counts the level, so "-----x" of any
 * length stays within the stack.
 */
static struct kn *parse_operand(struct parser *p)
{
	struct kn *n;

	if (++p->depth > DEPTH_MOST)
		return fail_deep(p);
	n = parse_unary(p);
	p->depth--;
	return n;
}

/* ---- operators ---- */

/* C's binding strength, higher binds stronger; 0: not a binary operator. */
static int strength(const struct parser *p)
{
	const struct print_operator *o = p->tok.kind == KT_OP ? operator_of(p->tok.op) : NULL;

	return o && o->plain ? o->strength : 0;
}

/*
 * Reads operators of at least that strength by precedence climbing; equal ones group from the left.
 */
static struct kn *parse_binary(struct parser *p, int least)
{
	struct kn *left = parse_unary(p), *n;
	int s;

	while (left && (s = strength(p)) >= least && s) {
		n = node(p, KN_BINARY);
		if (!n)
			return NULL;
		n->op = p->tok.op;
		next(p);
		n->a = left;
		n->b = parse_binary(p, s + 1);
		if (!n->b)
			return NULL;
		left = grown(p, n);
	}
	return left;
}

/* Reads an expression: "a ? b : c", GCC's "a ?: c", or one without a choice. */
static struct kn *parse_expr_inner(struct parser *p)
{
	struct kn *n, *cond = parse_binary(p, 1);

	if (!cond || !is_op(p, '?'))
		return cond;
	n = node(p, KN_COND);
	next(p);
	if (!n)
		return NULL;
	n->a = cond;
	n->b = is_op(p, ':') ? cond : parse_expr(p);
	if (!n->b || !want(p, ':'))
		return NULL;
	n->c = parse_expr(p);
	return n->c ? grown(p, n) : NULL;
}

/* Reads an expression, and counts the level. */
static struct kn *parse_expr(struct parser *p)
{
	struct kn *n;

	if (++p->depth > DEPTH_MOST)
		return fail_deep(p);
	n = parse_expr_inner(p);
	p->depth--;
	return n;
}

/*
 * Collects the fields that an argument names as REC->field. They are printed in place of an
 * argument that is not understood (K_BRACES). False: no memory.
 */
static bool name_fields(struct parser *p, struct kn *bad, const char *text, size_t len)
{
	struct klex lex = {text, text + len};
	struct kn **list = &bad->args;
	struct ktok a = klex_next(&lex), b = klex_next(&lex);

	for (; b.kind != KT_END; a = b, b = klex_next(&lex)) {
		struct kn *n;

		if (b.op != KOP_ARROW || a.kind != KT_NAME || a.len != 3 ||
		    memcmp(a.text, "REC", 3) != 0)
			continue;
		b = klex_next(&lex);
		if (b.kind != KT_NAME)
			continue;
		n = node(p, KN_FIELD);
		if (!n || !set_text(p, n, b.text, b.len))
			return false;
		n->field = tdat_event_format_field(p->format, n->text);
		*list = n;
		list = &n->next;
	}
	return true;
}

struct kn *kfmt_arg_parse(const struct tdat_event_format *format, struct tdat_arena *arena,
			  bool as_written, struct tdat_span text, bool *too_deep)
{
	struct parser p = {.format = format, .arena = arena, .as_written = as_written};
	const char *start = (const char *)text.ptr;
	struct kn *n;

	p.lex = (struct klex){start, start + text.len};
	next(&p);
	n = parse_expr(&p);
	if (n && p.tok.kind != KT_END)
		n = unexpected(&p);
	*too_deep |= p.too_deep;
	if (n || p.nomem)
		return n;
	n = node(&p, KN_BAD);
	if (!n || !set_text(&p, n, p.why, strlen(p.why)) || !name_fields(&p, n, start, text.len))
		return NULL;
	return n;
}
