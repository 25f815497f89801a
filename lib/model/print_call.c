/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses the functions of print formats, from __print_flags() to sizeof(). */
#include "print_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A constant of { value, "text" }: words are numbers as strtoll takes them. */
static bool constant(struct parser *p, const struct ast *n, int64_t *out);

static bool constant_op(struct parser *p, const struct ast *n, int64_t *out)
{
	const char *op = n->text;
	int64_t a = 0, b = 0;
	bool sign = op[0] == '-' || op[0] == '+';

	if (op[0] != '~' && !(sign && n->a->type == AST_NULL) && !constant(p, n->a, &a))
		return false;
	if (!strchr("|&<>=!-+~", op[0]) || !n->b || !constant(p, n->b, &b))
		return parse_fail(p, "'%s' in a table", op);
	switch (op[0]) {
	case '|':
		*out = op[1] ? a || b : a | b;
		return true;
	case '&':
		*out = op[1] ? a && b : a & b;
		return true;
	case '<':
		*out = op[1] == '<' ? (int64_t)((uint64_t)a << (b & 63)) : op[1] ? a <= b : a < b;
		return true;
	case '>':
		*out = op[1] == '>' ? a >> (b & 63) : op[1] ? a >= b : a > b;
		return true;
	case '=':
	case '!':
		*out = op[0] == '=' ? a == b : a != b;
		return op[1] == '=' || parse_fail(p, "'%s' in a table", op);
	case '-':
		*out = (int64_t)((uint64_t)a - (uint64_t)b);
		return true;
	case '+':
		*out = (int64_t)((uint64_t)a + (uint64_t)b);
		return true;
	default:
		*out = ~b;
		return true;
	}
}

uint64_t parse_cast_mask(const char *type)
{
	size_t len = strlen(type);

	if (len < 2 || type[len - 1] == '*' || !strncmp(type, "struct", 6))
		return UINT64_MAX;
	if (!strcmp(type, "u8") || !strcmp(type, "s8"))
		return 0xff;
	if (!strcmp(type, "u16") || !strcmp(type, "s16"))
		return 0xffff;
	if (!strcmp(type, "u32") || !strcmp(type, "s32"))
		return 0xffffffff;
	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	if (!strcmp(type, "char"))
		return 0xff;
	if (!strcmp(type, "short"))
		return 0xffff;
	if (!strcmp(type, "int"))
		return 0xffffffff;
	return UINT64_MAX;
}

static bool constant(struct parser *p, const struct ast *n, int64_t *out)
{
	switch (n->type) {
	case AST_ATOM:
		*out = strtoll(n->text, NULL, 0);
		return true;
	case AST_TYPE:
		if (!constant(p, n->a, out))
			return false;
		*out = (int64_t)((uint64_t)*out & parse_cast_mask(n->text));
		return true;
	case AST_OP:
		return constant_op(p, n, out);
	default:
		return parse_fail(p, "a table entry that is no constant");
	}
}

/*
 * Returns the text of one half of a table's entry: a word as it stands, or a number that was
 * calculated.
 */
static const char *constant_text(struct parser *p, const struct ast *n)
{
	char number[24];
	int64_t v;

	while (n->type == AST_TYPE)
		n = n->a;
	if (n->type == AST_ATOM)
		return n->text;
	if (n->type != AST_OP) {
		parse_fail(p, "a table entry that is no constant");
		return NULL;
	}
	if (!constant(p, n, &v))
		return NULL;
	snprintf(number, sizeof(number), "%lld", (long long)v);
	return parse_text(p, number, strlen(number));
}

/* "{ value, text }, ...": p->tok is the token before the first "{". */
static bool pairs(struct parser *p, struct ast_pair **list)
{
	struct ast_pair *pair;
	struct ast *n;

	do {
		parse_item(p);
		if (!parse_is(p, MODEL_TOK_OP, "{"))
			return true;
		n = parse_node(p);
		pair = tdat_arena_alloc(p->arena, sizeof(*pair));
		if (!pair)
			return parse_no_memory(p);
		if (!n || !parse_arg(p, n))
			return false;
		if (p->tok.type == MODEL_TOK_OP && !parse_op(p, n))
			return false;
		if (!parse_want(p, MODEL_TOK_DELIM, ","))
			return false;
		pair->value = constant_text(p, n);
		n = parse_node(p);
		if (!pair->value || !n || !parse_arg(p, n) || !parse_want(p, MODEL_TOK_OP, "}"))
			return false;
		pair->text = constant_text(p, n);
		if (!pair->text)
			return false;
		*list = pair;
		list = &pair->next;
		parse_item(p);
	} while (parse_is(p, MODEL_TOK_DELIM, ","));
	return true;
}

