/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles the trees of a print fmt to expressions with C's types: integer promotion, the usual
 * conversions, signed and unsigned operations of the width that each type has on the recorded
 * machine. A field's type is what its format says. Pointers to the record are offsets in it;
 * what other pointers point to is memory of the kernel, which no recording has.
 */
#include "kfmt_compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel_consts.h"

/* Keeps the first reason only: what fails around it says less. */
struct kval kval_fail(struct kcompiler *k, const char *fmt, ...)
{
	va_list args;

	if (!k->why[0]) {
		va_start(args, fmt);
		vsnprintf(k->why, k->why_len, fmt, args);
		va_end(args);
	}
	return (struct kval){.x = NULL};
}

struct kval kval_of(const struct expr *x, uint8_t len, bool is_signed)
{
	return (struct kval){.x = x, .type = {.len = len, .is_signed = is_signed}};
}

/* Returns a constant of that type. */
static struct kval constant(struct kcompiler *k, uint64_t v, struct ktype type)
{
	return (struct kval){.x = expr_constant(k->c, v), .type = type};
}

/* Bytes of a value of that type. */
static uint8_t value_len(const struct kcompiler *k, const struct ktype *t)
{
	return t->ptr ? k->word : t->len;
}

/* ---- conversions ---- */

/*
 * Returns a with bit bits - 1 extended to 64 bits. Values that have their sign there already need
 * no operation.
 */
static const struct expr *sign_extended(struct kcompiler *k, const struct expr *a, unsigned bits)
{
	if (!a || bits >= 64)
		return a;
	if (a->op == X_CONST)
		return expr_constant(k->c, expr_sign(a->k, bits));
	if ((a->op == X_S8 && bits >= 8) || (a->op == X_S16 && bits >= 16) ||
	    (a->op == X_S32 && bits >= 32) || (a->op == X_U8 && bits > 8) ||
	    (a->op == X_U16 && bits > 16))
		return a;
	return expr_unary(k->c, X_SIGN, a, 0, bits);
}

/* Returns the low len bytes of x as a number of that sign: C's conversion to an integer type. */
static const struct expr *cut_to(struct kcompiler *k, const struct expr *x, uint8_t len,
				 bool is_signed)
{
	if (is_signed)
		return sign_extended(k, x, 8u * len);
	return expr_mask(k->c, x, len >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * len) - 1);
}

/* True if every value of from is a value of to with the same 64 bits: then nothing is computed. */
static bool holds(const struct ktype *to, uint8_t to_len, const struct ktype *from,
		  uint8_t from_len)
{
	if (to->is_signed == from->is_signed)
		return to_len >= from_len;
	return to->is_signed && to_len > from_len;
}

/*
 * Converts a value as a C cast or assignment does. A cast of a pointer changes what it points to,
 * not its value.
 */
struct kval kexpr_convert(struct kcompiler *k, struct kval v, struct ktype type)
{
	const uint8_t len = value_len(k, &type), from = value_len(k, &v.type);
	struct ktype unsigned_type = type, from_type = v.type;

	if (!v.x)
		return v;
	if (type.ptr || !len) { /* also of structures: nothing is computed */
		if (type.ptr)
			v.type = type;
		return v;
	}
	if (v.in_record)
		return kval_fail(k, "it is an address in the kernel's ring buffer");
	/* Unlike other integers, _Bool is not cut: any value but 0 becomes 1. */
	if (type.is_bool)
		return (struct kval){.x = expr_unary(k->c, X_BOOL, v.x, 0, 0), .type = type};
	unsigned_type.is_signed = type.is_signed && !type.ptr;
	from_type.is_signed = v.type.is_signed && !v.type.ptr;
	if (!holds(&unsigned_type, len, &from_type, from ? from : 8))
		v.x = cut_to(k, v.x, len, unsigned_type.is_signed);
	v.type = type;
	v.field = NULL;
	return v;
}

/* C's integer promotion: types narrower than int become int. */
static struct ktype promoted(struct ktype t)
{
	if (!t.ptr && t.len < 4)
		t = (struct ktype){.len = 4, .is_signed = true};
	t.is_bool = false;
	return t;
}

/*
 * Returns the type that both operands of an operation get: C's usual arithmetic conversions. Of
 * equal lengths the unsigned type wins, else the longer one; pointers are unsigned longs.
 */
