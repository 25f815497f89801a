/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles what "%s" prints in print fmts: strings, fields with text, tables of flags and
 * symbols, arrays, masks, choices between them, and the kernel's functions that make text. A
 * call of text becomes one item that kprint_run.c runs; an argument that cannot be evaluated
 * fails with its reason, and the caller prints fields instead.
 */
#include "kfmt_compile.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of up to this many bytes are names (comm has 16): they have a fast item. */
enum { NAME_MOST = 64 };

/* ---- tables ---- */

/*
 * Reads one { value, "text" }. False: the value is not constant or not known, so the entry can name
 * nothing; the others still do.
 */
static bool table_entry(struct kcompiler *k, const struct kn *n, struct ktype type, uint64_t *value,
			const struct kn **text)
{
	struct kval v;

	if (n->kind != KN_LIST || !n->args || !n->args->next || n->args->next->kind != KN_STR)
		return false;
	/* An entry that fails does not fail the argument. */
	v = kexpr_try(k, n->args, &type);
	if (!v.x || v.x->op != X_CONST)
		return false;
	*value = v.x->k;
	*text = n->args->next;
	return true;
}

/* Makes the table of __print_flags() or __print_symbolic(). NULL: c->result says why. */
static const struct pairs *table(struct kcompiler *k, const struct kn *list, const char *delim,
				 size_t delim_len, struct ktype type, const struct item *it)
{
	struct pairs *out = compile_alloc(k->c, sizeof(*out));
	struct pair *pairs;
	uint32_t count = 0;

	for (const struct kn *n = list; n; n = n->next)
		count++;
	pairs = tdat_arena_array(&k->c->prog->arena, count + 1u, sizeof(*pairs));
	if (!out || !pairs) {
		k->c->result = PROG_NOMEM;
		return NULL;
	}
	for (const struct kn *n = list; n; n = n->next) {
		struct pair *p = &pairs[out->count];
		const struct kn *text;

		if (!table_entry(k, n, type, &p->value, &text))
			continue;
		p->text = compile_keep_text(k->c, text->text, text->len);
		p->len = (uint32_t)text->len;
		p->at = out->count++;
		out->text_len += text->len;
	}
	out->list = pairs;
	out->delim = compile_keep_text(k->c, delim, delim_len);
	out->delim_len = (uint32_t)delim_len;
	out->text_len += (uint64_t)delim_len * out->count;
	if (k->c->result != PROG_OK)
		return NULL;
	compile_pairs_done(k->c, out, pairs, it, it->op == K_SYMBOL);
	return k->c->result == PROG_OK ? out : NULL;
}

/*
 * Compiles __print_flags(value, delim, {mask, "name"} ...) and __print_symbolic(value, {number,
 * "name"} ...). Values are unsigned longs, those of the _u64 forms 64 bits everywhere.
 */
static bool compile_table(struct kcompiler *k, const struct kn *n, struct item *it)
{
	const struct kn *list = n->args ? n->args->next : NULL;
	const bool wide = strstr(n->text, "_u64") != NULL;
	const struct ktype type = {.len = wide ? 8 : k->word};
	const char *delim = "";
	size_t delim_len = 0;
	struct kval v;

	if (!n->args || (it->op == K_FLAGS && !list))
		return kval_fail(k, "%s has no table", n->text).x;
	v = kexpr_convert(k, kexpr_compile(k, n->args), type);
	if (!v.x)
		return false;
	if (it->op == K_FLAGS) {
		if (list->kind == KN_STR) {
			/* NULL as a delimiter is allowed: then names follow each other directly. */
			delim = list->text;
			delim_len = list->len;
		}
		list = list->next;
	}
	it->value = v.x;
	it->pairs = table(k, list, delim, delim_len, type, it);
	return it->pairs != NULL;
}

/* ---- arrays ---- */

/*
 * Compiles an argument that points to bytes: it->value is their offset, it->field the array that
 * they end with. False: they are in the kernel's memory.
 */
static bool compile_place(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kval v = kexpr_compile(k, n);

	if (!v.x)
		return false;
	if (!v.in_record) {
		kval_fail(k, "it reads kernel memory, which is not recorded");
		return false;
	}
	it->value = v.x;
	it->field = v.field;
	return true;
}

