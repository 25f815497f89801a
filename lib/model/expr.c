/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles trees of print formats into expressions, folds constants, and evaluates them. Two
 * readings of print fmt share it: the one of trace-cmd (64-bit numbers, libtraceevent's
 * precedence, made from print_ast.h) and the kernel's (typed trees, made in kfmt_expr.c).
 * Evaluation reads fields inside the record only; division by 0 gives 0, shifts and indexes
 * beyond their range are defined. The depth of a tree is bounded when it is parsed.
 */
#include "print_compile.h"

#include <stdlib.h>
#include <string.h>

#include "operator.h"

/*
 * Makes a node in the program's arena. Each node is a step of the budget that bounds one run (--max
 * print_steps). NULL: c->result says why.
 */
struct expr *expr_new(struct compiler *c, enum expr_op op)
{
	struct expr *x;

	if (!compile_steps(c, 1))
		return NULL;
	x = tdat_arena_alloc(&c->prog->arena, sizeof(*x));
	if (!x) {
		c->result = PROG_NOMEM;
		return NULL;
	}
	x->op = (uint8_t)op;
	x->big = c->format->big;
	return x;
}

const struct expr *expr_constant(struct compiler *c, uint64_t k)
{
	struct expr *x = expr_new(c, X_CONST);

	if (x)
		x->k = k;
	return x;
}

const struct expr *expr_load(struct compiler *c, uint32_t off, uint32_t len, bool is_signed)
{
	static const uint8_t ops[2][9] = {
		{[1] = X_U8, [2] = X_U16, [4] = X_U32, [8] = X_U64},
		{[1] = X_S8, [2] = X_S16, [4] = X_S32, [8] = X_U64},
	};
	struct expr *x;

	if (len > 8 || !ops[is_signed][len])
		return expr_constant(c, 0);
	x = expr_new(c, ops[is_signed][len]);
	if (x)
		x->off = off;
	return x;
}

const struct expr *expr_unary(struct compiler *c, enum expr_op op, const struct expr *a,
			      uint8_t elem, uint64_t k)
{
	struct expr *x = a ? expr_new(c, op) : NULL;

	if (x) {
		x->a = a;
		x->elem = elem;
		x->k = k;
	}
	return x;
}

const struct expr *expr_cond(struct compiler *c, const struct expr *cond, const struct expr *yes,
			     const struct expr *no)
{
	struct expr *x = cond && yes && no ? expr_new(c, X_COND) : NULL;

	if (x) {
		x->a = cond;
		x->b = yes;
		x->c = no;
	}
	return x;
}

/*
 * Returns a & k. It drops masks that change nothing and joins two into one: casts nest in print
 * fmts, and each node costs time for every event.
 */
const struct expr *expr_mask(struct compiler *c, const struct expr *a, uint64_t k)
{
	if (!a || k == UINT64_MAX)
		return a;
	if (a->op == X_CONST)
		return expr_constant(c, a->k & k);
	if ((a->op == X_U8 && (k & 0xff) == 0xff) || (a->op == X_U16 && (k & 0xffff) == 0xffff) ||
	    (a->op == X_U32 && (k & 0xffffffff) == 0xffffffff))
		return a;
	if (a->op == X_MASK)
		return expr_unary(c, X_MASK, a->a, 0, k & a->k);
	return expr_unary(c, X_MASK, a, 0, k);
}

/*
 * Signed operations. INT64_MIN / -1 wraps; division by 0 gives 0. Neither may trap: the operands
 * come from records.
 */
static uint64_t apply_signed(unsigned op, int64_t a, int64_t b)
{
	switch (op) {
	case X_SDIV:
		return b == -1 ? 0 - (uint64_t)a : b ? (uint64_t)(a / b) : 0;
	case X_SMOD:
		return b && b != -1 ? (uint64_t)(a % b) : 0;
	case X_SAR:
		return (uint64_t)(a >> (b & 63));
	case X_SLT:
		return a < b;
	case X_SLE:
		return a <= b;
	case X_SGT:
		return a > b;
	case X_SGE:
		return a >= b;
	default:
		return 0;
	}
}