static struct ktype common_type(const struct kcompiler *k, struct ktype a, struct ktype b)
{
	a = promoted(a);
	b = promoted(b);
	if (a.ptr || b.ptr)
		return (struct ktype){.len = k->word};
	if (a.len == b.len)
		return a.is_signed ? b : a;
	return a.len > b.len ? a : b;
}

/* ---- fields ---- */

/*
 * Returns a pointer to a place in the record, whose value is the offset. Reads through it end with
 * field f.
 */
static struct kval place(struct kcompiler *k, const struct tdat_field *f, uint32_t off,
			 struct ktype target)
{
	struct kval v = constant(k, off, target);

	v.type.ptr++;
	v.in_record = true;
	v.field = f;
	return v;
}

/* host1x_cdma_push_gather has a bool cmdbuf and an array cmdbuf, __data_loc_cmdbuf in C. */
const struct tdat_field *kfmt_dynamic_field(const struct kcompiler *k, const char *name)
{
	const struct tdat_event_format *format = k->c->format;

	for (size_t i = 0; i < format->field_count; i++)
		if (format->fields[i].flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE) &&
		    !strcmp(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}

static bool is_array(const struct tdat_field *f)
{
	return f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_FLEXIBLE | TDAT_FIELD_STRING);
}

/* Compiles REC->name. Arrays become pointers to their first element, as in C. */
static struct kval field_value(struct kcompiler *k, const struct tdat_field *f, const char *name)
{
	struct ktype t;

	/*
	 * Some print fmts read the location word itself, under the name that the kernel's macros
	 * give it.
	 */
	if (!f && !strncmp(name, "__data_loc_", 11))
		f = kfmt_dynamic_field(k, name + 11);
	if (!f)
		return kval_fail(k, "the event has no field %s", name);
	if (f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE)) {
		if (f->len != 4 && f->len != 8)
			return kval_fail(k, "field %s has %u bytes", f->name, f->len);
		return kval_of(expr_load(k->c, f->off, f->len, false), (uint8_t)f->len, false);
	}
	t = ktype_of_field(f);
	if (is_array(f))
		return place(k, f, f->off, t);
	if (t.ptr && f->len == k->word)
		return (struct kval){.x = expr_load(k->c, f->off, k->word, false), .type = t};
	/* A structure, or a type whose size here differs from the recorded one. */
	if (t.ptr || t.len != f->len)
		return kval_fail(k, "the layout of %s is not recorded", f->type);
	return (struct kval){.x = expr_load(k->c, f->off, t.len, t.is_signed), .type = t};
}

/* Compiles &n, also for structures, which have no value but a place. */
static struct kval address_of(struct kcompiler *k, const struct kn *n)
{
	struct kval v;

	switch (n->kind) {
	case KN_FIELD:
		if (!n->field)
			return kval_fail(k, "the event has no field %s", n->text);
		if (n->field->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE))
			return kval_fail(k, "it is an address in the kernel's ring buffer");
		return place(k, n->field, n->field->off, ktype_of_field(n->field));
	/* &a[i] is a + i. */
	case KN_INDEX:
		v = kexpr_compile(k,
				  &(struct kn){.kind = KN_BINARY, .op = '+', .a = n->a, .b = n->b});
		if (v.x && !v.type.ptr)
			return kval_fail(k, "it indexes a value that is not an array");
		return v;
	case KN_UNARY:
		if (n->op == '*')
			return kexpr_compile(k, n->a);
		break;
	case KN_CAST:
		return address_of(k, n->a);
	case KN_DOT:
		return kval_fail(k, "the layout of the structure with %s is not recorded", n->text);
	default:
		break;
	}
	return kval_fail(k, "it takes the address of a value");
}

/*
 * Compiles *v: the number in the record that a pointer points to. A constant place inside its field
 * becomes a plain load; others are checked for each record (X_AT).
 */