/* The value that a table is for: a whole expression. */
static bool table_value(struct parser *p, struct ast *n)
{
	n->a = parse_node(p);
	if (!n->a || !parse_arg(p, n->a))
		return false;
	while (p->tok.type == MODEL_TOK_OP)
		if (!parse_op(p, n->a))
			return false;
	return parse_want(p, MODEL_TOK_DELIM, ",");
}

static bool call_table(struct parser *p, struct ast *n)
{
	if (!table_value(p, n))
		return false;
	if (n->type == AST_FLAGS) {
		parse_item(p);
		if (p->tok.type == MODEL_TOK_ITEM || p->tok.type == MODEL_TOK_DQUOTE ||
		    p->tok.type == MODEL_TOK_SQUOTE) {
			n->delim = parse_text(p, p->tok.text, p->tok.len);
			if (!n->delim)
				return false;
			parse_item(p);
		}
		if (!parse_want(p, MODEL_TOK_DELIM, ","))
			return false;
	}
	if (!pairs(p, &n->pairs) || !parse_want(p, MODEL_TOK_DELIM, ")"))
		return false;
	parse_item(p);
	return true;
}

/* One argument that may hold operators and is ended by delim. */
static bool operand(struct parser *p, struct ast **out, const char *delim)
{
	struct ast *n = parse_node(p);

	*out = n;
	if (!n || !parse_arg(p, n))
		return false;
	if (p->tok.type == MODEL_TOK_OP && (!parse_op(p, n) || !parse_consolidate(p, n)))
		return false;
	return parse_want(p, MODEL_TOK_DELIM, delim);
}

static bool call_bytes(struct parser *p, struct ast *n)
{
	if (!operand(p, &n->a, ","))
		return false;
	if (n->type == AST_INT_ARRAY) {
		if (!operand(p, &n->b, ",") || !operand(p, &n->c, ")"))
			return false;
	} else if (!operand(p, &n->b, ")")) {
		return false;
	}
	parse_item(p);
	return true;
}

static bool call_division(struct parser *p, struct ast *n, const char *op)
{
	n->b = parse_node(p);
	if (!n->b || !operand(p, &n->a, ")"))
		return false;
	n->text = op;
	n->b->type = AST_ATOM;
	n->b->text = "1000000000";
	parse_item(p);
	return true;
}

static bool call_seconds(struct parser *p, struct ast *n)
{
	return call_division(p, n, "/");
}

static bool call_nanoseconds(struct parser *p, struct ast *n)
{
	return call_division(p, n, "%");
}

/* __get_str(field) and its like: the field is looked for when printing. */
static bool call_get(struct parser *p, struct ast *n)
{
	if (!parse_want_name(p))
		return false;
	n->text = parse_text(p, p->tok.text, p->tok.len);
	if (!n->text || !parse_want_close(p))
		return false;
	n->field = tdat_format_field(p->format, n->text);
	parse_next(p);
	return true;
}

/* __get_dynamic_array(field): one of the event's own fields. */
static bool call_dyn(struct parser *p, struct ast *n)
{
	const char *name;

	if (!parse_want_name(p))
		return false;
	name = parse_text(p, p->tok.text, p->tok.len);
	if (!name)
		return false;
	n->text = name;
	n->field = parse_own_field(p, name);
	if (!n->field)
		return parse_fail(p, "there is no field %s", name);
	if (!parse_want_close(p))
		return false;
	if (n->type == AST_DYN_LEN) {
		parse_next(p);
		return true;
	}
	parse_item(p);
	if (!parse_is(p, MODEL_TOK_OP, "["))
		return true;
	/* An index right behind the call is what libtraceevent fails on. */
	n = parse_node(p);
	if (!n || !parse_arg(p, n))
		return false;
	if (parse_is(p, MODEL_TOK_OP, "]"))
		return parse_fail(p, "an index behind __get_dynamic_array()");
	parse_item(p);
	return true;
}

/* __builtin_expect(cond, n) is cond. */
static bool call_expect(struct parser *p, struct ast *n)
{
	if (!parse_arg(p, n))
		return false;
	if (p->tok.type != MODEL_TOK_DELIM || p->tok.text[0] != ',')
		return parse_want(p, MODEL_TOK_DELIM, ",");
	if (!parse_want_name(p) || !parse_want_close(p))
		return false;
	parse_item(p);
	return true;
}

/* Sizes of the types libtraceevent knows in sizeof(); NULL: none. */
static const char *type_size(const struct parser *p)
{
	static const struct {
		const char *name, *size;
	} types[] = {{"int", "4"},   {"__u64", "8"}, {"u64", "8"},   {"__s64", "8"}, {"s64", "8"},
		     {"__u32", "4"}, {"u32", "4"},   {"__s32", "4"}, {"s32", "4"},   {"__u16", "2"},
		     {"u16", "2"},   {"__s16", "2"}, {"s16", "2"},   {"__u8", "1"},  {"u8", "1"},
		     {"__8", "1"},   {"s8", "1"}};
	/* libtraceevent 1.7 knows only the first. */
	size_t i, count = p->out->tep17 ? 1 : sizeof(types) / sizeof(types[0]);

	for (i = 0; i < count; i++)
		if (p->tok.len == strlen(types[i].name) &&
		    !memcmp(p->tok.text, types[i].name, p->tok.len))
			return types[i].size;
	return NULL;
}

