/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the program of a filter's expression for one event format. It consists of comparisons
 * that jump, made from the last to the first so that every target is known. Fields become
 * offsets and lengths, names of tasks and CPUs become sources of their own, and constants are
 * clamped to what a comparison can mean. A field that the format lacks makes its comparison as
 * libtraceevent makes it. The program is immutable, and filter_run.c runs it on any thread.
 */
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "filter_ast.h"
#include "core/grow.h"

/* The state of making one program. */
struct binder {
	const struct tdat_event_format *format;
	const struct model_filter_env *env;
	struct model_filter_prog *prog;
	size_t cap;
	bool nomem;
	/*
	 * Lets callers fill an instruction without a check after each emit(); finish() reports
	 * nomem.
	 */
	struct filter_ins sink; /* written to without memory */
};

/*
 * Appends an instruction. The program is made backwards, so an operand is emitted after the
 * operation that needs it; reverse() turns it round.
 */
static struct filter_ins *emit(struct binder *b, enum filter_code code)
{
	struct model_filter_prog *p = b->prog;
	struct filter_ins *ins;

	if (p->count >= UINT32_MAX / 4 || !TDAT_GROW(p->ins, &b->cap, p->count + 1u)) {
		b->nomem = true;
		b->sink = (struct filter_ins){0};
		return &b->sink;
	}
	ins = &p->ins[p->count++];
	*ins = (struct filter_ins){.code = (uint8_t)code};
	return ins;
}

/* Returns the index of the instruction that emit() made last: where a jump to it goes. */
static uint32_t last(const struct binder *b)
{
	return b->prog->count - 1;
}

/* Returns the field if it holds one number, else NULL. */
static const struct tdat_field *number_field(const struct binder *b, const char *name)
{
	const struct tdat_field *f = tdat_event_format_field(b->format, name);

	if (!f || (f->flags & (TDAT_FIELD_STRING | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)))
		return NULL;
	return model_is_number_len(f->len) ? f : NULL;
}

/*
 * Returns the instruction for a word that every event knows, -1 for others. Asked only if the event
 * has no field of that name.
 */
static int common_code(const char *name)
{
	if (!strcmp(name, "CPU"))
		return CODE_PUSH_CPU;
	if (!strcmp(name, "PID"))
		return CODE_PUSH_PID;
	if (!strcmp(name, "TIMESTAMP"))
		return CODE_PUSH_TS;
	return -1;
}

/*
 * True if all words of an arithmetic have a value in this event. The left side is walked in a loop
 * and the right side by recursion, because chains of operators grow to the left.
 */
static bool known(const struct binder *b, const struct filter_node *n)
{
	while (n->kind == FILTER_ARITH) {
		if (!known(b, n->right))
			return false;
		n = n->left;
	}
	if (n->kind != FILTER_FIELD || number_field(b, n->text))
		return true;
	return !tdat_event_format_field(b->format, n->text) && common_code(n->text) >= 0;
}

/*
 * True if any part is signed: then the whole comparison is, unlike in C. "a > -1" of a 32-bit
 * unsigned field is true here, as a user expects.
 */
static bool is_signed(const struct binder *b, const struct filter_node *n)
{
	const struct tdat_field *f;

	while (n->kind == FILTER_ARITH) {
		if (is_signed(b, n->right))
			return true;
		n = n->left;
	}
	if (n->kind == FILTER_NUM)
		return n->negative;
	f = number_field(b, n->text);
	if (f)
		return f->flags & TDAT_FIELD_SIGNED;
	return !strcmp(n->text, "PID");
}

/* Copies place and type of a field into an instruction. */
static void put_field(struct filter_ins *ins, const struct tdat_field *f)
{
	ins->off = f->off;
	ins->len = (uint8_t)f->len;
	ins->is_signed = f->flags & TDAT_FIELD_SIGNED;
}

/*
 * Emits the instructions that push a value. sign is that of the whole comparison, which decides how
 * division works.
 */
static void gen_value(struct binder *b, const struct filter_node *n, bool sign)
{
	const struct tdat_field *f;

	while (n->kind == FILTER_ARITH) {
		struct filter_ins *ins = emit(b, CODE_ARITH);

		ins->op = (uint8_t)n->op;
		ins->is_signed = sign;
		gen_value(b, n->right, sign);
		n = n->left;
	}
	if (n->kind == FILTER_NUM) {
		emit(b, CODE_PUSH_NUM)->num = n->num;
		return;
	}
	f = number_field(b, n->text);
	if (f)
		put_field(emit(b, CODE_PUSH_FIELD), f);
	else
		emit(b, (enum filter_code)common_code(n->text));
}

