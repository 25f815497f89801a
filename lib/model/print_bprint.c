/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints records of trace_printk(), whose arguments bprint_args.h takes. The string is found by
 * its address in the table of printk formats; conversions take arguments one by one. It prints
 * in the reading of trace-cmd and gives tables the string and the arguments as JSON. A string
 * that is missing is said in the text.
 */
#include "print_prog.h"

#include <string.h>

#include "bprint_args.h"
#include "core/json_text.h"
#include "print_split.h"

/* Prints the function at addr, or the address. */
static void put_function(const struct run *r, uint64_t addr, bool offset, struct tdat_build *out)
{
	uint64_t start = 0;
	struct tdat_span name = run_symbol(r, addr, &start);

	if (!name.ptr) {
		tdat_number_0x(out, addr);
		return;
	}
	tdat_build_bytes(out, name.ptr, name.len);
	if (offset) {
		tdat_build_str(out, "+0x");
		tdat_number_x64(out, addr - start, 0);
	}
}

/*
 * Prints a %p: a name, text that the kernel stored, or a number. Conversions whose bytes were not
 * stored print libtraceevent's complaint.
 */
static void put_pointer(const struct run *r, struct bprint_args *a, const char *letters, size_t n,
			struct tdat_build *out)
{
	const char first = n ? letters[0] : '\0';
	struct tdat_span s;
	uint64_t v;

	if (bprint_pointer_is_text(a, letters, n)) {
		if (bprint_take_string(a, &s))
			tdat_build_bytes(out, s.ptr, s.len);
		return;
	}
	if (!bprint_take_number(a, a->long_size, &v))
		return;
	if (first && strchr("sSfF", first)) {
		put_function(r, v, first == 'S' || first == 'F', out);
	} else if (first && strchr("MmUhIi", first)) {
		if (first != 'I' && first != 'i')
			tdat_build_str(out, "ARG TYPE NOT FIELD BUT 1");
		else if (n > 1 && (letters[1] == '4' || letters[1] == '6'))
			tdat_build_str(out, "ARG TYPE NOT FIELD BUT 1");
		else if (n > 1 && letters[1] == 'S')
			tdat_build_str(out, "ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE 1");
	} else if (v) {
		tdat_number_0x(out, v);
	} else {
		tdat_build_str(out, "(nil)");
	}
}

/* Prints a number in the width of its conversion, which may be less than what was stored. */
static void put_number(struct bprint_args *a, const struct bprint_conversion *c, char letter,
		       struct tdat_build *out)
{
	struct tdat_num_spec spec = c->spec;
	const unsigned bits = c->longs > 0    ? 64
			      : c->longs == 0 ? 32
					      : 8 * (unsigned)bprint_number_len(a, c, 'd');
	uint64_t v;

	if (!bprint_take_number(a, bprint_number_len(a, c, letter), &v))
		return;
	spec.conv = letter == 'i' ? 'd' : letter;
	if (bits < 64) {
		v &= (UINT64_C(1) << bits) - 1;
		if (spec.conv == 'd' && (v >> (bits - 1)))
			v |= ~UINT64_C(0) << bits;
	}
	tdat_number_printf(out, &spec, v);
}

/*
 * Prints a conversion's letter if there is no argument for it, and ">x<" for an unknown one, as
 * libtraceevent does.
 */
static void put_letter(const struct run *r, char letter, struct tdat_build *out)
{
	const bool known = letter && strchr("spduixXo", letter);

	if (known || letter == '*' || (letter == 'c' && !r->env->tep17)) {
		tdat_build_u8(out, (uint8_t)letter);
		return;
	}
	tdat_build_u8(out, '>');
	tdat_build_u8(out, (uint8_t)letter);
	tdat_build_u8(out, '<');
}

/*
 * Prints a conversion behind the last argument: length and numbers are dropped, the rest is printed
 * as text. *p moves behind the first character that is left of it.
 */
static void put_missing(const struct run *r, const char **p, const char *end,
			struct tdat_build *out)
{
	for (++*p; *p < end && **p && strchr("hlLzZ#.-0123456789", **p); ++*p)
		;
	if (*p < end)
		put_letter(r, *(*p)++, out);
}

/* Prints the conversion at *p, and moves *p behind it. */
static void put_conversion(const struct run *r, const char **p, const char *end,
			   struct bprint_args *a, struct tdat_build *out)
{
	struct bprint_conversion c;
	struct tdat_span s;
	char letter;

	if (!bprint_has_more(a)) {
		put_missing(r, p, end, out);
		return;
	}
	bprint_read_conversion(p, end, a, &c);
	if (*p >= end)
		return;
	letter = *(*p)++;
	if (!bprint_has_more(a)) { /* "*" took the last one */
		put_letter(r, letter, out);
		return;
	}
	if (letter == 'p') {
		put_pointer(r, a, *p, (size_t)(end - *p), out);
		*p += part_pointer_letters(*p, (size_t)(end - *p));
	} else if (letter == 's') {
		if (bprint_take_string(a, &s))
			tdat_string_printf(out, (const char *)s.ptr, s.len, c.spec.left,
					   c.spec.width, c.spec.prec);
	} else if (letter && strchr("cduixXo", letter)) {
		put_number(a, &c, letter, out);
	} else {
		put_letter(r, letter, out);
	}
}

