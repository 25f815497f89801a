/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles calls in print fmts whose value is a number or a place in the record: byte swaps,
 * dynamic arrays, times, and the kernel's functions of print_func.h. Calls that make text are
 * in kfmt_text.c.
 */
#include "kfmt_compile.h"

#include <string.h>

/* Returns the only argument of a call; NULL: there is another number of them, which why says. */
static const struct kn *only_arg(struct kcompiler *k, const struct kn *n)
{
	if (n->args && !n->args->next)
		return n->args;
	kval_fail(k, "%s takes one argument", n->text);
	return NULL;
}

/*
 * Returns a pointer to a dynamic field's bytes. The argument is the field's bare name, or
 * REC->name.
 */
struct kval kcall_dynamic(struct kcompiler *k, const struct kn *n)
{
	const struct kn *arg = only_arg(k, n);
	const struct tdat_field *f = NULL;
	struct kval v;

	if (!arg)
		return (struct kval){.x = NULL};
	if (arg->kind == KN_NAME)
		f = kfmt_dynamic_field(k, arg->text);
	else if (arg->kind == KN_FIELD)
		f = arg->field;
	if (!f || !(f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE)))
		return kval_fail(k, "the event has no dynamic field %s", arg->text);
	v = (struct kval){.x = expr_of_field(k->c, X_DYN_OFF, f),
			  .type = ktype_of_field(f),
			  .in_record = true,
			  .field = f};
	/* ktype_of_field() is the type of an element; this points to it. */
	v.type.ptr++;
	return v;
}

/* Returns the bytes of a dynamic field: the upper half of its __data_loc word, hence 16 bits. */
static struct kval dynamic_len(struct kcompiler *k, const struct kn *n)
{
	const struct kval v = kcall_dynamic(k, n);

	return kval_of(v.x ? expr_of_field(k->c, X_DYN_LEN, v.field) : NULL, 2, false);
}

/* ---- byte orders ---- */

/* Takes a prefix off a name; false: it has another one. */
static bool take(const char **p, const char *prefix)
{
	const size_t n = strlen(prefix);

	if (strncmp(*p, prefix, n) != 0)
		return false;
	*p += n;
	return true;
}

/* Takes 16, 32 or 64 off a name; the bytes of that number, 0: another text. */
static uint8_t take_bytes(const char **p)
{
	if (take(p, "16"))
		return 2;
	if (take(p, "32"))
		return 4;
	return take(p, "64") ? 8 : 0;
}

/* The action of a function that deals with byte order. */
struct swap_kind {
	uint8_t len;
	bool swaps;   /* on the recorded machine */
	bool pointer; /* the argument points to the number */
};

/*
 * Reads beN_to_cpu(), cpu_to_leN() and their p forms (__ is off already). It swaps if the order of
 * the name differs from the recorded machine's. False: another name.
 */
static bool read_cpu_order(const char *p, bool big, struct swap_kind *out)
{
	const bool to_file = take(&p, "cpu_to_");
	bool be;

	if (!take(&p, "be")) {
		if (!take(&p, "le"))
			return false;
		be = false;
	} else {
		be = true;
	}
	out->len = take_bytes(&p);
	out->swaps = be != big;
	if (!out->len || (!to_file && !take(&p, "_to_cpu")))
		return false;
	out->pointer = take(&p, "p");
	return !*p;
}

/*
 * Reads the name of any function that changes byte order: ntohs(), swabN(), get_unaligned_beN(),
 * __builtin_bswapN(). The table by parts is shorter than one by names. False: another name.
 */
static bool read_swap(const char *name, bool big, struct swap_kind *out)
{
	static const char *const swaps[] = {"__builtin_bswap", "___constant_swab", "__fswab",
					    "__swab", "swab"};
	const char *p = name;

	*out = (struct swap_kind){0};
	if (!strcmp(name, "ntohs") || !strcmp(name, "htons") || !strcmp(name, "ntohl") ||
	    !strcmp(name, "htonl")) {
		out->len = name[4] == 's' ? 2 : 4;
		out->swaps = !big;
		return true;
	}
	for (size_t i = 0; i < sizeof(swaps) / sizeof(swaps[0]); i++) {
		if (!take(&p, swaps[i]))
			continue;
		out->len = take_bytes(&p);
		out->swaps = true;
		out->pointer = out->len && take(&p, "p");
		return out->len && !*p;
	}
	if (take(&p, "get_unaligned_")) {
		const bool be = take(&p, "be");

		out->pointer = true;
		out->swaps = be != big;
		if (!be && !take(&p, "le"))
			return false;
		out->len = take_bytes(&p);
		return out->len && !*p;
	}
	take(&p, "__");
	return read_cpu_order(p, big, out);
}