/*
 * Replaces a constant of 2^63 or more in a signed comparison, which no signed number reaches. The
 * greatest signed number takes its place, and op becomes the comparison that is then never or
 * always true. Equality compares bits, as addresses in signed fields need it.
 */
static bool clamp(struct filter_node *num, const struct filter_node *from, uint8_t *op, bool right)
{
	if (from->kind != FILTER_NUM || from->negative || from->num <= INT64_MAX ||
	    *op == FILTER_EQ || *op == FILTER_NE)
		return false;
	*num = *from;
	num->num = INT64_MAX;
	if (*op == FILTER_LT || *op == FILTER_LE)
		*op = right ? FILTER_LE : FILTER_LT;
	else
		*op = right ? FILTER_GT : FILTER_GE;
	return true;
}

/* Emits a comparison of numbers; returns its start, or no if the event lacks a field. */
static uint32_t gen_cmp(struct binder *b, const struct filter_node *n, uint32_t yes, uint32_t no)
{
	const struct filter_node *l = n->left, *r = n->right;
	struct filter_node num;
	uint8_t op = (uint8_t)n->op;
	bool sign;
	struct filter_ins *ins;

	if (!known(b, l) || !known(b, r))
		return no;
	sign = is_signed(b, l) || is_signed(b, r);
	if (sign && clamp(&num, r, &op, true))
		r = &num;
	else if (sign && clamp(&num, l, &op, false))
		l = &num;
	/*
	 * Most filters compare a field with a constant: one instruction does it without the stack.
	 */
	if (l->kind == FILTER_FIELD && r->kind == FILTER_NUM && number_field(b, l->text)) {
		ins = emit(b, CODE_FIELD_CMP);
		put_field(ins, number_field(b, l->text));
		ins->num = r->num;
		/* Makes the comparison from here on; the sign of the field is in source. */
		ins->source = ins->is_signed;
	} else {
		ins = emit(b, CODE_CMP);
	}
	ins->op = op;
	ins->is_signed = sign;
	ins->jump_true = yes;
	ins->jump_false = no;
	if (ins->code == CODE_CMP) {
		gen_value(b, r, sign);
		gen_value(b, l, sign);
	}
	return last(b);
}

/* Emits arithmetic that stands alone: true unless it is 0. */
static uint32_t gen_truth(struct binder *b, const struct filter_node *n, uint32_t yes, uint32_t no)
{
	struct filter_ins *ins;

	if (!known(b, n))
		return no;
	ins = emit(b, CODE_TRUTH);
	ins->jump_true = yes;
	ins->jump_false = no;
	gen_value(b, n, is_signed(b, n));
	return last(b);
}

/*
 * Finds where the string of a word comes from. False: the event has none. Numbers have one, too: an
 * address the name of its function, others their hexadecimal digits, as libtraceevent compares
 * them.
 */
static bool find_source(const struct binder *b, const char *name, struct filter_ins *ins)
{
	const struct tdat_field *f = tdat_event_format_field(b->format, name);

	if (!f && !strcmp(name, "COMM")) {
		ins->source = SOURCE_COMM;
		return true;
	}
	if (!f)
		return false;
	ins->field = f;
	if (f->flags & TDAT_FIELD_STRING) {
		ins->source = f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE) ? SOURCE_DYNAMIC
										    : SOURCE_FIXED;
		ins->off = f->off;
		ins->num = f->len;
		return true;
	}
	f = number_field(b, name);
	if (!f)
		return false;
	put_field(ins, f);
	ins->source =
		f->flags & (TDAT_FIELD_POINTER | TDAT_FIELD_LONG) ? SOURCE_SYMBOL : SOURCE_HEX;
	return true;
}

/* Emits a comparison of a string. The table of symbols is loaded only if a filter needs it. */
static uint32_t gen_match(struct binder *b, const struct filter_node *n, uint32_t yes, uint32_t no)
{
	struct filter_ins from = {0}, *ins;
	struct model_filter_prog *p = b->prog;

	if (!find_source(b, n->left->text, &from))
		return no;
	ins = emit(b, CODE_MATCH);
	*ins = from;
	ins->code = CODE_MATCH;
	ins->op = (uint8_t)n->op;
	ins->text = n->right->text;
	ins->text_len = n->right->len;
	ins->regex = n->regex;
	ins->jump_true = yes;
	ins->jump_false = no;
	p->name = b->env->name;
	p->ctx = b->env->ctx;
	if (from.source == SOURCE_SYMBOL && !p->symbols)
		p->symbols = b->env->symbols(b->env->ctx);
	if (from.source == SOURCE_SYMBOL && !p->symbols)
		b->nomem = true;
	return last(b);
}