/* Applies an operation of two numbers. Used at run time and for folding, so both give the same. */
uint64_t expr_apply(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case X_ADD:
		return a + b;
	case X_SUB:
		return a - b;
	case X_MUL:
		return a * b;
	case X_DIV:
		return b ? a / b : 0;
	case X_MOD:
		return b ? a % b : 0;
	case X_AND:
		return a & b;
	case X_OR:
		return a | b;
	case X_XOR:
		return a ^ b;
	case X_SHL:
		return a << (b & 63);
	case X_SHR:
		return a >> (b & 63);
	case X_LT:
		return a < b;
	case X_LE:
		return a <= b;
	case X_GT:
		return a > b;
	case X_GE:
		return a >= b;
	case X_EQ:
		return a == b;
	case X_NE:
		return a != b;
	case X_LAND:
		return a && b;
	case X_LOR:
		return a || b;
	default:
		return apply_signed(op, (int64_t)a, (int64_t)b);
	}
}

unsigned expr_operator(const char *op)
{
	const struct print_operator *o = operator_named(op, strlen(op));

	return o && o->op != '^' ? o->plain : 0;
}

/* Returns a op b, folded if both are constant. "& constant" becomes a mask, which can be joined. */
const struct expr *expr_binary(struct compiler *c, unsigned op, const struct expr *a,
			       const struct expr *b)
{
	struct expr *x;

	if (!a || !b)
		return NULL;
	if (a->op == X_CONST && b->op == X_CONST)
		return expr_constant(c, expr_apply(op, a->k, b->k));
	if (op == X_AND && b->op == X_CONST)
		return expr_mask(c, a, b->k);
	if (op == X_AND && a->op == X_CONST)
		return expr_mask(c, b, a->k);
	x = expr_new(c, (enum expr_op)op);
	if (x) {
		x->a = a;
		x->b = b;
	}
	return x;
}

static const struct expr *not_expr(struct compiler *c, const struct expr *a)
{
	return a && a->op == X_CONST ? expr_constant(c, !a->k) : expr_unary(c, X_NOT, a, 0, 0);
}

/*
 * Compiles "c ? x : y": the parser keeps both arms below a node that is n->b. Only the chosen arm
 * of a constant condition is compiled.
 */
static const struct expr *choice(struct compiler *c, const struct ast *n)
{
	const struct expr *cond = expr_compile(c, n->a), *yes;

	if (!cond)
		return NULL;
	if (cond->op == X_CONST)
		return expr_compile(c, cond->k ? n->b->a : n->b->b);
	yes = expr_compile(c, n->b->a);
	return expr_cond(c, cond, yes, expr_compile(c, n->b->b));
}

/* Returns the mask of the type that the cast in front of an indexed array points to. */
static uint64_t pointed_mask(const char *type)
{
	char base[64];
	size_t len = strlen(type);

	if (len < 2 || type[len - 1] != '*' || len - 2 >= sizeof(base))
		return UINT64_MAX;
	memcpy(base, type, len - 2);
	base[len - 2] = '\0';
	return parse_cast_mask(base);
}

/* True if the element is whole in the fixed part: it can be loaded like a field. */
static bool is_inside(const struct tdat_field *f, uint64_t index)
{
	return !(f->flags & TDAT_FIELD_DYNAMIC) && f->elem_len && index < f->len / f->elem_len;
}

/*
 * Compiles array[index]. A constant index into a static array becomes a plain load; others are
 * checked against the record at run time.
 */
static const struct expr *index_expr(struct compiler *c, const struct ast *n)
{
	const struct ast *array = n->a, *cast = NULL;
	const struct expr *index = expr_compile(c, n->b);
	struct expr *x;

	/* The outermost of several casts decides how many bits of the element count. */
	while (array->type == AST_TYPE) {
		cast = cast ? cast : array;
		array = array->a;
	}
	if (!index || (array->type != AST_FIELD && array->type != AST_DYN) || !array->field)
		return index ? expr_constant(c, 0) : NULL;
	if (array->type == AST_FIELD && index->op == X_CONST && is_inside(array->field, index->k))
		return expr_mask(
			c,
			expr_load(c,
				  array->field->off + (uint32_t)index->k * array->field->elem_len,
				  array->field->elem_len, false),
			cast ? pointed_mask(cast->text) : UINT64_MAX);
	x = expr_new(c, array->type == AST_DYN ? X_DYN_INDEX : X_INDEX);
	if (!x)
		return NULL;
	x->a = index;
	x->field = array->field;
	x->off = array->field->off;
	x->elem = (uint8_t)model_field_elem_len(array->field);
	if (model_field_elem_len(array->field) > 8)
		x->elem = 0xff; /* no number; still too long to lie outside unnoticed */
	/* libtraceevent reads an element of a type that it does not know as a long. */
	if (array->type == AST_DYN && !x->elem)
		x->elem = c->long_size;
	x->k = cast ? pointed_mask(cast->text) : UINT64_MAX;
	return x;
}

