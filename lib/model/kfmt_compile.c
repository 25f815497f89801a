/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles a print fmt as the kernel prints it: the format string is cut into its conversions
 * (kprintf.c), each gets its argument's value (kfmt_expr.c) or text (kfmt_text.c), and each
 * becomes an item of the program. An argument that cannot be evaluated costs that argument: in
 * its place stand the fields that it reads, in braces, and the program says why (lacks).
 */
#include "kfmt_compile.h"

#include <stdio.h>
#include <string.h>

/* The most fields in braces, and nodes read to find them: trees may share parts. */
enum { BRACES_FIELDS = 8, BRACES_NODES = 4096 };

/* Used to find the end of the format string, before the size of a long matters: 8 does for both. */
uint32_t kfmt_conversions(const char *text, size_t len)
{
	uint32_t count = 0;
	struct kconv conv;

	for (size_t i = 0; i < len; i++) {
		if (text[i] != '%')
			continue;
		i += kconv_parse(&conv, text + i, len - i, 8) - 1;
		if (!conv.spec.conv)
			return count;
		count += (conv.spec.conv != '%') + conv.star_width + conv.star_prec;
	}
	return count;
}

/* ---- what cannot be evaluated ---- */

struct braces {
	const struct tdat_field *fields[BRACES_FIELDS];
	uint32_t count;
	uint32_t nodes;
};

/* Collects each field once; false, which ends the walk, if enough are found or too much is read. */
static bool note_field(void *ctx, const struct kn *n)
{
	struct braces *b = ctx;

	if (++b->nodes > BRACES_NODES)
		return false;
	if (n->kind != KN_FIELD || !n->field)
		return true;
	for (uint32_t i = 0; i < b->count; i++)
		if (b->fields[i] == n->field)
			return true;
	if (b->count == BRACES_FIELDS)
		return false;
	b->fields[b->count++] = n->field;
	return true;
}

/* Makes *it print " name=value" of a field. False: no memory. */
static bool put_field(struct kcompiler *k, struct item *it, const struct tdat_field *f, bool first)
{
	const size_t len = strlen(f->name);
	char *text = compile_alloc(k->c, len + 3);

	if (!text)
		return false;
	snprintf(text, len + 3, "%s%s=", first ? "" : " ", f->name);
	it->text = compile_keep_text(k->c, text, strlen(text));
	it->text_len = (uint32_t)strlen(text);
	it->op = I_RAW;
	it->field = f;
	it->off = f->off;
	it->len = f->len;
	it->big = k->c->format->big;
	return it->text != NULL;
}

/*
 * Makes *it print {field=value ...} in place of an argument that cannot be evaluated, and adds the
 * reason to the program's list, which `tdat check` and --format show.
 */
static void compile_braces(struct kcompiler *k, const struct kn *arg, const char *conv,
			   size_t conv_len, struct item *it)
{
	struct kitem *more = compile_alloc(k->c, sizeof(*more));
	struct prog_lack *lack = compile_alloc(k->c, sizeof(*lack));
	const struct prog_lack **list = &k->c->prog->lacks;
	struct braces b = {.count = 0};
	struct item *fields;

	kn_each(arg, note_field, &b);
	fields = compile_alloc(k->c, (b.count + 1) * sizeof(*fields));
	if (!more || !lack || !fields)
		return;
	for (uint32_t i = 0; i < b.count; i++)
		if (!put_field(k, &fields[i], b.fields[i], !i))
			return;
	*it = (struct item){.op = K_BRACES, .k = more, .big = k->c->format->big, .spec.prec = -1};
	more->fields = fields;
	more->field_count = b.count;
	lack->conv = tdat_arena_strndup(&k->c->prog->arena, conv, conv_len);
	lack->why = tdat_arena_strndup(&k->c->prog->arena, k->why, strlen(k->why));
	if (!lack->conv || !lack->why) {
		k->c->result = PROG_NOMEM;
		return;
	}
	/* At the end: reasons are in the order of print fmt. */
	while (*list)
		list = (const struct prog_lack **)&(*list)->next;
	*list = lack;
	k->why[0] = '\0';
}

/* ---- conversions ---- */

/*
 * Chooses the fastest item that prints the number. Plain decimal and hexadecimal numbers, which are
 * most of them, have items that skip flags, width and precision.
 */