/* Compiles such a call. Forms with a pointer read the number out of the record. */
static struct kval swapped(struct kcompiler *k, const struct kn *n, const struct swap_kind *kind)
{
	const struct kn *arg = only_arg(k, n);
	const struct ktype type = {.len = kind->len};
	struct kval v;

	if (!arg)
		return (struct kval){.x = NULL};
	v = kexpr_compile(k, arg);
	if (kind->pointer && v.x) {
		if (!v.in_record)
			return kval_fail(k, "it reads kernel memory, which is not recorded");
		v = kval_of(expr_unary(k->c, X_AT, v.x, kind->len, 0), kind->len, false);
	}
	/* The argument is cut to the function's type first, as C does with a parameter. */
	v = kexpr_convert(k, v, type);
	if (!v.x || !kind->swaps)
		return v;
	v.x = expr_unary(k->c, X_SWAP, v.x, kind->len, 0);
	return v;
}

/* ---- times ---- */

/*
 * Returns v op by, computed in type in and returned as type out: the kernel's function has these.
 */
static struct kval scaled(struct kcompiler *k, struct kval v, struct ktype in, unsigned op,
			  uint64_t by, struct ktype out)
{
	v = kexpr_convert(k, v, in);
	if (!v.x)
		return v;
	v.x = expr_binary(k->c, op, v.x, expr_constant(k->c, by));
	v.type = in;
	return kexpr_convert(k, v, out);
}

/*
 * Converts jiffies to a unit that a second has a_second of. No file holds HZ: without --hz the
 * number of jiffies stays, and is printed with a "j".
 */
static struct kval jiffies(struct kcompiler *k, struct kval v, uint64_t a_second)
{
	const uint64_t hz = k->c->env->hz;
	const struct ktype u64 = {.len = 8}, u32 = {.len = 4};

	if (!v.x || !hz) {
		v.jiffies = v.x != NULL;
		return v;
	}
	v = scaled(k, v, u64, X_MUL, a_second, u64);
	return scaled(k, v, u64, X_DIV, hz, u32);
}

/*
 * Functions of one number of 64 bits: op and by are applied to it. X_CONST: they are not, but a
 * by other than 0 makes units of jiffies, of which a second has as many.
 */
static const struct number_call {
	const char *name;
	uint8_t op;
	uint64_t by;
	bool is_signed;
	uint8_t len; /* of the result */
} number_calls[] = {
	{"__print_ns_to_secs", X_DIV, 1000000000, false, 8},
	{"__print_ns_without_secs", X_MOD, 1000000000, false, 4},
	{"ktime_to_us", X_SDIV, 1000, true, 8},
	{"ktime_to_ms", X_SDIV, 1000000, true, 8},
	{"ktime_to_ns", X_CONST, 0, true, 8},
	{"jiffies_to_msecs", X_CONST, 1000, false, 8},
	{"jiffies_to_usecs", X_CONST, 1000000, false, 8},
	{"jiffies_to_clock_t", X_CONST, 100, false, 8}, /* USER_HZ */
	/* Bit 1 of an x86 page table entry. */
	{"is_writable_pte", X_AND, 2, true, 4},
	/* Entries as numbers; a kernel's pte_val() may look them up in Xen's tables instead. */
	{"native_make_p4d", X_CONST, 0, false, 8},
	{"native_make_pgd", X_CONST, 0, false, 8},
	{"native_make_pmd", X_CONST, 0, false, 8},
	{"native_make_pte", X_CONST, 0, false, 8},
	{"native_make_pud", X_CONST, 0, false, 8},
	{"native_p4d_val", X_CONST, 0, false, 8},
	{"native_pgd_val", X_CONST, 0, false, 8},
	{"native_pmd_val", X_CONST, 0, false, 8},
	{"native_pte_val", X_CONST, 0, false, 8},
	{"native_pud_val", X_CONST, 0, false, 8},
};

static const struct number_call *find_number_call(const char *name)
{
	for (size_t i = 0; i < sizeof(number_calls) / sizeof(number_calls[0]); i++)
		if (!strcmp(number_calls[i].name, name))
			return &number_calls[i];
	return NULL;
}

static struct kval number_call(struct kcompiler *k, const struct number_call *f, struct kval v)
{
	const struct ktype in = {.len = 8, .is_signed = f->is_signed};