/* Prints the string with its arguments. */
static void put_format(const struct run *r, struct bprint_args *a, struct tdat_span format,
		       struct tdat_build *out)
{
	const size_t len = format.len < r->most ? format.len : r->most;
	const char *p = (const char *)format.ptr, *end = p + len;

	while ((p = bprint_plain(p, end, out)) < end && !out->full) {
		if (p + 1 < end && p[1] == '%') {
			tdat_build_u8(out, '%');
			p += 2;
		} else {
			put_conversion(r, &p, end, a, out);
		}
	}
	/* Much of it may print nothing: it is read no further than text may go. */
	if (len < format.len)
		tdat_build_stop(out);
}

/* ---- arguments as data ---- */

/*
 * Prints the numbers that "*" took between p and end. a is a copy from before the conversion, which
 * took them from the original.
 */
static void json_stars(struct bprint_args *a, const char *p, const char *end,
		       struct tdat_build *out)
{
	uint64_t v;

	for (; p < end; p++)
		if (*p == '*' && bprint_take_number(a, 4, &v)) {
			tdat_number_i64(out, (int32_t)v);
			tdat_build_u8(out, ',');
		}
}

/* Prints the argument of a conversion as JSON. False: none is left, or the letter is unknown. */
static bool json_arg(const struct run *r, struct bprint_args *a, const struct bprint_conversion *c,
		     char letter, const char *behind, size_t behind_len, struct tdat_build *out)
{
	const bool text =
		letter == 's' || (letter == 'p' && bprint_pointer_is_text(a, behind, behind_len));
	const struct bprint_conversion plain = {.spec = {.prec = -1}, .longs = c->longs};
	struct tdat_span s = {NULL, 0};
	uint8_t ch;

	if (!bprint_has_more(a) || !letter || !strchr("spcdiuxXo", letter))
		return false;
	if (text) {
		tdat_build_u8(out, '"');
		if (bprint_take_string(a, &s))
			tdat_json_inside(out, s);
		tdat_build_u8(out, '"');
	} else if (letter == 'p') {
		tdat_build_u8(out, '"');
		put_pointer(r, a, behind, behind_len, out);
		tdat_build_u8(out, '"');
	} else if (letter == 'c') {
		ch = a->buf.ptr[a->pos++];
		tdat_build_u8(out, '"');
		tdat_json_inside(out, (struct tdat_span){&ch, 1});
		tdat_build_u8(out, '"');
	} else {
		put_number(a, &plain, letter == 'd' || letter == 'i' ? 'd' : 'u', out);
	}
	return true;
}

/* Prints all arguments as a JSON array; numbers without width and flags. */
static void json_args(const struct run *r, struct bprint_args *a, struct tdat_span format,
		      struct tdat_build *out)
{
	const char *p = (const char *)format.ptr, *end = p + format.len, *start;
	const size_t most_len = out->len + r->most;
	bool more = true, first = true;

	tdat_build_u8(out, '[');
	while (more && p < end && out->len < most_len) {
		struct bprint_args stars = *a;
		struct bprint_conversion c;
		size_t len = out->len;

		/* Text, "%%" and escapes have no argument. */
		if (*p != '%' || (end - p > 1 && p[1] == '%')) {
			p += *p == '%' || (*p == '\\' && end - p > 1) ? 2 : 1;
			continue;
		}
		start = p;
		bprint_read_conversion(&p, end, a, &c);
		if (!first)
			tdat_build_u8(out, ',');
		json_stars(&stars, start, p, out);
		more = p < end && json_arg(r, a, &c, *p, p + 1, (size_t)(end - p - 1), out);
		if (more)
			first = false;
		else
			out->len = len;
		if (more && *p == 'p')
			p += part_pointer_letters(p + 1, (size_t)(end - p - 1));
		p++;
	}
	tdat_build_u8(out, ']');
}

bool print_bprint_part(const struct run *r, uint64_t addr, uint32_t off, bool args,
		       struct tdat_build *out)
{
	const struct tdat_span format = model_printk_find(r->env->printk, addr);
	struct bprint_args a = {.base = off, .big = r->env->big, .long_size = r->env->long_size};

	if (!format.ptr || off > r->size)
		return false;
	a.buf = run_bytes(r, off, r->size - off);
	if (args)
		json_args(r, &a, format, out);
	else
		put_format(r, &a, format, out);
	return true;
}

void item_print_bprint(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t addr = expr_eval(r, it->value);
	const struct tdat_span format = model_printk_find(r->env->printk, addr);
	struct bprint_args args = {
		.base = it->off, .big = r->env->big, .long_size = r->env->long_size};

	/* The caller of trace_printk() stands before the text. */
	put_function(r, expr_eval(r, it->value2), false, out);
	tdat_build_str(out, ": ");
	if (!format.ptr) {
		tdat_build_str(out, "(NO FORMAT FOUND at ");
		tdat_number_x64(out, addr, 0);
		tdat_build_str(out, ")\n");
		return;
	}
	args.buf = run_bytes(r, it->off, r->size > it->off ? r->size - it->off : 0);
	put_format(r, &args, format, out);
}