static void pick_number_op(struct item *it)
{
	const struct kitem *k = it->k;

	it->bits = k->conv.bits;
	it->op = (uint8_t)compile_number_op(&k->conv.spec, it->bits,
					    k->width || k->prec || k->jiffies || it->bits < 32);
	if (it->op == I_NUM)
		it->op = K_NUM;
}

/* Removes conversions of x that change only bits above the low 32, which are not printed. */
static const struct expr *low_32(struct kcompiler *k, const struct expr *x)
{
	struct expr *plain;

	while ((x->op == X_SIGN && x->k >= 32) ||
	       (x->op == X_MASK && (x->k & UINT32_MAX) == UINT32_MAX))
		x = x->a;
	if (x->op != X_S32)
		return x;
	plain = expr_new(k->c, X_U32);
	if (plain)
		plain->off = x->off;
	return plain;
}

/* Compiles a conversion of a number, such as "%d". False: k->why says why not. */
static bool compile_number(struct kcompiler *k, const struct kn *arg, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;
	struct kval v = kexpr_compile(k, arg);

	/* The kernel prints where the field lay in its ring buffer, which is not recorded. */
	if (v.x && v.in_record)
		v = kval_fail(k, "it is an address in the kernel's ring buffer");
	if (!v.x)
		return false;
	it->value = v.x;
	more->jiffies = v.jiffies;
	it->spec = more->conv.spec;
	pick_number_op(it);
	if (it->op != K_NUM && it->bits == 32)
		it->value = low_32(k, it->value);
	return true;
}

/* Compiles a conversion of the "%p" family. False: k->why says why not. */
static bool compile_pointer(struct kcompiler *k, const struct kn *arg, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;
	const char *refusal = kconv_refusal(&more->conv);
	const char letter = more->conv.letters[0];
	const bool bytes = kconv_needs_bytes(&more->conv);
	enum kprint_symbol_kind kind;
	struct kval v;

	if (refusal)
		return kval_fail(k, "%s", refusal).x;
	v = kexpr_compile(k, arg);
	if (!v.x)
		return false;
	/*
	 * "%pM" needs bytes of the record; "%p" and "%pS" need an address that was recorded as a
	 * number.
	 */
	if (v.in_record != bytes)
		return kval_fail(k, bytes ? "it reads kernel memory, which is not recorded"
					  : "it is an address in the kernel's ring buffer")
			.x;
	it->field = v.field;
	if (!bytes)
		v = kexpr_convert(k, v, (struct ktype){.len = k->word});
	it->value = v.x;
	it->op = bytes ? K_BYTES : K_POINTER;
	/* Symbols without a width are cached by address (print_function). */
	if (!bytes && kconv_symbol(&more->conv, k->c->env->kernel_version, &kind) &&
	    !more->conv.has_width && !more->width) {
		it->op = K_FUNCTION;
		it->bits = (uint8_t)kind;
	}
	/*
	 * A plain pointer is a hexadecimal number of all its digits. The kernel hashes "%p" since
	 * 4.15; the recording has the true value.
	 */
	if (!bytes && (!letter || strchr("xK", letter)) && !more->conv.has_width && !more->width &&
	    !more->conv.spec.alt && more->conv.spec.prec < 0) {
		it->op = I_HEX_ZERO;
		it->bits = (uint8_t)(8 * k->word);
		it->spec.conv = 'x';
		it->spec.width = 2 * k->word;
	}
	return v.x != NULL;
}

/* Compiles "%s". A constant with a width from the record must be padded for each record. */
static bool compile_string(struct kcompiler *k, const struct kn *arg, struct item *it)
{
	const struct kitem *more = it->k;

	it->spec = more->conv.spec;
	if (!ktext_compile(k, arg, it))
		return false;
	if (it->op == I_TEXT && (more->width || more->prec))
		it->op = K_TEXT;
	return true;
}

/*
 * Compiles a width or precision of "*": set now if it is constant, else evaluated for each record.
 */