static bool sizeof_long(struct parser *p, struct ast *n)
{
	parse_item(p);
	if (parse_is(p, MODEL_TOK_ITEM, "long")) {
		n->text = "8";
		parse_item(p);
		return true;
	}
	if (p->long_size != 4 && p->long_size != 8)
		return parse_fail(p, "sizeof(long) is not known");
	n->text = p->long_size == 4 ? "4" : "8";
	return true;
}

static bool sizeof_field(struct parser *p, struct ast *n)
{
	const struct tdat_field *f;
	char number[16];
	const char *name;

	parse_item(p);
	if (!parse_want(p, MODEL_TOK_OP, "->") || !parse_want_name(p))
		return false;
	name = parse_text(p, p->tok.text, p->tok.len);
	if (!name)
		return false;
	f = tdat_format_field(p->format, name);
	if (!f || (f->flags & TDAT_FIELD_ARRAY))
		return parse_fail(p, "sizeof(REC->%s)", name);
	snprintf(number, sizeof(number), "%u", f->len);
	n->text = parse_text(p, number, strlen(number));
	parse_item(p);
	return n->text != NULL;
}

static bool call_sizeof(struct parser *p, struct ast *n)
{
	bool ok = true, only_unsigned = false;

	parse_item(p);
	if (model_tok_is(&p->tok, p->tok.type, "unsigned")) {
		parse_item(p);
		only_unsigned = p->tok.type != MODEL_TOK_ITEM;
	}
	if (only_unsigned) {
		n->text = "4";
	} else if (parse_is(p, MODEL_TOK_ITEM, "long")) {
		ok = sizeof_long(p, n);
	} else if (parse_is(p, MODEL_TOK_ITEM, "REC")) {
		ok = sizeof_field(p, n);
	} else {
		n->text = p->tok.len ? type_size(p) : NULL;
		if (!n->text)
			return parse_fail(p, "sizeof of a type that is not known");
		parse_item(p);
	}
	if (!ok || !parse_want(p, MODEL_TOK_DELIM, ")"))
		return false;
	parse_item(p);
	return true;
}

/* A function that a plugin brought: exactly its arguments, without operators. */
static bool call_func(struct parser *p, struct ast *n)
{
	struct ast **list = &n->args;
	unsigned i;

	for (i = 0; i < n->func->arg_count; i++) {
		struct ast *arg = parse_node(p);

		if (!arg || !parse_arg(p, arg))
			return false;
		if (!parse_want(p, MODEL_TOK_DELIM, i + 1 < n->func->arg_count ? "," : ")"))
			return false;
		*list = arg;
		list = &arg->next;
	}
	parse_next(p);
	return true;
}

/* A function that only the caller may know: as many arguments as there are. */
static bool call_foreign(struct parser *p, struct ast *n, const char *word)
{
	struct ast **list = &n->args;
	unsigned count = 0;

	do {
		struct ast *arg = parse_node(p);

		if (!arg || !parse_arg(p, arg))
			return false;
		*list = arg;
		list = &arg->next;
		count++;
	} while (parse_is(p, MODEL_TOK_DELIM, ","));
	if (!parse_want(p, MODEL_TOK_DELIM, ")"))
		return false;
	if (!p->out->knows(p->out->knows_ctx, word, count))
		return parse_fail(p, "function %s is not known", word);
	p->out->knew = true;
	parse_next(p);
	return true;
}

bool parse_call(struct parser *p, struct ast *n, const char *word)
{
	static const struct {
		const char *name;
		enum ast_type type;
		bool (*read)(struct parser *p, struct ast *n);
	} calls[] = {
		{"__print_flags", AST_FLAGS, call_table},
		{"__print_symbolic", AST_SYMBOL, call_table},
		/* These libtraceevent does not know. */
		{"__print_flags_u64", AST_FLAGS, call_table},
		{"__print_symbolic_u64", AST_SYMBOL, call_table},
		{"__print_ns_to_secs", AST_OP, call_seconds},
		{"__print_ns_without_secs", AST_OP, call_nanoseconds},
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
		{"sizeof", AST_ATOM, call_sizeof},
	};
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (!strcmp(calls[i].name, word)) {
			n->type = calls[i].type;
			return calls[i].read(p, n);
		}
	}
	n->func = p->plugins ? model_func_find(word, strlen(word)) : NULL;
	if (!n->func && p->out->knows) {
		n->type = AST_FUNC;
		return call_foreign(p, n, word);
	}
	if (!n->func)
		return parse_fail(p, "function %s is not known", word);
	n->type = AST_FUNC;
	return call_func(p, n);
}