static struct kval target_of(struct kcompiler *k, struct kval v)
{
	if (!v.x)
		return v;
	if (!v.type.ptr)
		return kval_fail(k, "it dereferences a value that is not a pointer");
	if (!v.in_record)
		return kval_fail(k, "it reads kernel memory, which is not recorded");
	v.type.ptr--;
	v.in_record = false;
	if (v.type.ptr ? k->word == 0 : !v.type.len)
		return kval_fail(k, "the layout of what it points to is not recorded");
	if (v.x->op == X_CONST && v.field && v.x->k >= v.field->off &&
	    v.x->k + value_len(k, &v.type) <= (uint64_t)v.field->off + v.field->len) {
		v.x = expr_load(k->c, (uint32_t)v.x->k, value_len(k, &v.type),
				v.type.is_signed && !v.type.ptr);
		return v;
	}
	v.x = expr_unary(k->c, X_AT, v.x, value_len(k, &v.type), v.type.is_signed && !v.type.ptr);
	return v;
}

/*
 * Compiles REC->field.member for structures that wrap one number, such as kuid_t or atomic_t: their
 * format says 4 or 8 bytes, and the member is all of them.
 */
static struct kval member_value(struct kcompiler *k, const struct kn *n)
{
	static const char *const wrapped[] = {"val", "s_addr", "counter", "pte",
					      "pmd", "pud",    "pgd"};
	const struct tdat_field *f = n->a->kind == KN_FIELD ? n->a->field : NULL;

	for (size_t i = 0; f && i < sizeof(wrapped) / sizeof(wrapped[0]); i++)
		if (!strcmp(n->text, wrapped[i]) && (f->len == 4 || f->len == 8) &&
		    !(f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_POINTER)))
			return kval_of(
				expr_load(k->c, f->off, f->len, f->flags & TDAT_FIELD_SIGNED),
				(uint8_t)f->len, f->flags & TDAT_FIELD_SIGNED);
	return kval_fail(k, "the layout of the structure with %s is not recorded", n->text);
}

/* ---- operators ---- */

/* Returns the operation of a C operator, the signed one if the type is signed. */
static unsigned expr_op_of(int op, bool is_signed)
{
	const struct print_operator *o = operator_of(op);

	return !o ? 0 : is_signed ? o->with_sign : o->plain;
}

/* True if the result is an int, 0 or 1, whatever the operands are. */
static bool is_comparison(int op)
{
	return strchr("<>", op < KOP_SHL ? op : 'x') || op == KOP_LE || op == KOP_GE ||
	       op == KOP_EQ || op == KOP_NE;
}

/* Compiles pointer + number, number + pointer and pointer - number: the number counts targets. */
static struct kval pointer_sum(struct kcompiler *k, int op, struct kval p, struct kval by)
{
	struct ktype target = p.type;
	uint64_t size;

	target.ptr--;
	size = value_len(k, &target);
	if (by.type.ptr)
		return kval_fail(k, "it subtracts two pointers");
	if (target.opaque && !target.ptr)
		return kval_fail(k, "the size of a structure is not recorded");
	if (!size)
		size = 1; /* void *: as GCC has it */
	by = kexpr_convert(k, by, (struct ktype){.len = 8, .is_signed = true});
	if (!by.x)
		return by;
	p.x = expr_binary(k->c, op == '+' ? X_ADD : X_SUB, p.x,
			  size == 1 ? by.x
				    : expr_binary(k->c, X_MUL, by.x, expr_constant(k->c, size)));
	/*
	 * An offset into the record may go out of range, which reading it checks; an address wraps.
	 */
	if (!p.in_record)
		p.x = cut_to(k, p.x, k->word, false);
	return p;
}

/* Compiles && and ||. Both sides are evaluated: they have no side effects. */
static struct kval logical(struct kcompiler *k, int op, struct kval a, struct kval b)
{
	return kval_of(expr_binary(k->c, expr_op_of(op, false), a.x, b.x), 4, true);
}

/* Compiles a shift, whose type is that of its left side alone. */
static struct kval shift(struct kcompiler *k, int op, struct kval a, struct kval b)
{
	const struct ktype t = promoted(a.type);

	a = kexpr_convert(k, a, t);
	if (!a.x)
		return a;
	a.x = cut_to(k, expr_binary(k->c, expr_op_of(op, t.is_signed), a.x, b.x), t.len,
		     t.is_signed);
	return a;
}

/* Compiles an operation of two numbers in their common type. */
static struct kval arithmetic(struct kcompiler *k, int op, struct kval a, struct kval b)
{
	const struct ktype t = common_type(k, a.type, b.type);
	const bool compares = is_comparison(op);

