/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the tree that libtraceevent makes of a print fmt, out of that of the kernel (kfmt.h).
 * libtraceevent does not read C by C's rules: here each bracket is laid out again as the values and
 * operators of its text, and libtraceevent's rules join these from left to right. Print fmts that
 * it cannot parse are refused. A function that reads a part leaves the rest in p->tok, and returns
 * false if libtraceevent refuses the part.
 */
#include "print_ast.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kfmt_lex.h"
#include "lex.h"
#include "expr_op.h"

/* Nesting and operator chains; both are recursion. Real formats stay below 100. */
enum { PARSE_DEPTH = 1000 };

/* A part of what is between two brackets or commas. */
struct tok {
	const char *op;	     /* NULL: a cast or a value */
	const char *cast;    /* its type, or NULL */
	const struct kn *kn; /* a value, or the index behind "[" */
	const struct tok *next;
};

/* The state of one print fmt; tok is the next part of the innermost bracket. */
struct parser {
	const struct tok *tok; /* NULL: no further one */
	const struct tdat_event_format *format;
	struct ast_print *out;
	struct tdat_arena *arena;
	unsigned depth;
	bool plugins; /* functions of plugins are known */
};

/* Parts that may follow the first value of an argument. */
enum more {
	BARE,  /* nothing, and no operator stands before it */
	ALONE, /* nothing */
	OPS,   /* operators */
	FOLDED /* operators, and operations on constants become constants */
};

