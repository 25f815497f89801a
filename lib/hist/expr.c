/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the arithmetic of hist triggers. The root of an expression is its last + or -, or else
 * its last * or /, so that operators of one precedence group from the left. Constants are
 * folded while parsing, and refusals are the kernel's, with its places in the text. The result
 * is a tree of struct hist_field, which eval.c evaluates.
 */
#include "expr.h"

#include "field.h"

enum { DIV_SHIFT = 20, DEPTH_MOST = 3 };

/* The operator at the root, 'n' for an unary minus, 0: none; *at is where it stands. */
static char root_operator(char *text, char **at)
{
	char *minus = strrchr(text, '-'), *plus, *div, *mul;

	*at = minus;
	if (minus == text)
		return 'n';
	plus = strrchr(text, '+');
	if (minus || plus) {
		if (plus && (!minus || plus > minus))
			*at = plus;
		return **at;
	}
	div = strrchr(text, '/');
	mul = strrchr(text, '*');
	*at = mul && (!div || mul > div) ? mul : div;
	return *at ? **at : 0;
}

uint64_t hist_expr_apply(enum hist_fn fn, uint64_t a, uint64_t b, const struct hist_field *divisor)
{
	switch (fn) {
	case HIST_FN_ADD:
		return a + b;
	case HIST_FN_SUB:
		return a - b;
	case HIST_FN_MUL:
		return a * b;
	case HIST_FN_DIV:
		return b ? a / b : UINT64_MAX;
	case HIST_FN_DIV_POWER:
		return a >> __builtin_ctzll(divisor->constant);
	case HIST_FN_DIV_CONST:
		return a / divisor->constant;
	case HIST_FN_DIV_SHIFT:
		if (a >= 1u << DIV_SHIFT)
			return a / divisor->constant;
		return (a * divisor->multiplier + ((1u << DIV_SHIFT) - 1)) >> DIV_SHIFT;
	default:
		return 0;
	}
}

/* How the kernel divides by a constant. */
static enum hist_fn division_by(struct hist_field *divisor)
{
	const uint64_t v = divisor->constant;

	if (!(v & (v - 1)))
		return HIST_FN_DIV_POWER;
	if (v > 1u << DIV_SHIFT)
		return HIST_FN_DIV_CONST;
	divisor->multiplier = (UINT64_C(1) << DIV_SHIFT) / v;
	return HIST_FN_DIV_SHIFT;
}

/* ---- the text of an expression, as the trigger line has it ---- */

static const char *operand_text(struct tdat_hist *h, const struct hist_field *f)
{
	const char *modifier = NULL;

	if (f->flags && !(f->flags & HF_VAR_REF))
		modifier = hist_field_modifier(f);
	if (f->flags & HF_CONST)
		return hist_text(h, "%llu%s%s%s", (unsigned long long)f->constant,
				 hist_field_name(h, f), modifier ? "." : "",
				 modifier ? modifier : "");
	return hist_text(h, "%s%s%s%s", f->flags & HF_VAR_REF ? "$" : "", hist_field_name(h, f),
			 modifier ? "." : "", modifier ? modifier : "");
}

static const char *expr_text(struct tdat_hist *h, const struct hist_field *f, uint32_t level)
{
	const char *a, *b;

	if (level > 1)
		return NULL;
	if (!f->operands[0])
		return operand_text(h, f);
	if (f->op == 'n') {
		a = expr_text(h, f->operands[0], level + 1);
		return a ? hist_text(h, "-(%s)", a) : NULL;
	}
	if (!f->op)
		return NULL;
	a = operand_text(h, f->operands[0]);
	b = operand_text(h, f->operands[1]);
	return a && b ? hist_text(h, "%s%c%s", a, f->op, b) : NULL;
}

/* ---- parsing ---- */