/*
 * Emits an expression and returns the instruction to start at; a true n ends at yes, a false one at
 * no. && and || need no instruction: they choose the jump targets of their sides.
 */
static uint32_t gen(struct binder *b, const struct filter_node *n, uint32_t yes, uint32_t no)
{
	uint32_t swap;

	for (;;) {
		switch (n->kind) {
		case FILTER_AND:
			yes = gen(b, n->right, yes, no);
			n = n->left;
			break;
		case FILTER_OR:
			no = gen(b, n->right, yes, no);
			n = n->left;
			break;
		case FILTER_NOT:
			swap = yes;
			yes = no;
			no = swap;
			n = n->right;
			break;
		case FILTER_CMP:
			return gen_cmp(b, n, yes, no);
		case FILTER_MATCH:
			return gen_match(b, n, yes, no);
		case FILTER_NUM:
		case FILTER_FIELD:
		case FILTER_ARITH:
			return gen_truth(b, n, yes, no);
		case FILTER_STR:
			return no; /* the parser lets none through */
		}
	}
}

/* Turns an index from the end into one from the start; the two FILTER_JUMP_ constants stay. */
static uint32_t forward(const struct model_filter_prog *p, uint32_t at)
{
	return at >= FILTER_JUMP_MISS ? at : p->count - 1 - at;
}

/* Puts the instructions into the order in which they run: every jump then goes forward. */
static void reverse(struct model_filter_prog *p)
{
	uint32_t i;

	for (i = 0; i < p->count / 2; i++) {
		struct filter_ins t = p->ins[i];

		p->ins[i] = p->ins[p->count - 1 - i];
		p->ins[p->count - 1 - i] = t;
	}
	for (i = 0; i < p->count; i++) {
		p->ins[i].jump_true = forward(p, p->ins[i].jump_true);
		p->ins[i].jump_false = forward(p, p->ins[i].jump_false);
	}
	p->entry = forward(p, p->entry);
}

static enum tdat_status finish(struct binder *b, struct model_filter_prog **out,
			       struct tdat_error *err)
{
	if (b->nomem) {
		model_filter_prog_free(b->prog);
		return tdat_error_no_memory(err, "a filter");
	}
	reverse(b->prog);
	*out = b->prog;
	return TDAT_OK;
}

static bool start(struct binder *b, const struct tdat_event_format *format,
		  const struct model_filter_env *env)
{
	*b = (struct binder){.format = format, .env = env};
	b->prog = calloc(1, sizeof(*b->prog));
	if (b->prog)
		b->prog->big = env->big;
	return b->prog;
}

enum tdat_status model_filter_bind(struct model_filter_prog **out, const struct model_filter *f,
				   const struct tdat_event_format *format,
				   const struct model_filter_env *env, struct tdat_error *err)
{
	struct binder b;

	*out = NULL;
	if (!start(&b, format, env))
		return tdat_error_no_memory(err, "a filter");
	b.prog->entry = FILTER_JUMP_MATCH;
	if (f->expr)
		b.prog->entry = gen(&b, f->expr, FILTER_JUMP_MATCH, FILTER_JUMP_MISS);
	return finish(&b, out, err);
}

enum tdat_status model_filter_bind_pids(struct model_filter_prog **out,
					const struct model_pid_set *set,
					const struct tdat_event_format *format,
					const struct model_filter_env *env, struct tdat_error *err)
{
	/*
	 * trace-cmd's --pid tests these fields as well: a wakeup of the task is wanted, not only
	 * events while it ran.
	 */
	static const char *const fields[] = {"next_pid", "pid"};
	uint32_t no = FILTER_JUMP_MISS;
	struct filter_ins *ins;
	struct binder b;
	size_t i;

	*out = NULL;
	if (!start(&b, format, env))
		return tdat_error_no_memory(err, "a filter");
	b.prog->set = set;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct tdat_field *f = format ? number_field(&b, fields[i]) : NULL;

		if (!f)
			continue;
		ins = emit(&b, CODE_IN_SET);
		put_field(ins, f);
		ins->jump_true = FILTER_JUMP_MATCH;
		ins->jump_false = no;
		no = last(&b);
	}
	ins = emit(&b, CODE_PID_IN_SET);
	ins->jump_true = FILTER_JUMP_MATCH;
	ins->jump_false = no;
	b.prog->entry = last(&b);
	return finish(&b, out, err);
}

void model_filter_prog_free(struct model_filter_prog *p)
{
	if (!p)
		return;
	free(p->ins);
	free(p);
}
