/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses print formats into trees. Every function below that reads a part leaves the token
 * behind that part in p->tok, and returns false for text that libtraceevent refuses.
 */
#include "print_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nesting and operator chains; both are recursion. Real formats stay below 100. */
enum { PARSE_DEPTH = 1000 };

bool parse_fail(struct parser *p, const char *fmt, ...)
{
	va_list args;

	if (!p->out->why[0]) {
		va_start(args, fmt);
		vsnprintf(p->out->why, sizeof(p->out->why), fmt, args);
		va_end(args);
	}
	return false;
}

bool parse_no_memory(struct parser *p)
{
	p->out->nomem = true;
	return parse_fail(p, "no memory");
}

struct ast *parse_node(struct parser *p)
{
	struct ast *n = tdat_arena_alloc(p->arena, sizeof(*n));

	if (!n)
		parse_no_memory(p);
	return n;
}

/* A NUL-terminated copy; NULL only without memory. */
const char *parse_text(struct parser *p, const char *text, size_t len)
{
	const char *s = tdat_arena_strndup(p->arena, text, len);

	if (!s)
		parse_no_memory(p);
	return s;
}

static const char *join(struct parser *p, const char *s, const char *more, size_t len,
			const char *between)
{
	size_t n = strlen(s), gap = strlen(between);
	char *both = tdat_arena_alloc(p->arena, n + gap + len + 1);

	if (!both) {
		parse_no_memory(p);
		return NULL;
	}
	memcpy(both, s, n);
	memcpy(both + n, between, gap);
	memcpy(both + n + gap, more, len);
	return both;
}

bool parse_is(const struct parser *p, enum model_tok_type type, const char *text)
{
	return model_tok_is(&p->tok, type, text);
}