static bool fail(struct parser *p, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* Notes why libtraceevent cannot parse it; the first reason is kept. Always false. */
static bool fail(struct parser *p, const char *fmt, ...)
{
	va_list args;

	if (!p->out->why[0]) {
		va_start(args, fmt);
		vsnprintf(p->out->why, sizeof(p->out->why), fmt, args);
		va_end(args);
	}
	return false;
}

/* Returns zeroed memory of the arena. NULL: none, which is not a fault of the format. */
static void *alloc(struct parser *p, size_t n)
{
	void *mem = tdat_arena_alloc(p->arena, n);

	if (!mem) {
		p->out->nomem = true;
		fail(p, "no memory");
	}
	return mem;
}

static struct ast *new_node(struct parser *p)
{
	return alloc(p, sizeof(struct ast));
}

/* Makes n the word of a number: libtraceevent keeps constants as text. */
static bool set_number(struct parser *p, struct ast *n, long long v)
{
	char number[24];
	const int len = snprintf(number, sizeof(number), "%lld", v);

	n->type = AST_ATOM;
	n->text = tdat_arena_strndup(p->arena, number, (size_t)len);
	p->out->nomem |= !n->text;
	return n->text != NULL;
}

/* ---- from trees to the text's order ---- */

/* Returns the text of an operator, "." for those that libtraceevent does not know. */
static const char *op_text(int op)
{
	const struct print_operator *o = operator_of(op);

	return o ? o->text : ".";
}

/* Returns the strength of an operator, -1 for unknown ones. */
static int op_prio(const char *op)
{
	const struct print_operator *o = operator_named(op, strlen(op));

	return o ? 16 - o->strength : -1;
}

/* Appends a part to the list that *tail ends. */
static bool add(struct parser *p, const struct tok ***tail, struct tok tok)
{
	struct tok *t = alloc(p, sizeof(*t));

	if (!t)
		return false;
	*t = tok;
	**tail = t;
	*tail = &t->next;
	return true;
}

/*
 * Lays out the parts that n was made of in the order of the text. Only what C's precedence joined
 * is undone: brackets stay one value.
 */
static bool flatten(struct parser *p, const struct kn *n, const struct tok ***tail)
{
	switch (n->kind) {
	case KN_BINARY:
		return flatten(p, n->a, tail) && add(p, tail, (struct tok){.op = op_text(n->op)}) &&
		       flatten(p, n->b, tail);
	case KN_COND:
		return flatten(p, n->a, tail) && add(p, tail, (struct tok){.op = "?"}) &&
		       /* "a ?: c" has no middle part. */
		       (n->b == n->a || flatten(p, n->b, tail)) &&
		       add(p, tail, (struct tok){.op = ":"}) && flatten(p, n->c, tail);
	case KN_UNARY:
		return add(p, tail, (struct tok){.op = op_text(n->op)}) && flatten(p, n->a, tail);
	case KN_CAST:
		return add(p, tail, (struct tok){.cast = n->text}) && flatten(p, n->a, tail);
	case KN_DOT:
		return flatten(p, n->a, tail) && add(p, tail, (struct tok){.op = "."});
	case KN_INDEX:
		return flatten(p, n->a, tail) && add(p, tail, (struct tok){.op = "[", .kn = n->b});
	default:
		return add(p, tail, (struct tok){.kn = n});
	}
}

static bool is_op(const struct parser *p, const char *op)
{
	return p->tok && p->tok->op && !strcmp(p->tok->op, op);
}

static bool parse_token(struct parser *p, struct ast *n);
static bool parse_op(struct parser *p, struct ast *n);
static bool consolidate(struct parser *p, struct ast *n);

/*
 * Makes n the whole of kn; nothing may be left over. The parts of the outer bracket are kept
 * meanwhile.
 */
static bool parse_arg(struct parser *p, const struct kn *kn, struct ast *n, enum more more)
{
	const struct tok *outer = p->tok, **tail = &p->tok;

	p->tok = NULL;
	if (!n || !flatten(p, kn, &tail))
		return false;
	if (more == BARE && p->tok->op)
		return fail(p, "unexpected '%s'", p->tok->op);
	if (!parse_token(p, n))
		return false;
	if (p->tok && more > ALONE && (!parse_op(p, n) || (more == FOLDED && !consolidate(p, n))))
		return false;
	if (p->tok)
		return fail(p, "unexpected '%s'", p->tok->op);
	p->tok = outer;
	return true;
}

/* ---- operators ---- */

/* Reads "left : right" behind "cond ?". Both arms hang below one node, as in libtraceevent. */
static bool parse_cond(struct parser *p, struct ast *top)
{
	struct ast *arms = new_node(p), *left = new_node(p), *right = new_node(p);

	if (!arms || !left || !right || !parse_token(p, left))
		return false;
	while (p->tok && !is_op(p, ":"))
		if (!parse_op(p, left))
			return false;
	if (!p->tok)
		return fail(p, "'?' without ':'");
	p->tok = p->tok->next;
	arms->type = AST_OP;
	arms->text = ":";
	arms->a = left;
	arms->b = right;
	top->b = arms;
	return parse_token(p, right);
}

/* Reads the operand of a unary operator. libtraceevent gives it an empty left side. */
static bool parse_unary(struct parser *p, struct ast *n, const char *op, struct ast **right)
{
	if (op[1] || !strchr("~!+-", op[0]))
		return fail(p, "bad operator '%s'", op);
	n->text = op;
	n->a = new_node(p); /* AST_NULL */
	n->b = *right = new_node(p);
	return n->a && n->b && parse_token(p, n->b);
}

/* Makes n "old n OP nothing yet". */
static bool push_left(struct parser *p, struct ast *n, const char *op)
{
	struct ast *left = new_node(p);

	if (!left)
		return false;
	*left = *n;
	left->next = NULL;
	memset(n, 0, sizeof(*n));
	n->type = AST_OP;
	n->text = op;
	n->a = left;
	return true;
}

/*
 * Reads "n OP value". If the right side is an operation that binds weaker, the two change places,
 * even out of parentheses: libtraceevent's trees are wrong there in the same way.
 */
static bool parse_binary(struct parser *p, struct ast *n, const char *op, struct ast **right)
{
	struct ast old, *r;

	if (!push_left(p, n, op))
		return false;
	n->prio = op_prio(op);
	*right = r = new_node(p);
	if (!r || !parse_token(p, r))
		return false;
	if (r->type == AST_OP && op_prio(n->text) < op_prio(r->text)) {
		n->b = r->a;
		old = *n;
		*n = *r;
		*r = old;
		n->a = r;
	} else {
		n->b = r;
	}
	return true;
}

/* Applies the operator in p->tok to n, and those after it. */
static bool parse_op_inner(struct parser *p, struct ast *n)
{
	const struct tok *tok = p->tok;
	const char *op = tok->op;
	struct ast *right = NULL;
	bool ok;

	p->tok = tok->next;
	if (n->type == AST_OP && !n->a)
		ok = parse_unary(p, n, op, &right);
	else if (!strcmp(op, "?"))
		ok = push_left(p, n, op) && parse_cond(p, n);
	else if (!strcmp(op, "["))
		ok = push_left(p, n, op) && (n->b = new_node(p)) &&
		     parse_arg(p, tok->kn, n->b, BARE);
	/* 4 is the strength of ~ and !, which have no left side. */
	else if (op_prio(op) > 4)
		ok = parse_binary(p, n, op, &right);
	else
		return fail(p, "unknown operator '%s'", op);
	if (!ok || !p->tok || is_op(p, ":"))
		return ok;
	if (op_prio(p->tok->op) < 0)
		return fail(p, "unknown operator '%s'", p->tok->op);
	/* A stronger operator takes the right side alone, a weaker one the whole. */
	return parse_op(p, op_prio(p->tok->op) > n->prio || !right ? n : right);
}

/* Counts one level of recursion. False: too deep. */
static bool enter(struct parser *p)
{
	if (p->depth >= PARSE_DEPTH) {
		p->out->too_deep = true;
		return fail(p, "it is nested deeper than %d levels", PARSE_DEPTH);
	}
	if (++p->depth > p->out->deepest)
		p->out->deepest = p->depth;
	return true;
}

static bool parse_op(struct parser *p, struct ast *n)
{
	bool ok = enter(p) && parse_op_inner(p, n);

	p->depth -= ok;
	return ok;
}

/* Replaces operations on two words by one word, as libtraceevent prints it by %lld. */
static bool consolidate(struct parser *p, struct ast *n)
{
	unsigned op;
	uint64_t a, b;

	if (n->type != AST_OP)
		return true;
	if ((n->a && !consolidate(p, n->a)) || (n->b && !consolidate(p, n->b)))
		return false;
	if (!n->a || !n->b || n->a->type != AST_ATOM || n->b->type != AST_ATOM)
		return true;
	op = n->text[0] == '^' ? X_XOR : expr_operator(n->text);
	a = strtoull(n->a->text, NULL, 0);
	b = strtoull(n->b->text, NULL, 0);
	if (!op || ((op == X_DIV || op == X_MOD) && !b))
		return true;
	return set_number(p, n, (long long)expr_apply(op, a, b));
}

/* ---- tables ---- */

/* libtraceevent knows these types by name and ignores their sign; others leave the value alone. */
uint64_t parse_cast_mask(const char *type)
{
	static const char names[][6] = {"u8",	 "s8",	"char", "u16", "s16",
					"short", "u32", "s32",	"int"};
	size_t i = 0;

	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	while (i < 9 && strcmp(names[i], type) != 0)
		i++;
	return i < 3 ? 0xff : i < 6 ? 0xffff : i < 9 ? 0xffffffff : UINT64_MAX;
}

/*
 * Evaluates one half of { value, "text" }. Words are numbers as strtoll() reads them, so names are
 * 0.
 */
static bool constant(struct parser *p, const struct ast *n, uint64_t *out)
{
	unsigned op;
	uint64_t a = 0;

	if (n->type == AST_ATOM) {
		*out = (uint64_t)strtoll(n->text, NULL, 0);
		return true;
	}
	if (n->type == AST_TYPE) {
		if (!constant(p, n->a, out))
			return false;
		*out &= parse_cast_mask(n->text);
		return true;
	}
	if (n->type != AST_OP)
		return fail(p, "a table entry is not a constant");
	if (n->a->type == AST_NULL ? n->text[0] == '!' : !constant(p, n->a, &a))
		return fail(p, "unexpected '%s' in a table", n->text);
	if (!n->b || !constant(p, n->b, out))
		return fail(p, "unexpected '%s' in a table", n->text);
	/*
	 * It computes with signed numbers here: each operation from X_SHR to X_GE has a signed one
	 * at the same distance.
	 */
	op = expr_operator(n->text);
	if (n->text[0] == '~')
		*out = ~*out;
	/* libtraceevent evaluates no products in tables. */
	else if (!op || strchr("*/%", n->text[0]))
		return fail(p, "unexpected '%s' in a table", n->text);
	else
		*out = expr_apply(op >= X_SHR && op <= X_GE ? op + X_SAR - X_SHR : op, a, *out);
	return true;
}

/*
 * Reads one half of a table's entry: a word as it stands, or a number that is computed. NULL: it is
 * neither.
 */
static const char *half(struct parser *p, const struct kn *kn, enum more more)
{
	struct ast whole = {0}, *n = &whole;
	uint64_t v;

	if (!parse_arg(p, kn, n, more))
		return NULL;
	while (n->type == AST_TYPE)
		n = n->a;
	if (n->type != AST_ATOM && (!constant(p, n, &v) || !set_number(p, n, (long long)v)))
		return NULL;
	return n->text;
}

/* Reads __print_flags() and __print_symbolic(). */
static bool call_table(struct parser *p, struct ast *n, const struct kn *arg)
{
	struct ast_pair **list = &n->pairs;

	n->a = new_node(p);
	if (!parse_arg(p, arg, n->a, OPS))
		return false;
	arg = arg->next;
	if (arg && n->type == AST_FLAGS) {
		if (arg->kind != KN_STR && arg->kind != KN_NAME && arg->kind != KN_NUM)
			return fail(p, "a delimiter is not a string");
		n->delim = arg->text;
		arg = arg->next;
	}
	if (!arg)
		return fail(p, "a table is missing");
	for (; arg; arg = arg->next) {
		const struct kn *value = arg->kind == KN_LIST ? arg->args : NULL;

		if (!value || !value->next || value->next->next)
			return fail(p, "a table entry is not a pair");
		*list = alloc(p, sizeof(**list));
		if (!*list)
			return false;
		(*list)->value = half(p, value, OPS);
		(*list)->text = (*list)->value ? half(p, value->next, BARE) : NULL;
		if (!(*list)->text)
			return false;
		list = &(*list)->next;
	}
	return true;
}

/* ---- functions ---- */

/* Reads functions that show bytes or elements: array, count and, for __print_array(), size. */
static bool call_bytes(struct parser *p, struct ast *n, const struct kn *arg)
{
	struct ast **const to[] = {&n->a, &n->b, &n->c};
	const size_t count = n->type == AST_INT_ARRAY ? 3 : 2;

	for (size_t i = 0; i < count; i++, arg = arg->next) {
		*to[i] = new_node(p);
		if (!arg || !parse_arg(p, arg, *to[i], FOLDED))
			return fail(p, "expected %zu arguments", count);
	}
	return !arg || fail(p, "expected %zu arguments", count);
}

/* Reads __print_ns_to_secs() and its like as a division by 10^9. */
static bool call_time(struct parser *p, struct ast *n, const struct kn *arg)
{
	n->a = new_node(p);
	n->b = new_node(p);
	return n->b && parse_arg(p, arg, n->a, FOLDED) && set_number(p, n->b, 1000000000) &&
	       (!arg->next || fail(p, "expected one argument"));
}

/* True for a single argument that is a name or a number. */
static bool is_word(const struct kn *kn)
{
	return kn && (kn->kind == KN_NAME || (kn->kind == KN_NUM && !kn->op)) && !kn->next;
}

/* Reads __get_str(field) and its like; a field that is missing is found out when printing. */
static bool call_get(struct parser *p, struct ast *n, const struct kn *arg)
{
	if (!is_word(arg))
		return fail(p, "expected a name");
	n->text = arg->text;
	n->field = tdat_event_format_field(p->format, n->text);
	return true;
}

/* Reads __get_dynamic_array(field), which must be one of the event's own fields. */
static bool call_dyn(struct parser *p, struct ast *n, const struct kn *arg)
{
	const struct tdat_event_format *f = p->format;

	if (!is_word(arg))
		return fail(p, "expected a name");
	n->text = arg->text;
	for (size_t i = f->common_count; i < f->field_count && !n->field; i++)
		if (!strcmp(f->fields[i].name, n->text))
			n->field = &f->fields[i];
	if (!n->field)
		return fail(p, "there is no field %s", n->text);
	if (n->type == AST_DYN && is_op(p, "["))
		return fail(p, "__get_dynamic_array() has an index");
	return true;
}

/* Reads __builtin_expect(cond, n), which is cond. */
static bool call_expect(struct parser *p, struct ast *n, const struct kn *arg)
{
	return parse_arg(p, arg, n, ALONE) && (is_word(arg->next) || fail(p, "expected a name"));
}

/* True if libtraceevent knows the size of a type; 1.7 knows only the first seven. */
static bool sizeof_known(const struct parser *p, const char *type)
{
	static const char types[][19] = {"int",
					 "unsigned int",
					 "unsigned",
					 "long",
					 "unsigned long",
					 "long long",
					 "unsigned long long", /* those below are not in 1.7 */
					 "__u64",
					 "u64",
					 "__s64",
					 "s64",
					 "__u32",
					 "u32",
					 "__s32",
					 "s32",
					 "__u16",
					 "u16",
					 "__s16",
					 "s16",
					 "__u8",
					 "u8",
					 "s8"};
	const size_t count = p->out->tep17 ? 7 : sizeof(types) / sizeof(types[0]);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(types[i], type))
			return true;
	return false;
}

