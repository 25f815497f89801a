/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints trace_printk() and trace_puts() as bstr_printf() of the kernel does. Arguments are packed
 * behind the record's fields: numbers at their size, of which those of 8 bytes are aligned to 4,
 * strings with a NUL. A pointer is a number where printing it needs nothing else, and text that
 * the kernel made of it when it was recorded everywhere else.
 */
#include "native_kbprint.h"

#include <string.h>

#include "bprint_args.h"
#include "kprintf.h"
#include "native_util.h"

static uint64_t take_number(struct bprint_args *a, size_t len)
{
	uint64_t v;

	bprint_take_number(a, len, &v);
	return v;
}

static struct tdat_span take_string(struct bprint_args *a)
{
	struct tdat_span s = {NULL, 0};

	bprint_take_string(a, &s);
	return s;
}

/* True if vbin_printf() stored text for a %p, because formatting it needs the kernel's memory. */
static bool is_text(const struct kconv *c)
{
	const char first = c->letters[0];

	return first && !strchr("SsxK", first) && !(first == 'e') &&
	       !((first == 'f' || first == 'F') && c->letters[1] != 'w');
}

/* Prints one conversion, and takes its arguments in the order in which they were stored. */
static void put_conversion(struct bprint_args *a, const struct kprint_env *env, struct kconv *c,
			   struct tdat_build *out)
{
	struct tdat_span s;

	/* Width and precision were stored before the value, as in a call of printf(). */
	if (c->star_width)
		kconv_star_width(c, (int32_t)take_number(a, 4));
	if (c->star_prec)
		kconv_star_prec(c, (int32_t)take_number(a, 4));
	switch (c->spec.conv) {
	case '%':
		tdat_build_u8(out, '%');
		break;
	case 's':
		s = take_string(a);
		kprint_string(out, c, s.ptr, s.len);
		break;
	case 'p':
		/* The width of stored text was applied when it was recorded. */
		if (is_text(c)) {
			s = take_string(a);
			native_text(out, s);
		} else {
			kprint_address(out, env, c, take_number(a, a->long_size));
		}
		break;
	case 'c':
		kprint_number(out, c, take_number(a, 1));
		break;
	default:
		kprint_number(out, c, take_number(a, c->bits / 8));
	}
}

/* The string at addr, or a sentence that there is none. */
static struct tdat_span string_at(const struct model_env *env, uint64_t addr,
				  struct tdat_build *out)
{
	const struct tdat_span s = model_printk_find(env->printk, addr);

	if (!s.ptr) {
		native_lit(out, "(NO FORMAT FOUND at ");
		tdat_number_x64(out, addr, 0);
		tdat_build_u8(out, ')');
	}
	return s;
}

/* A string of trace_puts() has no conversions: "%" is a character like any other. */
void native_kputs(const struct model_env *env, uint64_t addr, struct tdat_build *out)
{
	bprint_escapes(string_at(env, addr, out), out);
}

void native_kbprint(const struct model_env *env, const struct model_event *event, uint64_t addr,
		    size_t off, struct tdat_build *out)
{
	const struct kprint_env kenv = {.symbols = env->symbols,
					.names = event->names,
					.long_size = env->long_size,
					.big = env->big,
					.kernel = env->kernel_version};
	struct bprint_args args = {
		.buf = event->record, .pos = off, .big = env->big, .long_size = env->long_size};
	const struct tdat_span s = string_at(env, addr, out);
	const char *p = (const char *)s.ptr, *end = p + s.len;
	struct kconv c;

	for (;;) {
		p = bprint_plain(p, end, out);
		if (p == end || out->full)
			return;
		p += kconv_parse(&c, p, (size_t)(end - p), env->long_size);
		if (!c.spec.conv) /* here the kernel stops, too */
			return;
		put_conversion(&args, &kenv, &c, out);
	}
}