/*
 * Compiles an operator. Unary ones have no left side; a missing side counts as 0, so "-x" is 0 - x.
 */
static const struct expr *op_expr(struct compiler *c, const struct ast *n)
{
	const struct expr *a, *b;
	unsigned op;

	if (!strcmp(n->text, "["))
		return index_expr(c, n);
	if (!strcmp(n->text, "?"))
		return choice(c, n);
	a = n->a ? expr_compile(c, n->a) : expr_constant(c, 0);
	b = n->b ? expr_compile(c, n->b) : expr_constant(c, 0);
	if (!a || !b)
		return NULL;
	if (!strcmp(n->text, "!"))
		return not_expr(c, b);
	if (!strcmp(n->text, "~"))
		return expr_binary(c, X_XOR, b, expr_constant(c, UINT64_MAX));
	op = expr_operator(n->text);
	return op ? expr_binary(c, op, a, b) : expr_constant(c, 0);
}

const struct expr *expr_of_field(struct compiler *c, enum expr_op op,
				 const struct tdat_field *field)
{
	struct expr *x = expr_new(c, op);

	if (x)
		x->field = field;
	return x;
}

/* Compiles a call of a function that a plugin of libtraceevent registers. */
static const struct expr *call_expr(struct compiler *c, const struct ast *n)
{
	const struct prog_call *call = compile_call(c, n);
	struct expr *x = call ? expr_new(c, X_CALL) : NULL;

	if (x)
		x->call = call;
	return x;
}

/*
 * Compiles a word in a number's place: the number, the address of a function, or 0. Each look-up of
 * a name walks all symbols, so LOOKUPS bounds them for a print fmt.
 */
static const struct expr *word_expr(struct compiler *c, const char *word)
{
	enum { LOOKUPS = 16 };
	uint64_t v = strtoull(word, NULL, 0);

	if (!v && !(word[0] >= '0' && word[0] <= '9') && c->env->symbols) {
		if (++c->lookups > LOOKUPS)
			return compile_foreign(c, "more than %d names of symbols", LOOKUPS), NULL;
		model_symbols_address(c->env->symbols, word, &v);
	}
	return expr_constant(c, v);
}

const struct expr *expr_compile(struct compiler *c, const struct ast *n)
{
	switch (n->type) {
	case AST_ATOM:
		return word_expr(c, n->text);
	case AST_FIELD:
		return n->field ? expr_load(c, n->field->off, n->field->len, false)
				: expr_constant(c, 0);
	case AST_TYPE:
		return expr_mask(c, expr_compile(c, n->a), parse_cast_mask(n->text));
	case AST_OP:
		return op_expr(c, n);
	case AST_DYN_LEN:
		return expr_of_field(c, X_DYN_LEN, n->field);
	case AST_DYN:
		return expr_of_field(c, X_DYN_OFF, n->field);
	case AST_FUNC:
		return call_expr(c, n);
	/* Texts and lists have no value: libtraceevent computes with 0. */
	case AST_NULL:
	case AST_FLAGS:
	case AST_SYMBOL:
	case AST_HEX:
	case AST_HEX_STR:
	case AST_INT_ARRAY:
	case AST_STRING:
	case AST_BITMASK:
	case AST_CPUMASK:
		break;
	}
	return expr_constant(c, 0);
}

/*
 * Reads where a dynamic field's bytes lie. It keeps the 32-bit arithmetic of libtraceevent, wraps
 * included, because its texts must be equal; run_bytes() bounds what is read then.
 */