	if (f->op != X_CONST)
		return scaled(k, v, in, f->op, f->by,
			      (struct ktype){.len = f->len, .is_signed = f->is_signed});
	return f->by ? jiffies(k, v, f->by) : kexpr_convert(k, v, in);
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/*
 * True for conversions of user and group ids. Their value is the last argument: the recorded id is
 * the one of the initial namespace already.
 */
static bool is_user_id(const char *name)
{
	static const char *const names[] = {"from_kuid",	"from_kgid",	"from_kuid_munged",
					    "from_kgid_munged", "from_kprojid", NULL};

	return is_one_of(name, names);
}

/* ---- the kernel's functions ---- */

/* Compiles an argument, of which kind is the letter of print_func.args. False: why says why. */
static bool take_arg(struct kcompiler *k, struct prog_arg *out, char kind, const struct kn *arg)
{
	struct item *text;
	struct kitem *more;
	struct kval v;

	if (kind == 's') {
		text = compile_alloc(k->c, sizeof(*text));
		more = compile_alloc(k->c, sizeof(*more));
		if (!text || !more)
			return false;
		more->conv = (struct kconv){.spec = {.conv = 's', .prec = -1}};
		more->plain = true;
		text->k = more;
		text->spec.prec = -1;
		text->big = k->c->format->big;
		out->text = text;
		return ktext_compile(k, arg, text);
	}
	v = kexpr_compile(k, arg);
	out->bytes = kind == 'b';
	if (v.x && out->bytes && !v.in_record)
		v = kval_fail(k, "it reads kernel memory, which is not recorded");
	out->num = v.x;
	out->field = v.field;
	return v.x != NULL;
}

const struct prog_call *kcall_new(struct kcompiler *k, const struct kn *n,
				  const struct print_func *func)
{
	struct prog_call *out = compile_alloc(k->c, sizeof(*out));
	const char *kind = func->args;
	const struct kn *arg = n->args;
	unsigned i = 0;

	if (!out)
		return NULL;
	out->func = func;
	for (; arg && *kind; arg = arg->next, kind++)
		if (*kind != '.' && !take_arg(k, &out->args[i++], *kind, arg))
			return NULL;
	if (!arg && !*kind)
		return out;
	kval_fail(k, "%s takes %zu arguments", n->text, strlen(func->args));
	return NULL;
}

/* False if the node asks whether two types are the same, which only the compiler knew. */
static bool compares_no_types(void *ctx, const struct kn *n)
{
	(void)ctx;
	return n->kind != KN_NAME || strcmp(n->text, "__builtin_types_compatible_p") != 0;
}

/*
 * Compiles __builtin_choose_expr(), which min() and max() of kernels up to 6.8 contain. A condition
 * without a value asks whether a field is a constant, which it is not.
 */
static struct kval chosen(struct kcompiler *k, const struct kn *n)
{
	const struct kn *cond = n->args, *yes = cond ? cond->next : NULL;
	struct kval v;

	if (!yes || !yes->next)
		return kval_fail(k, "%s takes three arguments", n->text);
	/* The argument does not fail if the condition does: the reason is dropped. */
	v = kexpr_try(k, cond, NULL);
	if (v.x ? v.x->op != X_CONST : !kn_each(cond, compares_no_types, NULL))
		return kval_fail(k, "the compiler's choice is not known");
	return kexpr_compile(k, v.x && v.x->k ? yes : yes->next);
}

/* Compiles a call in a number's place. */
struct kval kcall_compile(struct kcompiler *k, const struct kn *n)
{
	static const char *const dynamic[] = {
		"__get_dynamic_array", "__get_rel_dynamic_array", "__get_sockaddr",
		"__get_rel_sockaddr",  "__get_sockaddr_rel",	  "__get_str",
		"__get_rel_str",       "__get_bitmask",		  "__get_cpumask",
		"__get_rel_bitmask",   "__get_rel_cpumask",	  NULL};
	const struct number_call *number = find_number_call(n->text);
	const struct kn *last = n->args;
	struct swap_kind swap;

	while (last && last->next)
		last = last->next;
	/*
	 * All of these return the address of the bytes; __get_str() is text only behind "%s"
	 * (kfmt_text.c).
	 */
	if (is_one_of(n->text, dynamic))
		return kcall_dynamic(k, n);
	if (!strcmp(n->text, "__get_dynamic_array_len") ||
	    !strcmp(n->text, "__get_rel_dynamic_array_len"))
		return dynamic_len(k, n);
	if (!strcmp(n->text, "__builtin_expect") && n->args)
		return kexpr_compile(k, n->args);
	if (!strcmp(n->text, "__builtin_choose_expr"))
		return chosen(k, n);
	if (number && only_arg(k, n))
		return number_call(k, number, kexpr_compile(k, n->args));
	if (is_user_id(n->text) && last)
		return kexpr_compile(k, last);
	if (read_swap(n->text, k->c->format->big, &swap))
		return swapped(k, n, &swap);
	return kval_fail(k, "the function %s() is not known", n->text);
}