static bool parse_sizeof(struct parser *p, struct ast *n, const struct kn *kn)
{
	const struct tdat_field *f = kn->a ? kn->a->field : NULL;

	if (f && !(f->flags & TDAT_FIELD_ARRAY))
		return set_number(p, n, f->len);
	if (kn->a || !sizeof_known(p, kn->text))
		return fail(p, "sizeof has an unknown type");
	return set_number(p, n, kn->type.len);
}

/*
 * Reads a function that a plugin brought: exactly its arguments, without operators. The caller may
 * know further functions (knows), with any number of arguments.
 */
static bool call_plugin(struct parser *p, struct ast *n, const struct kn *kn)
{
	struct ast **list = &n->args;
	unsigned count = 0;

	n->func = p->plugins ? plugin_func_find(kn->text, kn->len) : NULL;
	n->type = AST_FUNC;
	if ((!n->func && !p->out->knows) || !strcmp(kn->text, "REC"))
		return fail(p, "function %s is not known", kn->text);
	for (const struct kn *arg = kn->args; arg; arg = arg->next, count++) {
		*list = new_node(p);
		if (!parse_arg(p, arg, *list, ALONE))
			return false;
		list = &(*list)->next;
	}
	if (n->func)
		return count == strlen(n->func->args) ||
		       fail(p, "expected %zu arguments", strlen(n->func->args));
	if (!count || !p->out->knows(p->out->knows_ctx, kn->text, count))
		return fail(p, "function %s is not known", kn->text);
	return p->out->knew = true;
}