bool parse_want(struct parser *p, enum model_tok_type type, const char *text)
{
	if (parse_is(p, type, text))
		return true;
	return parse_fail(p, "expected '%s' but found '%.*s'", text,
			  (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
}

/* The next token; a new line counts. */
void parse_next(struct parser *p)
{
	p->tok = model_lex_next(&p->lex);
}

void parse_item(struct parser *p)
{
	p->tok = model_lex_item(&p->lex);
}

/* The next token must be a name; new lines count. */
bool parse_want_name(struct parser *p)
{
	parse_next(p);
	if (p->tok.type == MODEL_TOK_ITEM)
		return true;
	return parse_fail(p, "expected a name but found '%.*s'",
			  (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
}

/* ")" right here, new lines count. */
bool parse_want_close(struct parser *p)
{
	parse_next(p);
	return parse_want(p, MODEL_TOK_DELIM, ")");
}

/* A field of that name that is not a common one, or NULL. */
const struct tdat_field *parse_own_field(const struct parser *p, const char *name)
{
	const struct tdat_format *f = p->format;
	size_t i;

	for (i = f->common_count; i < f->field_count; i++)
		if (!strcmp(f->fields[i].name, name))
			return &f->fields[i];
	return NULL;
}

static bool parse_token(struct parser *p, struct ast *n);

bool parse_arg(struct parser *p, struct ast *n)
{
	parse_next(p);
	return parse_token(p, n);
}

/* Binding strength as libtraceevent has it: higher is nearer to the root. */
static int op_prio(const char *op)
{
	static const struct {
		const char *op;
		int prio;
	} table[] = {{"~", 4},	{"!", 4},   {"*", 6},	{"/", 6},   {"%", 6},  {"+", 7},
		     {"-", 7},	{"<", 9},   {">", 9},	{"&", 11},  {"^", 12}, {"|", 13},
		     {"?", 16}, {"++", 3},  {"--", 3},	{">>", 8},  {"<<", 8}, {">=", 9},
		     {"<=", 9}, {"==", 10}, {"!=", 10}, {"&&", 14}, {"||", 15}};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].op, op))
			return table[i].prio;
	return -1;
}

static bool is_binary(const char *op)
{
	return op_prio(op) > 4 && strcmp(op, "?") != 0;
}

/* "left : right" after "cond ?". */
static bool parse_cond(struct parser *p, struct ast *top)
{
	struct ast *arms = parse_node(p), *left = parse_node(p), *right = parse_node(p);

	if (!arms || !left || !right || !parse_arg(p, left))
		return false;
	while (p->tok.type == MODEL_TOK_OP && !parse_is(p, MODEL_TOK_OP, ":")) {
		if (!parse_op(p, left))
			return false;
	}
	if (!parse_want(p, MODEL_TOK_OP, ":"))
		return false;
	arms->type = AST_OP;
	arms->text = ":";
	arms->a = left;
	arms->b = right;
	top->b = arms;
	return parse_arg(p, right);
}

static bool parse_index(struct parser *p, struct ast *top)
{
	struct ast *index = parse_node(p);

	if (!index || !parse_arg(p, index) || !parse_want(p, MODEL_TOK_OP, "]"))
		return false;
	top->b = index;
	parse_item(p);
	return true;
}

static bool parse_unary(struct parser *p, struct ast *n, const char *op, struct ast **right)
{
	if (op[1] || !strchr("~!+-", op[0]))
		return parse_fail(p, "bad operator '%s'", op);
	n->text = op;
	n->a = parse_node(p); /* AST_NULL */
	*right = parse_node(p);
	if (!n->a || !*right)
		return false;
	n->b = *right;
	return parse_arg(p, *right);
}

/* n becomes "old n OP nothing yet". */
static bool push_left(struct parser *p, struct ast *n, const char *op)
{
	struct ast *left = parse_node(p);

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
 * "n OP primary". Where the right side is an operation that binds weaker, the
 * two change places, also out of parentheses: that is what libtraceevent does.
 */
static bool parse_binary(struct parser *p, struct ast *n, const char *op, struct ast **right)
{
	struct ast old, *r;

	if (!push_left(p, n, op))
		return false;
	n->prio = n->a->type == AST_NULL ? 0 : op_prio(op);
	parse_item(p);
	if (!strcmp(op, "*") && parse_is(p, MODEL_TOK_DELIM, ")")) { /* a pointer type */
		r = n->a;
		if (r->type != AST_ATOM)
			return parse_fail(p, "bad pointer type");
		r->text = join(p, r->text, "*", 1, " ");
		if (!r->text)
			return false;
		*n = *r;
		*right = NULL;
		return true;
	}
	r = parse_node(p);
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
	*right = r;
	return true;
}

/* The operator in p->tok, applied to n, and those after it. */
static bool parse_op_inner(struct parser *p, struct ast *n)
{
	const char *op = parse_text(p, p->tok.text, p->tok.len);
	struct ast *right = NULL;
	bool ok;
	int prio;

	if (!op)
		return false;
	if (n->type == AST_OP && !n->a)
		ok = parse_unary(p, n, op, &right);
	else if (!strcmp(op, "?"))
		ok = push_left(p, n, op) && parse_cond(p, n);
	else if (is_binary(op))
		ok = parse_binary(p, n, op, &right);
	else if (!strcmp(op, "["))
		ok = push_left(p, n, op) && parse_index(p, n);
	else
		return parse_fail(p, "unknown operator '%s'", op);
	if (!ok)
		return false;
	if (is_binary(op) && !right) /* was a pointer type */
		return true;
	if (p->tok.type != MODEL_TOK_OP || parse_is(p, MODEL_TOK_OP, ":"))
		return true;
	op = parse_text(p, p->tok.text, p->tok.len);
	if (!op)
		return false;
	prio = op_prio(op);
	if (prio < 0)
		return parse_fail(p, "unknown operator '%s'", op);
	return parse_op(p, prio > n->prio || !right ? n : right);
}

static void go_deeper(struct parser *p)
{
	if (++p->depth > p->out->deepest)
		p->out->deepest = p->depth;
}

bool parse_op(struct parser *p, struct ast *n)
{
	bool ok;

	if (p->depth >= PARSE_DEPTH) {
		p->out->too_deep = true;
		return parse_fail(p, "nested deeper than %d levels", PARSE_DEPTH);
	}
	go_deeper(p);
	ok = parse_op_inner(p, n);
	p->depth--;
	return ok;
}

/* After "REC": "->field", or ")" of "(REC)", for which the token is an item ")". */
static bool parse_entry(struct parser *p, struct ast *n)
{
	parse_item(p);
	if (parse_is(p, MODEL_TOK_DELIM, ")")) {
		p->tok.type = MODEL_TOK_ITEM;
		return true;
	}
	if (!parse_want(p, MODEL_TOK_OP, "->") || !parse_want_name(p))
		return false;
	n->type = AST_FIELD;
	n->text = parse_text(p, p->tok.text, p->tok.len);
	if (!n->text)
		return false;
	n->field = tdat_format_field(p->format, n->text);
	parse_next(p);
	return true;
}

static bool is_value(enum model_tok_type type)
{
	return type == MODEL_TOK_ITEM || type == MODEL_TOK_DQUOTE || type == MODEL_TOK_SQUOTE;
}

/* After "(": an expression in parentheses, or a cast and what it casts. */
static bool parse_paren(struct parser *p, struct ast *n)
{
	struct ast *item;

	if (!parse_arg(p, n))
		return false;
	if (p->tok.type == MODEL_TOK_OP && !parse_op(p, n))
		return false;
	if (parse_is(p, MODEL_TOK_ITEM, ")"))
		return parse_entry(p, n);
	if (!parse_want(p, MODEL_TOK_DELIM, ")"))
		return false;
	parse_item(p);
	if (!is_value(p->tok.type) && !parse_is(p, MODEL_TOK_DELIM, "("))
		return true;
	if (n->type != AST_ATOM)
		return parse_fail(p, "a cast that is no type");
	item = parse_node(p);
	if (!item)
		return false;
	n->type = AST_TYPE;
	n->a = item;
	return parse_token(p, item);
}

/* A name: REC, a function, or a word, which may be several ("unsigned long"). */
static bool parse_word(struct parser *p, struct ast *n)
{
	const char *word;

	if (parse_is(p, MODEL_TOK_ITEM, "REC"))
		return parse_entry(p, n);
	word = parse_text(p, p->tok.text, p->tok.len);
	if (!word)
		return false;
	parse_item(p);
	if (parse_is(p, MODEL_TOK_DELIM, "("))
		return parse_call(p, n, word);
	while (p->tok.type == MODEL_TOK_ITEM) {
		word = join(p, word, p->tok.text, p->tok.len, " ");
		if (!word)
			return false;
		parse_item(p);
	}
	n->type = AST_ATOM;
	n->text = word;
	return true;
}

static bool parse_string(struct parser *p, struct ast *n)
{
	n->type = AST_ATOM;
	n->text = parse_text(p, p->tok.text, p->tok.len);
	parse_item(p);
	return n->text != NULL;
}

/* A character is the number of its first byte; libtraceevent 1.7 took it for a string. */
static bool parse_char(struct parser *p, struct ast *n)
{
	char number[8];

	if (p->out->tep17)
		return parse_string(p, n);
	snprintf(number, sizeof(number), "%d", p->tok.len ? (signed char)p->tok.text[0] : 0);
	n->type = AST_ATOM;
	n->text = parse_text(p, number, strlen(number));
	parse_item(p);
	return n->text != NULL;
}

static bool parse_token_inner(struct parser *p, struct ast *n)
{
	switch (p->tok.type) {
	case MODEL_TOK_ITEM:
		return parse_word(p, n);
	case MODEL_TOK_SQUOTE:
		return parse_char(p, n);
	case MODEL_TOK_DQUOTE:
		return parse_string(p, n);
	case MODEL_TOK_DELIM:
		if (parse_is(p, MODEL_TOK_DELIM, "("))
			return parse_paren(p, n);
		break;
	case MODEL_TOK_OP:
		break;
	case MODEL_TOK_NONE:
	case MODEL_TOK_NEWLINE:
		return parse_fail(p, "it ends where a value is expected");
	}
	n->type = AST_OP;
	n->a = NULL;
	return parse_op(p, n);
}

/* What begins with p->tok, up to an operator or a delimiter. */
static bool parse_token(struct parser *p, struct ast *n)
{
	bool ok;

	if (p->depth >= PARSE_DEPTH) {
		p->out->too_deep = true;
		return parse_fail(p, "nested deeper than %d levels", PARSE_DEPTH);
	}
	go_deeper(p);
	ok = parse_token_inner(p, n);
	p->depth--;
	return ok;
}

static uint64_t fold(const char *op, uint64_t a, uint64_t b, bool *done)
{
	*done = true;
	switch (op[0]) {
	case '>':
		return op[1] == '>' ? a >> (b & 63) : op[1] == '=' ? a >= b : a > b;
	case '<':
		return op[1] == '<' ? a << (b & 63) : op[1] == '=' ? a <= b : a < b;
	case '&':
		return op[1] ? a && b : a & b;
	case '|':
		return op[1] ? a || b : a | b;
	case '-':
		return a - b;
	case '+':
		return a + b;
	case '*':
		return a * b;
	case '^':
		return a ^ b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '/':
	case '%':
		if (b)
			return op[0] == '/' ? a / b : a % b;
		break;
	default:
		break;
	}
	*done = false;
	return 0;
}

/* Operations on two words become one word, as %lld would print it. */
bool parse_consolidate(struct parser *p, struct ast *n)
{
	char number[24];
	uint64_t v;
	bool done;

	if (n->type != AST_OP)
		return true;
	if ((n->a && !parse_consolidate(p, n->a)) || (n->b && !parse_consolidate(p, n->b)))
		return false;
	if (!n->a || !n->b || n->a->type != AST_ATOM || n->b->type != AST_ATOM)
		return true;
	v = fold(n->text, strtoull(n->a->text, NULL, 0), strtoull(n->b->text, NULL, 0), &done);
	if (!done)
		return true;
	snprintf(number, sizeof(number), "%lld", (long long)v);
	n->type = AST_ATOM;
	n->text = parse_text(p, number, strlen(number));
	return n->text != NULL;
}

static bool parse_args(struct parser *p, struct ast **list)
{
	struct ast *n;

	for (;;) {
		n = parse_node(p);
		if (!n || !parse_arg(p, n))
			return false;
		*list = n;
		if (p->tok.type == MODEL_TOK_OP) {
			/* After an operation any token goes for a comma. */
			if (!parse_op(p, n) || !parse_consolidate(p, n))
				return false;
			list = &n->next;
			if (p->tok.type == MODEL_TOK_NEWLINE)
				parse_item(p);
			if (p->tok.type == MODEL_TOK_NONE)
				return true;
			continue;
		}
		if (!parse_is(p, MODEL_TOK_DELIM, ","))
			return true;
		list = &n->next;
	}
}

/* Very old ftrace events name no arguments: all fields are. */
static bool all_fields(struct parser *p, struct ast **list)
{
	const struct tdat_format *f = p->format;
	size_t i;

	for (i = f->common_count; i < f->field_count; i++) {
		struct ast *n = parse_node(p);

		if (!n)
			return false;
		n->type = AST_FIELD;
		n->text = f->fields[i].name;
		n->field = &f->fields[i];
		*list = n;
		list = &n->next;
	}
	return true;
}

bool ast_parse(struct ast_print *out, const struct tdat_format *format, bool plugins,
	       uint8_t long_size, struct tdat_arena *arena)
{
	struct parser p = {.format = format,
			   .out = out,
			   .arena = arena,
			   .plugins = plugins,
			   .long_size = long_size};

	p.lex = model_lex_init(format->print_fmt, strlen(format->print_fmt), arena);
	parse_next(&p);
	if (p.tok.type != MODEL_TOK_DQUOTE)
		return parse_fail(&p, "it does not begin with a string");
	out->format = parse_text(&p, p.tok.text, p.tok.len);
	if (!out->format)
		return false;
	for (parse_item(&p); p.tok.type == MODEL_TOK_DQUOTE; parse_item(&p)) {
		out->format = join(&p, out->format, p.tok.text, p.tok.len, "");
		if (!out->format)
			return false;
	}
	if (p.tok.type == MODEL_TOK_NONE)
		return strcmp(format->system, "ftrace") != 0 || all_fields(&p, &out->args);
	if (!parse_want(&p, MODEL_TOK_DELIM, ","))
		return false;
	if (!parse_args(&p, &out->args))
		return false;
	if (p.lex.failed)
		return parse_no_memory(&p);
	return true;
}