/* Compiles an argument that is a count or a size. */
static bool compile_number(struct kcompiler *k, const struct kn *n, const struct expr **out)
{
	const struct ktype s64 = {.len = 8, .is_signed = true};
	const struct kval v = kexpr_convert(k, kexpr_compile(k, n), s64);

	*out = v.x;
	return v.x != NULL;
}

/* Returns argument i of a call; NULL: it has fewer. */
static const struct kn *nth(const struct kn *n, unsigned i)
{
	const struct kn *arg = n->args;

	while (arg && i--)
		arg = arg->next;
	return arg;
}

/* Compiles __print_hex(bytes, len) and __print_hex_str(bytes, len). */
static bool compile_hex(struct kcompiler *k, const struct kn *n, struct item *it)
{
	it->flag = !strcmp(n->text, "__print_hex"); /* blanks between bytes */
	if (!nth(n, 1))
		return kval_fail(k, "%s takes two arguments", n->text).x;
	return compile_place(k, nth(n, 0), it) && compile_number(k, nth(n, 1), &it->value2);
}

/* Compiles __print_array(array, count, size): size is that of an element in bytes. */
static bool compile_ints(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;

	if (!nth(n, 2))
		return kval_fail(k, "%s takes three arguments", n->text).x;
	return compile_place(k, nth(n, 0), it) && compile_number(k, nth(n, 1), &it->value2) &&
	       compile_number(k, nth(n, 2), &more->value3);
}

/*
 * Compiles __print_dynamic_array(field, size). The count follows from the array's bytes in each
 * record.
 */
static bool compile_dynamic_ints(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;
	/* kcall_dynamic() takes a call with one argument: the size is cut off in a copy. */
	struct kn of = {.kind = KN_CALL, .text = n->text};
	struct kn field = n->args ? *n->args : of;
	struct kval v;
	const struct expr *len;

	field.next = NULL;
	of.args = &field;
	if (!nth(n, 1) || !compile_number(k, nth(n, 1), &more->value3))
		return kval_fail(k, "%s takes a field and a size", n->text).x;
	v = kcall_dynamic(k, &of);
	if (!v.x)
		return false;
	len = expr_of_field(k->c, X_DYN_LEN, v.field);
	it->value = v.x;
	it->field = v.field;
	it->value2 = expr_binary(k->c, X_DIV, len, more->value3);
	return it->value2 != NULL;
}

/*
 * Compiles __print_hex_dump(prefix, kind of prefix, bytes a row, bytes a group, bytes, len, ascii).
 */
static bool compile_dump(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;
	const struct kn *prefix = nth(n, 0), *kind = nth(n, 1);
	const struct expr *ascii;

	if (!nth(n, 6) || prefix->kind != KN_STR || kind->kind != KN_NAME)
		return kval_fail(k, "%s has unexpected arguments", n->text).x;
	it->str = compile_keep_text(k->c, prefix->text, prefix->len);
	it->len = (uint32_t)prefix->len;
	it->letter = !strcmp(kind->text, "DUMP_PREFIX_OFFSET")	  ? 'o'
		     : !strcmp(kind->text, "DUMP_PREFIX_ADDRESS") ? 'a'
								  : 'n';
	/* The kernel would print where the bytes lay in its buffer. */
	if (it->letter == 'a')
		return kval_fail(k, "it is an address in the kernel's ring buffer").x;
	if (!compile_number(k, nth(n, 2), &more->value3) ||
	    !compile_number(k, nth(n, 3), &more->value4) || !compile_place(k, nth(n, 4), it) ||
	    !compile_number(k, nth(n, 5), &it->value2) || !compile_number(k, nth(n, 6), &ascii))
		return false;
	it->flag = ascii->op == X_CONST && ascii->k;
	return true;
}

/* ---- strings ---- */

/* Compiles a string constant; without a width it joins the literals (fold_text). */
static bool compile_literal(struct kcompiler *k, const struct kn *n, struct item *it)
{
	it->op = I_TEXT;
	it->str = compile_keep_text(k->c, n->text, n->len);
	it->len = (uint32_t)n->len;
	return it->str != NULL;
}

/*
 * Makes the fast item of a char array in the fixed part of the record. False: it is another kind of
 * field, or a width must be applied.
 */
static bool take_name(const struct kn *n, struct item *it)
{
	const struct tdat_field *f = n->kind == KN_FIELD ? n->field : NULL;

	if (!f || !it->k->plain || f->elem_len != 1 || !f->array_count || f->len > NAME_MOST ||
	    f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE | TDAT_FIELD_FLEXIBLE))
		return false;
	it->op = f->len == 16 ? I_NAME16 : I_NAME;
	it->off = f->off;
	it->len = f->len;
	it->k = NULL;
	return true;
}