void run_dynamic(const struct run *r, const struct tdat_field *f, uint64_t *off, uint64_t *len)
{
	uint64_t v, o, l;

	*off = *len = 0;
	if ((uint64_t)f->off + f->len > r->size)
		return;
	v = tdat_load_uint(r->data + f->off, f->len, f->format->big);
	o = v & 0xffff;
	/* Kernels before 2.6.33 stored an offset of 16 bits only: the string reaches to the end. */
	l = f->len == 2 ? (uint32_t)(r->size - o) : (v >> 16) & 0xffff;
	*off = o > r->size ? 0 : o;
	*len = (uint32_t)(o + l) > r->size ? 0 : l;
	if (f->flags & TDAT_FIELD_RELATIVE)
		*off += (uint64_t)f->off + f->len;
}

/*
 * Loads an element at an offset that was computed; outside the record it is 0. The offset wraps at
 * 32 bits, as libtraceevent's unsigned int does.
 */
static uint64_t load_at(const struct run *r, const struct expr *x, uint64_t off)
{
	off = (uint32_t)off;
	if (off > INT32_MAX || off + x->elem > r->size)
		return 0;
	return tdat_load_uint(r->data + off, x->elem, x->big) & x->k;
}

/* Evaluates the length, an element or the offset of a dynamic array. */
static uint64_t eval_dynamic(const struct run *r, const struct expr *x)
{
	uint64_t off, len;

	run_dynamic(r, x->field, &off, &len);
	if (x->op == X_DYN_LEN)
		return len;
	if (x->op == X_DYN_INDEX)
		return load_at(r, x, off + expr_eval(r, x->a));
	return off > r->size ? 0 : off;
}

/* Evaluates the operations that only the kernel's reading of print fmt has. */
static uint64_t eval_kernel(const struct run *r, const struct expr *x)
{
	uint64_t a;

	switch (x->op) {
	case X_S8:
		return (uint64_t)(int8_t)r->data[x->off];
	case X_S16:
		return (uint64_t)(int16_t)tdat_load16(r->data + x->off, x->big);
	case X_S32:
		return (uint64_t)(int32_t)tdat_load32(r->data + x->off, x->big);
	case X_SIGN:
		return expr_sign(expr_eval(r, x->a), (unsigned)x->k);
	case X_BOOL:
		return expr_eval(r, x->a) != 0;
	case X_AT:
		a = expr_eval(r, x->a);
		/* An offset may come from the record itself: a pointer into a dynamic array. */
		if (a > r->size || x->elem > r->size - a)
			return 0;
		a = tdat_load_uint(r->data + a, x->elem, x->big);
		return x->k ? expr_sign(a, 8u * x->elem) : a;
	case X_SWAP:
		a = expr_eval(r, x->a);
		return __builtin_bswap64(a) >> (64 - 8 * x->elem);
	default:
		a = expr_eval(r, x->a);
		return expr_apply(x->op, a, expr_eval(r, x->b));
	}
}

/*
 * Evaluates an expression over one record. Loads at fixed offsets are unchecked here: print_pad.c
 * makes every record at least fixed_len bytes long.
 */
uint64_t expr_eval(const struct run *r, const struct expr *x)
{
	uint64_t a;

	switch (x->op) {
	case X_CONST:
		return x->k;
	case X_U8:
		return r->data[x->off];
	case X_U16:
		return tdat_load16(r->data + x->off, x->big);
	case X_U32:
		return tdat_load32(r->data + x->off, x->big);
	case X_U64:
		return tdat_load64(r->data + x->off, x->big);
	case X_MASK:
		return expr_eval(r, x->a) & x->k;
	case X_NOT:
		return !expr_eval(r, x->a);
	case X_COND:
		return expr_eval(r, expr_eval(r, x->a) ? x->b : x->c);
	case X_INDEX:
		a = expr_eval(r, x->a);
		return load_at(r, x, x->off + a * x->elem);
	case X_DYN_INDEX:
	case X_DYN_LEN:
	case X_DYN_OFF:
		return eval_dynamic(r, x);
	case X_CALL:
		return call_run(r, x->call, NULL);
	default:
		if (x->op > X_CALL)
			return eval_kernel(r, x);
		a = expr_eval(r, x->a);
		return expr_apply(x->op, a, expr_eval(r, x->b));
	}
}
