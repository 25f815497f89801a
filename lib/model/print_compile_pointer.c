/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Items of the %p family, and the complaints libtraceevent prints in their place. Which letters
 * belong to a conversion was decided by print_split.c. Conversions that libtraceevent refuses
 * become items that print its complaint. The code that prints them is print_pointer.c.
 */
#include "print_compile.h"

#include <string.h>

/*
 * Puts a complaint of libtraceevent into the literals, in place of a value. type is a number of
 * enum ast_type.
 */
static void complain(struct compiler *c, struct item *it, const char *fmt, int type)
{
	it->op = I_NONE;
	tdat_build_printf(&c->text, fmt, type);
}

/*
 * Returns the field behind casts; NULL: there is none, and the complaint of libtraceevent was put
 * in its place.
 */
static const struct tdat_field *pointed_field(struct compiler *c, const struct ast *n,
					      struct item *it)
{
	while (n->type == AST_TYPE)
		n = n->a;
	if (n->type != AST_FIELD) {
		complain(c, it, "ARG TYPE NOT FIELD BUT %d", (int)n->type);
		return NULL;
	}
	if (!n->field)
		it->op = I_NONE;
	return n->field;
}

/* Compiles a conversion of len bytes at a field; of another size it prints the text wrong. */
static void pointed(struct compiler *c, const struct ast *n, struct item *it, enum item_op op,
		    uint32_t len, const char *wrong)
{
	const struct tdat_field *f = pointed_field(c, n, it);

	if (!f)
		return;
	it->op = (uint8_t)op;
	it->off = f->off;
	it->len = f->len;
	if (f->len != len) {
		it->op = I_NONE;
		tdat_build_str(&c->text, wrong);
	}
}

/* True if the bytes must be swapped: h is host order, l little endian, others as they are. */
static bool ip4_reverse(const struct compiler *c, char letter)
{
	return letter == 'l' || (letter == 'h' && !c->format->big);
}

/* Compiles %pIS and %piS. star_prec serves as the flag "reversed" of this item. */
static void compile_sockaddr(struct compiler *c, const char *p, const struct ast *n,
			     struct item *it)
{
	if (it->letter == 'I') {
		if (*p == 'p') {
			it->flag = true; /* port */
			p++;
		}
		if (*p == 'c') {
			it->flag2 = true; /* compressed */
			p++;
		}
	}
	it->star_prec = ip4_reverse(c, *p);
	while (n->type == AST_TYPE)
		n = n->a;
	if (n->type != AST_FIELD && n->type != AST_DYN) {
		complain(c, it, "ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE %d", (int)n->type);
		return;
	}
	it->op = n->field ? I_SOCKADDR : I_NONE;
	it->field = n->field;
	it->letter2 = n->type == AST_DYN ? 'd' : 'f';
}

static void compile_ip(struct compiler *c, const char *p, const struct ast *n, struct item *it)
{
	it->letter = p[0];
	switch (p[1]) {
	case '4':
		it->flag = ip4_reverse(c, p[2]);
		pointed(c, n, it, I_IP4, 4, "INVALIDIPv4");
		break;
	case '6':
		it->flag = p[0] == 'I' && p[2] == 'c';
		pointed(c, n, it, I_IP6, 16, "INVALIDIPv6");
		break;
	case 'S':
		compile_sockaddr(c, p + 2, n, it);
		break;
	default:
		it->op = I_NONE;
	}
}

/* Compiles %pM, %pMF, %pMR and %pm. */
static void compile_mac(struct compiler *c, const char *p, const struct ast *n, struct item *it)
{
	it->letter = p[0] == 'm' ? '\0' : p[1] == 'F' ? '-' : ':';
	it->flag = p[1] == 'R';
	pointed(c, n, it, I_MAC, 6, "INVALIDMAC");
}

/* Compiles %*ph: libtraceevent takes dynamic arrays only. */
static void compile_buffer(struct compiler *c, const char *p, const struct ast *n, struct item *it)
{
	it->letter = p[1] == 'C' ? ':' : p[1] == 'D' ? '-' : p[1] == 'N' ? '\0' : ' ';
	if (n->type != AST_DYN) {
		complain(c, it, "ARG TYPE NOT FIELD BUT %d", (int)n->type);
		return;
	}
	it->op = I_BUFFER;
	it->field = n->field;
}

void item_compile_pointer(struct compiler *c, const struct part *part, struct item *it)
{
	const char *p = strchr(part->text, 'p') + 1;
	const struct ast *n = part->arg;

	if (part->star)
		it->star = expr_compile(c, part->star);
	it->letter = p[0];
	/* A function's text is printed in place of bytes, as libtraceevent does. */
	if (n->type == AST_FUNC && p[0] && strchr("MmIiUh", p[0])) {
		it->op = I_CALL;
		it->call = compile_call(c, n);
		return;
	}
	switch (p[0]) {
	case 'F':
	case 'S':
	case 'f':
	case 's':
		it->op = I_FUNCTION;
		it->flag = p[0] == 'F' || p[0] == 'S';
		it->value = expr_compile(c, n);
		break;
	case 'M':
	case 'm':
		compile_mac(c, p, n, it);
		break;
	case 'I':
	case 'i':
		compile_ip(c, p, n, it);
		break;
	case 'U':
		it->flag = p[1] == 'L' || p[1] == 'B';	/* upper case */
		it->flag2 = p[1] == 'L' || p[1] == 'l'; /* little-endian GUID */
		pointed(c, n, it, I_UUID, 16, "INVALIDUUID");
		break;
	case 'h':
		compile_buffer(c, p, n, it);
		break;
	default:
		it->op = I_POINTER;
		it->value = expr_compile(c, n);
	}
}