/* Reads a call: a function of the kernel that libtraceevent knows, or one of a plugin. */
static bool parse_call(struct parser *p, struct ast *n, const struct kn *kn)
{
	static const struct {
		const char *name;
		enum ast_type type;
		bool (*read)(struct parser *p, struct ast *n, const struct kn *arg);
	} calls[] = {
		{"__print_flags", AST_FLAGS, call_table},
		{"__print_symbolic", AST_SYMBOL, call_table},
		/* These libtraceevent does not know. */
		{"__print_flags_u64", AST_FLAGS, call_table},
		{"__print_symbolic_u64", AST_SYMBOL, call_table},
		{"__print_ns_to_secs", AST_OP, call_time},
		{"__print_ns_without_secs", AST_OP, call_time},
		{"__print_hex", AST_HEX, call_bytes},
		{"__print_hex_str", AST_HEX_STR, call_bytes},
		{"__print_array", AST_INT_ARRAY, call_bytes},
		{"__get_str", AST_STRING, call_get},
		{"__get_rel_str", AST_STRING, call_get},
		{"__get_bitmask", AST_BITMASK, call_get},
		{"__get_rel_bitmask", AST_BITMASK, call_get},
		{"__get_cpumask", AST_CPUMASK, call_get},
		{"__get_rel_cpumask", AST_CPUMASK, call_get},
		{"__get_dynamic_array", AST_DYN, call_dyn},
		{"__get_rel_dynamic_array", AST_DYN, call_dyn},
		{"__get_sockaddr", AST_DYN, call_dyn},
		{"__get_sockaddr_rel", AST_DYN, call_dyn},
		{"__get_dynamic_array_len", AST_DYN_LEN, call_dyn},
		{"__get_rel_dynamic_array_len", AST_DYN_LEN, call_dyn},
		{"__builtin_expect", AST_NULL, call_expect},
	};
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (!strcmp(calls[i].name, kn->text)) {
			n->type = calls[i].type;
			if (n->type == AST_OP)
				n->text = strstr(kn->text, "without") ? "%" : "/";
			return kn->args ? calls[i].read(p, n, kn->args)
					: fail(p, "%s() has no arguments", kn->text);
		}
	}
	return call_plugin(p, n, kn);
}