static bool compile_star(struct kcompiler *k, const struct kn *arg, struct kconv *conv,
			 void (*set)(struct kconv *c, int32_t v), const struct expr **out)
{
	const struct ktype s32 = {.len = 4, .is_signed = true};
	const struct kval v = kexpr_convert(k, kexpr_compile(k, arg), s32);

	if (!v.x)
		return false;
	if (v.x->op == X_CONST)
		set(conv, (int32_t)v.x->k);
	else
		*out = v.x;
	return true;
}

/* Compiles a conversion with the arguments that it takes: width, precision, value. */
static bool compile_value(struct kcompiler *k, const struct kn *const *args, struct item *it)
{
	struct kitem *more = (struct kitem *)it->k;
	unsigned i = 0;

	if (more->conv.star_width &&
	    !compile_star(k, args[i++], &more->conv, kconv_star_width, &more->width))
		return false;
	if (more->conv.star_prec &&
	    !compile_star(k, args[i++], &more->conv, kconv_star_prec, &more->prec))
		return false;
	/* A format file may ask for any width; text is bounded by --max print_len. */
	if ((uint32_t)more->conv.spec.width > k->c->prog->text_max ||
	    more->conv.spec.prec > (int32_t)k->c->prog->text_max)
		return kval_fail(k, "its width exceeds limit print_len").x;
	more->plain =
		!more->width && !more->prec && !more->conv.spec.width && more->conv.spec.prec < 0;
	if (more->conv.spec.conv == 's')
		return compile_string(k, args[i], it);
	if (more->conv.spec.conv == 'p')
		return compile_pointer(k, args[i], it);
	return compile_number(k, args[i], it);
}

/*
 * Compiles one conversion. *args is the first argument that is left, and moves behind those taken.
 * A value that fails becomes braces, so one bad argument costs no other.
 */
static void compile_conversion(struct kcompiler *k, const struct kconv *conv, const char *text,
			       size_t len, const struct kn **args)
{
	static const struct kn missing = {.kind = KN_BAD,
					  .text = "print fmt has no argument for it"};
	const unsigned count = 1u + conv->star_width + conv->star_prec;
	struct item it = {.big = k->c->format->big, .spec.prec = -1};
	struct kitem *more = compile_alloc(k->c, sizeof(*more));
	const struct kn *taken[3] = {&missing, &missing, &missing};

	if (!more)
		return;
	for (unsigned i = 0; i < count && *args; i++, *args = (*args)->next)
		taken[i] = *args;
	more->conv = *conv;
	it.k = more;
	k->why[0] = '\0';
	if (!compile_value(k, taken, &it) && k->c->result == PROG_OK)
		compile_braces(k, taken[count - 1], text, len, &it);
	compile_put_item(k->c, &it);
}

/* Walks the format string: literals are collected in c->text, conversions become items. */
static void compile_text(struct kcompiler *k, const struct kfmt *fmt)
{
	const struct kn *args = fmt->args;
	struct kconv conv;
	size_t len;

	for (size_t i = 0; i < fmt->len && k->c->result == PROG_OK; i += len) {
		if (fmt->text[i] != '%') {
			const char *at = memchr(fmt->text + i, '%', fmt->len - i);

			len = at ? (size_t)(at - fmt->text) - i : fmt->len - i;
			tdat_build_bytes(&k->c->text, fmt->text + i, len);
			continue;
		}
		len = kconv_parse(&conv, fmt->text + i, fmt->len - i, k->word);
		if (!conv.spec.conv)
			return; /* the kernel ends its text here */
		if (conv.spec.conv == '%')
			tdat_build_u8(&k->c->text, '%');
		else
			compile_conversion(k, &conv, fmt->text + i, len, &args);
	}
}

/* Very old ftrace formats print their fields without naming them: kfmt_all_fields() adds them. */
bool kfmt_compile(struct compiler *c)
{
	char why[128] = "";
	struct kcompiler k = {.c = c, .why = why, .why_len = sizeof(why)};
	struct kfmt fmt;
	bool nomem;

	k.word = c->format->long_size == 4 ? 4 : 8;
	if (!kfmt_parse(&fmt, c->format, &c->tree, &nomem)) {
		if (nomem)
			c->result = PROG_NOMEM;
		return nomem;
	}
	if (!kfmt_all_fields(&fmt, c->format, &c->tree)) {
		c->result = PROG_NOMEM;
		return true;
	}
	compile_text(&k, &fmt);
	return true;
}