	if (compares && (a.in_record || b.in_record)) { /* with NULL */
		return kval_of(expr_binary(k->c, expr_op_of(op, false), a.x, b.x), 4, true);
	}
	a = kexpr_convert(k, a, t);
	b = kexpr_convert(k, b, t);
	if (!a.x || !b.x)
		return a.x ? b : a;
	a.x = expr_binary(k->c, expr_op_of(op, t.is_signed), a.x, b.x);
	if (compares)
		return kval_of(a.x, 4, true);
	/* These leave no bits above those of the type. */
	if (!strchr("&|^%", op < KOP_SHL ? op : 'x') && (op != '/' || t.is_signed))
		a.x = cut_to(k, a.x, t.len, t.is_signed);
	a.type = t;
	return a;
}

/*
 * Compiles an operation of two values. Jiffies cannot be computed with, as their unit is not known.
 */
static struct kval binary(struct kcompiler *k, const struct kn *n)
{
	struct kval a = kexpr_compile(k, n->a), b;

	if (!a.x)
		return a;
	b = kexpr_compile(k, n->b);
	if (!b.x)
		return b;
	if (a.jiffies || b.jiffies)
		return kval_fail(k, "HZ is not recorded; give it with --hz");
	if (n->op == KOP_LAND || n->op == KOP_LOR)
		return logical(k, n->op, a, b);
	if (n->op == KOP_SHL || n->op == KOP_SHR)
		return shift(k, n->op, a, b);
	if ((n->op == '+' || n->op == '-') && a.type.ptr)
		return pointer_sum(k, n->op, a, b);
	if (n->op == '+' && b.type.ptr)
		return pointer_sum(k, n->op, b, a);
	return arithmetic(k, n->op, a, b);
}

/* Compiles &a, *a, !a, -a, ~a and +a. */
static struct kval unary(struct kcompiler *k, const struct kn *n)
{
	struct kval v;
	struct ktype t;

	if (n->op == '&')
		return address_of(k, n->a);
	v = kexpr_compile(k, n->a);
	if (!v.x || n->op == '*')
		return target_of(k, v);
	if (n->op == '!')
		return kval_of(expr_binary(k->c, X_EQ, v.x, expr_constant(k->c, 0)), 4, true);
	if (v.in_record || v.jiffies)
		return kval_fail(k, "it computes with an address");
	t = promoted(v.type);
	v = kexpr_convert(k, v, t);
	if (n->op == '-')
		v.x = expr_binary(k->c, X_SUB, expr_constant(k->c, 0), v.x);
	else if (n->op == '~')
		v.x = expr_binary(k->c, X_XOR, v.x, expr_constant(k->c, UINT64_MAX));
	v.x = cut_to(k, v.x, value_len(k, &t), t.is_signed);
	return v;
}

/* True for the constant 0, which is NULL beside a pointer. */
static bool is_zero(const struct kval *v)
{
	return v->x->op == X_CONST && !v->x->k;
}

/* The branch that a constant picks; the other one still has a say in the type. */
static struct kval picked(struct kcompiler *k, const struct kn *taken, const struct kn *other)
{
	struct kval v = kexpr_compile(k, taken), o;

	if (!v.x || v.type.ptr || v.in_record)
		return v;
	o = kexpr_try(k, other, NULL);
	if (!o.x || o.type.ptr || o.in_record)
		return v;
	return kexpr_convert(k, v, common_type(k, v.type, o.type));
}

/*
 * Compiles "a ? b : c". Only the chosen arm of a constant condition needs a value: macros leave
 * arms behind that could not be evaluated.
 */
static struct kval choice(struct kcompiler *k, const struct kn *n)
{
	struct kval cond = kexpr_compile(k, n->a), b, c;
	const struct expr *x;