/*
 * Compiles a pointer behind "%s": to a string in the record, or to one in the kernel's memory. Of
 * the latter only those are known that printk_formats lists.
 */
static bool compile_pointed(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kval v;

	if (take_name(n, it))
		return true;
	v = kexpr_compile(k, n);
	if (!v.x)
		return false;
	it->value = v.x;
	it->field = v.field;
	it->op = v.in_record ? K_AT : K_ADDRESS;
	return true;
}

/* Compiles what is in a dynamic array: a string, a mask or a stack. */
static bool compile_dynamic(struct kcompiler *k, const struct kn *n, struct item *it)
{
	struct kval v = kcall_dynamic(k, n);

	it->value = v.x;
	it->field = v.field;
	return v.x != NULL;
}

/*
 * Compiles a call behind "%s". A function that returns no text is an address that may be a
 * string's.
 */
static bool compile_text_call(struct kcompiler *k, const struct kn *n, struct item *it)
{
	static const struct {
		const char *name;
		enum item_op op;
		bool (*compile)(struct kcompiler *k, const struct kn *n, struct item *it);
	} calls[] = {
		{"__print_flags", K_FLAGS, compile_table},
		{"__print_symbolic", K_SYMBOL, compile_table},
		{"__print_flags_u64", K_FLAGS, compile_table},
		{"__print_symbolic_u64", K_SYMBOL, compile_table},
		{"__print_hex", K_HEX, compile_hex},
		{"__print_hex_str", K_HEX, compile_hex},
		{"__print_array", K_INTS, compile_ints},
		{"__print_dynamic_array", K_INTS, compile_dynamic_ints},
		{"__print_hex_dump", K_DUMP, compile_dump},
		{"__get_str", K_AT, compile_dynamic},
		{"__get_rel_str", K_AT, compile_dynamic},
		{"__get_bitmask", K_MASK, compile_dynamic},
		{"__get_rel_bitmask", K_MASK, compile_dynamic},
		{"__get_cpumask", K_MASK, compile_dynamic},
		{"__get_rel_cpumask", K_MASK, compile_dynamic},
		{"__get_stacktrace", K_STACK, compile_dynamic},
		{"__get_rel_stacktrace", K_STACK, compile_dynamic},
	};
	const struct print_func *func;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, n->text)) {
			it->op = (uint8_t)calls[i].op;
			return calls[i].compile(k, n, it);
		}
	func = kernel_func_find(n->text, n->len, k->c->env->kernel_version);
	if (!func)
		return compile_pointed(k, n, it);
	it->op = K_CALL;
	it->call = kcall_new(k, n, func);
	return it->call != NULL;
}

/* Compiles "cond ? text : text". The conversion's width and precision apply to either arm. */
static bool compile_choice(struct kcompiler *k, const struct kn *n, struct item *it)
{
	const struct kval cond = kexpr_compile(k, n->a);
	struct item *arms = compile_alloc(k->c, 2 * sizeof(*arms));
	struct kitem *more = compile_alloc(k->c, 2 * sizeof(*more));
	const struct kn *parts[2] = {n->b, n->c};

	if (!cond.x || !arms || !more)
		return false;
	if (cond.x->op == X_CONST)
		return ktext_compile(k, cond.x->k ? n->b : n->c, it);
	for (int i = 0; i < 2; i++) {
		more[i] = *it->k;
		arms[i] = *it;
		arms[i].k = &more[i];
		if (!ktext_compile(k, parts[i], &arms[i]))
			return false;
	}
	it->op = K_CHOICE;
	it->value = cond.x;
	it->yes = &arms[0];
	it->no = &arms[1];
	return true;
}

bool ktext_compile(struct kcompiler *k, const struct kn *n, struct item *it)
{
	/* Casts of pointers do not change the text: (char *)x. */
	while (n->kind == KN_CAST)
		n = n->a;
	switch (n->kind) {
	case KN_STR:
		return compile_literal(k, n, it);
	case KN_COND:
		return compile_choice(k, n, it);
	case KN_CALL:
		return compile_text_call(k, n, it);
	default:
		return compile_pointed(k, n, it);
	}
}
