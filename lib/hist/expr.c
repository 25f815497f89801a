/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the arithmetic of hist triggers. The root of an expression is its last + or -, or else
 * its last * or /, so that operators of one precedence group from the left. Constants are
 * folded while parsing, and refusals are the kernel's, with its places in the text. The result
 * is a tree of struct hist_field, which eval.c evaluates.
 */
#include "expr.h"

#include "field.h"

/* The kernel's HIST_DIV_SHIFT, and its limit of nested expressions ("3 max" in its message). */
enum { DIV_SHIFT = 20, DEPTH_MOST = 3 };

/* The operator at the root, 'n' for an unary minus, 0: none; *at is where it stands. */
static char root_operator(char *text, char **at)
{
	/* Only the last operator is the root, so a-b-c is (a-b)-c. */
	char *minus = strrchr(text, '-'), *plus, *div, *mul;

	*at = minus;
	if (minus == text)
		return 'n';
	plus = strrchr(text, '+');
	/* + and - bind weaker, so they are sought before / and *. */
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

/* Applies an operator as the kernel does at run time: u64, wrapping. */
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
		/* hist_field_div() returns -1 for a division by 0. */
		return b ? a / b : UINT64_MAX;
	case HIST_FN_DIV_POWER:
		return a >> __builtin_ctzll(divisor->constant);
	case HIST_FN_DIV_CONST:
		return a / divisor->constant;
	case HIST_FN_DIV_SHIFT:
		/*
		 * The product is exact enough below 2^20; above, the kernel divides
		 * (div_by_mult_and_shift()).
		 */
		if (a >= 1u << DIV_SHIFT)
			return a / divisor->constant;
		return (a * divisor->multiplier + ((1u << DIV_SHIFT) - 1)) >> DIV_SHIFT;
	default:
		return 0;
	}
}

/* Returns how the kernel divides by a constant, and sets its multiplier. The constant is not 0. */
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

/* "$x", "field.modifier" or a number, as the kernel's expr_field_str() prints it. */
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

/* Returns the text of a tree, or NULL if it is nested deeper than the kernel prints. */
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

/* Parses "-(EXPR)". Without parentheses the kernel fails without a text. */
static struct hist_field *parse_negative(struct tdat_hist *h, struct hist_data *d, char *text,
					 uint32_t flags, const char *var_name, uint32_t *depth)
{
	struct hist_field *f, *a;
	char *end;

	if (++*depth > DEPTH_MOST)
		return hist_refused(h, HIST_E_SUBEXPR, text);
	text++;
	if (!strchr(text, '('))
		return NULL;
	text++;
	end = strrchr(text, ')');
	if (!end)
		return NULL;
	/* "-(a)+b" is refused: the kernel does not split behind a unary minus. */
	if (end[1])
		return hist_refused(h, HIST_E_NEG, text);
	*end = '\0';
	f = hist_field_new(h, d, NULL, flags | HF_EXPR, var_name);
	a = f ? hist_field_expr(h, d, text, 0, NULL, depth) : NULL;
	if (!a)
		return NULL;
	if (a->flags & HF_STRING)
		return hist_refused(h, HIST_E_STRING, text);
	/* The result keeps its units, for the check in combine(). */
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

/* Returns the variable that an operand refers to, or the operand itself. */
static struct hist_field *behind(struct hist_field *f)
{
	if (!(f->flags & (HF_VAR_REF | HF_ALIAS)))
		return f;
	return f->name ? hist_var_of(f->data, f->name) : NULL;
}

/* Parses one side of an operator. Strings have no arithmetic. */
static struct hist_field *parse_operand(struct tdat_hist *h, struct hist_data *d, char *text,
					uint32_t *depth)
{
	struct hist_field *f = hist_field_expr(h, d, text, 0, NULL, depth);

	if (f && (f->flags & HF_STRING))
		return hist_refused(h, HIST_E_STRING, text);
	return f;
}

/* Only the four operators of root_operator() come here. */
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

	/* A reference may lead to no variable: the kernel then fails without a text. */
	if (!va || !vb)
		return NULL;
	/* Only one side has .usecs: the kernel refuses to mix units. */
	if ((va->flags & HF_USECS) != (vb->flags & HF_USECS))
		return hist_refused(h, HIST_E_STAMPS, NULL);
	constant = va->flags & vb->flags & HF_CONST;
	flags |= (constant ? HF_CONST : HF_EXPR) | (a->flags & (HF_TIMESTAMP | HF_USECS));
	f = hist_field_new(h, d, NULL, flags, var_name);
	if (!f)
		return NULL;
	/*
	 * Reading an operand unsets it: a variable of another histogram is used once (read_refs()
	 * of hit.c).
	 */
	a->read_once = b->read_once = true;
	/* A constant divisor is known now, so division by zero is an error of the text. */
	if (op == '/' && (vb->flags & HF_CONST)) {
		b->constant = vb->constant;
		if (!b->constant)
			return hist_refused(h, HIST_E_DIV, right);
		fn = division_by(b);
	}
	f->fn = fn;
	/* Both constant: the tree is replaced by its value. Its name is the value's text. */
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

	if (*depth > DEPTH_MOST)
		return hist_refused(h, HIST_E_SUBEXPR, text);
	/* Each word is its own root; operators split the text into left and right. */
	op = root_operator(text, &at);
	if (!op)
		return hist_field_atom(h, d, text, &flags, var_name);
	if (op == 'n')
		return parse_negative(h, d, text, flags, var_name, depth);
	++*depth;
	*at++ = '\0';
	/* "a+" and "+a" have an empty side: the kernel fails without a text. */
	if (!*text || !*at)
		return NULL;
	a = parse_operand(h, d, text, depth);
	b = a ? parse_operand(h, d, at, depth) : NULL;
	return b ? combine(h, d, op, a, b, flags, var_name, at) : NULL;
}