	if (!cond.x)
		return cond;
	if (cond.x->op == X_CONST)
		return cond.x->k ? picked(k, n->b, n->c) : picked(k, n->c, n->b);
	b = kexpr_compile(k, n->b);
	if (!b.x)
		return b;
	c = kexpr_compile(k, n->c);
	if (!c.x)
		return c;
	if (b.jiffies != c.jiffies)
		return kval_fail(k, "HZ is not recorded; give it with --hz");
	if (b.in_record != c.in_record && !is_zero(&b) && !is_zero(&c))
		return kval_fail(k, "it chooses between an address and a place in the record");
	if (!b.type.ptr && !c.type.ptr) {
		const struct ktype t = common_type(k, b.type, c.type);

		b = kexpr_convert(k, b, t);
		c = kexpr_convert(k, c, t);
	}
	x = expr_cond(k->c, cond.x, b.x, c.x);
	/*
	 * "x ? pointer : NULL" points where its other arm points; print_at() prints NULL for offset
	 * 0.
	 */
	if (is_zero(&b) || !b.field) {
		b.in_record |= c.in_record;
		b.field = c.field;
		b.type = c.type.ptr ? c.type : b.type;
	}
	b.x = x;
	return b;
}

/* ---- names ---- */

/*
 * Compiles a name: a constant of C, or an enumerator that the kernel did not replace by its number
 * (kernel_consts.h). Its type is the first of int, unsigned and 64 bits that holds it.
 */
static struct kval name_value(struct kcompiler *k, const struct kn *n)
{
	const uint64_t int_max = INT32_MAX;
	int64_t v;

	if (!strcmp(n->text, "NULL"))
		return constant(k, 0, (struct ktype){.ptr = 1});
	if (!strcmp(n->text, "true") || !strcmp(n->text, "false"))
		return constant(k, n->text[0] == 't', (struct ktype){.len = 4, .is_signed = true});
	if (!strcmp(n->text, "HZ") || !strcmp(n->text, "jiffies"))
		return kval_fail(k, "%s is not recorded", n->text);
	if (!model_kernel_const(n->text, n->len, k->c->env->kernel_version, &v))
		return kval_fail(k, "the constant %s is not known", n->text);
	if (v >= INT32_MIN && v <= (int64_t)int_max)
		return constant(k, (uint64_t)v, (struct ktype){.len = 4, .is_signed = true});
	if (v > 0 && v <= UINT32_MAX)
		return constant(k, (uint64_t)v, (struct ktype){.len = 4});
	return constant(k, (uint64_t)v, (struct ktype){.len = 8, .is_signed = v < 0});
}

/* Compiles sizeof. The size of a field is recorded even where its type is not known. */
static struct kval size_value(struct kcompiler *k, const struct kn *n)
{
	const struct ktype size_t_type = {.len = k->word};
	struct ktype t = n->type;
	uint64_t len;

	if (t.opaque && !t.ptr)
		return kval_fail(k, "the size of a structure is not recorded");
	if (!n->a)
		return constant(k, value_len(k, &t), size_t_type);
	if (n->a->kind == KN_FIELD && n->a->field) {
		len = n->a->field->len;
	} else {
		struct kval v = kexpr_compile(k, n->a);

		if (!v.x)
			return v;
		len = value_len(k, &v.type);
	}
	return constant(k, len, size_t_type);
}

struct kval kexpr_compile(struct kcompiler *k, const struct kn *n)
{
	switch (n->kind) {
	case KN_NUM:
		return constant(k, n->num, n->type);
	case KN_STR: /* only whether it is there counts */
		return constant(k, 1, (struct ktype){.len = 1, .is_signed = true, .ptr = 1});
	case KN_NAME:
		return name_value(k, n);
	case KN_FIELD:
		return field_value(k, n->field, n->text);
	case KN_DOT:
		return member_value(k, n);
	case KN_INDEX:
		return target_of(k, address_of(k, n));
	case KN_CALL:
		return kcall_compile(k, n);
	case KN_CAST:
		return kexpr_convert(k, kexpr_compile(k, n->a), n->type);
	case KN_SIZEOF:
		return size_value(k, n);
	case KN_UNARY:
		return unary(k, n);
	case KN_BINARY:
		return binary(k, n);
	case KN_COND:
		return choice(k, n);
	case KN_BAD:
		return kval_fail(k, "%s", n->text);
	case KN_PAREN:
	case KN_LIST:
		break;
	}
	return kval_fail(k, "it uses a list as a number");
}

struct kval kexpr_try(const struct kcompiler *k, const struct kn *n, const struct ktype *type)
{
	char why[96] = "";
	struct kcompiler quiet = *k;
	struct kval v;

	quiet.why = why;
	quiet.why_len = sizeof(why);
	v = kexpr_compile(&quiet, n);
	return type ? kexpr_convert(&quiet, v, *type) : v;
}