/* ---- values ---- */

/* Reads a value; words and strings are both atoms for libtraceevent. */
static bool parse_value(struct parser *p, struct ast *n, const struct kn *kn)
{
	switch (kn->kind) {
	case KN_NUM:
		/* A character is its first byte; libtraceevent 1.7 took it for a string. */
		if (kn->op && !p->out->tep17)
			return set_number(p, n, (signed char)kn->text[0]);
		break;
	case KN_NAME:
		if (!strcmp(kn->text, "REC"))
			return fail(p, "REC has no field");
		break;
	case KN_STR:
		break;
	case KN_FIELD:
		n->type = AST_FIELD;
		n->text = kn->text;
		n->field = kn->field;
		return true;
	case KN_PAREN:
		return parse_arg(p, kn->a, n, OPS);
	case KN_CALL:
		return parse_call(p, n, kn);
	case KN_SIZEOF:
		return parse_sizeof(p, n, kn);
	case KN_BAD:
		return fail(p, "%s", kn->text);
	default:
		return fail(p, "a list is not an argument of a function");
	}
	n->type = AST_ATOM;
	n->text = kn->text;
	return true;
}

/* Reads a cast and the value behind it. Before an operator its type is a word like any other. */
static bool parse_cast(struct parser *p, struct ast *n, const char *type)
{
	struct klex lex = {type, type + strlen(type)};
	struct ktok tok = klex_next(&lex);
	size_t len = 0;
	char *text = alloc(p, 2 * strlen(type) + 3);

	if (!text || !enter(p)) /* its type is a level of its own */
		return false;
	p->depth--;
	for (; tok.kind == KT_NAME || tok.kind == KT_NUM; tok = klex_next(&lex)) {
		if (len)
			text[len++] = ' ';
		memcpy(text + len, tok.text, tok.len);
		len += tok.len;
	}
	if (len && tok.op == '*') {
		memcpy(text + len, " *", 2);
		tok = klex_next(&lex);
	}
	if (!len || tok.kind != KT_END || !strcmp(text, "REC"))
		return fail(p, "it casts to the type %s", type);
	n->type = AST_ATOM;
	n->text = text;
	if (!p->tok || p->tok->op)
		return true;
	n->type = AST_TYPE;
	n->a = new_node(p);
	return n->a && parse_token(p, n->a);
}