static struct hist_field *parse_negative(struct tdat_hist *h, struct hist_data *d, char *text,
					 uint32_t flags, const char *var_name, uint32_t *depth)
{
	struct hist_field *f, *a;
	char *end;

	if (++*depth > DEPTH_MOST) {
		hist_refuse(h, HIST_E_SUBEXPR, text);
		return NULL;
	}
	text++;
	if (!strchr(text, '('))
		return NULL;
	text++;
	end = strrchr(text, ')');
	if (!end)
		return NULL;
	if (end[1]) {
		hist_refuse(h, HIST_E_NEG, text);
		return NULL;
	}
	*end = '\0';
	f = hist_field_new(h, d, NULL, flags | HF_EXPR, var_name);
	a = f ? hist_field_expr(h, d, text, 0, NULL, depth) : NULL;
	if (!a)
		return NULL;
	if (a->flags & HF_STRING) {
		hist_refuse(h, HIST_E_STRING, text);
		return NULL;
	}
	f->flags |= a->flags & (HF_TIMESTAMP | HF_USECS);
	f->fn = HIST_FN_NEG;
	f->operands[0] = a;
	f->size = a->size;
	f->is_signed = a->is_signed;
	f->op = 'n';
	f->name = expr_text(h, f, 0);
	f->type = a->type;
	return f;
}

/* The variable that an operand refers to; the operand itself when it refers to none. */
static struct hist_field *behind(struct hist_field *f)
{
	if (!(f->flags & (HF_VAR_REF | HF_ALIAS)))
		return f;
	return f->name ? hist_var_of(f->data, f->name) : NULL;
}

static struct hist_field *parse_operand(struct tdat_hist *h, struct hist_data *d, char *text,
					uint32_t *depth)
{
	struct hist_field *f = hist_field_expr(h, d, text, 0, NULL, depth);

	if (f && (f->flags & HF_STRING)) {
		hist_refuse(h, HIST_E_STRING, text);
		return NULL;
	}
	return f;
}

static enum hist_fn fn_of(char op)
{
	return op == '-'   ? HIST_FN_SUB
	       : op == '+' ? HIST_FN_ADD
	       : op == '*' ? HIST_FN_MUL
			   : HIST_FN_DIV;
}

/* Two operands to one expression, or to a constant when both are constant. */
static struct hist_field *combine(struct tdat_hist *h, struct hist_data *d, char op,
				  struct hist_field *a, struct hist_field *b, uint32_t flags,
				  const char *var_name, const char *right)
{
	struct hist_field *va = behind(a), *vb = behind(b), *f;
	enum hist_fn fn = fn_of(op);
	bool constant;

	if (!va || !vb)
		return NULL;
	if ((va->flags & HF_USECS) != (vb->flags & HF_USECS)) {
		hist_refuse(h, HIST_E_STAMPS, NULL);
		return NULL;
	}
	constant = va->flags & vb->flags & HF_CONST;
	flags |= (constant ? HF_CONST : HF_EXPR) | (a->flags & (HF_TIMESTAMP | HF_USECS));
	f = hist_field_new(h, d, NULL, flags, var_name);
	if (!f)
		return NULL;
	a->read_once = b->read_once = true;
	if (op == '/' && (vb->flags & HF_CONST)) {
		b->constant = vb->constant;
		if (!b->constant) {
			hist_refuse(h, HIST_E_DIV, right);
			return NULL;
		}
		fn = division_by(b);
	}
	f->fn = fn;
	if (constant) {
		f->constant = hist_expr_apply(fn, va->constant, vb->constant, b);
		f->fn = HIST_FN_CONST;
		f->name = expr_text(h, f, 0);
		return f;
	}
	f->operands[0] = a;
	f->operands[1] = b;
	f->size = a->size;
	f->is_signed = a->is_signed;
	f->op = op;
	f->type = a->type;
	f->name = expr_text(h, f, 0);
	return f;
}

struct hist_field *hist_field_expr(struct tdat_hist *h, struct hist_data *d, char *text,
				   uint32_t flags, const char *var_name, uint32_t *depth)
{
	struct hist_field *a, *b;
	char *at, op;

	if (*depth > DEPTH_MOST) {
		hist_refuse(h, HIST_E_SUBEXPR, text);
		return NULL;
	}
	op = root_operator(text, &at);
	if (!op)
		return hist_field_atom(h, d, text, &flags, var_name);
	if (op == 'n')
		return parse_negative(h, d, text, flags, var_name, depth);
	++*depth;
	*at++ = '\0';
	if (!*text || !*at)
		return NULL;
	a = parse_operand(h, d, text, depth);
	b = a ? parse_operand(h, d, at, depth) : NULL;
	return b ? combine(h, d, op, a, b, flags, var_name, at) : NULL;
}