static bool parse_token_inner(struct parser *p, struct ast *n)
{
	const struct tok *tok = p->tok;

	if (!tok)
		return fail(p, "it ends where a value is expected");
	if (tok->op) {
		n->type = AST_OP;
		n->a = NULL;
		return parse_op(p, n);
	}
	p->tok = tok->next;
	return tok->cast ? parse_cast(p, n, tok->cast) : parse_value(p, n, tok->kn);
}

/* Reads the value that begins with p->tok, up to an operator. */
static bool parse_token(struct parser *p, struct ast *n)
{
	bool ok = enter(p) && parse_token_inner(p, n);

	p->depth -= ok;
	return ok;
}

/* ---- the whole ---- */

/*
 * Keeps the format string as it stands: it ends at its first quote unless a further string follows.
 * *args is where the arguments begin, 0: there are none.
 */
static bool take_format(struct parser *p, size_t *args)
{
	const char *text = p->format->print_fmt;
	struct model_lex lex = model_lex_init(text, strlen(text), p->arena);
	struct model_tok tok = model_lex_next(&lex);
	char *format = alloc(p, 2 * lex.len + 1); /* macros may be longer than their names */
	size_t len = 0;

	p->out->format = format;
	if (tok.type != MODEL_TOK_DQUOTE || !format)
		return fail(p, "it does not begin with a string");
	for (; tok.type == MODEL_TOK_DQUOTE; tok = model_lex_item(&lex)) {
		memcpy(format + len, tok.text, tok.len);
		len += tok.len;
	}
	p->out->nomem |= lex.failed;
	*args = tok.type == MODEL_TOK_NONE ? 0 : lex.pos;
	return !*args || model_tok_is(&tok, MODEL_TOK_DELIM, ",") ||
	       fail(p, "'%.*s' follows the format string", (int)(tok.len < 40 ? tok.len : 40),
		    tok.text);
}

bool ast_parse(struct ast_print *out, const struct tdat_event_format *format, bool plugins,
	       struct tdat_arena *arena)
{
	struct parser p = {.format = format, .out = out, .arena = arena, .plugins = plugins};
	struct ast **list = &out->args;
	struct kfmt fmt = {0};
	size_t args = 0;

	if (!take_format(&p, &args) || out->nomem)
		return false;
	if (args && !kfmt_parse_written(&fmt, format, args, arena, &out->nomem))
		return fail(&p, "the format string has no arguments");
	if (!args && !kfmt_all_fields(&fmt, format, arena)) {
		out->nomem = true;
		return false;
	}
	out->too_deep = fmt.too_deep;
	for (const struct kn *arg = fmt.args; arg; arg = arg->next) {
		*list = new_node(&p);
		if (!parse_arg(&p, arg, *list, FOLDED))
			return false;
		list = &(*list)->next;
	}
	return true;
}
