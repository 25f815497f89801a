/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints trace_printk() and trace_puts() as bstr_printf() of the kernel does. Arguments are packed
 * behind the record's fields: numbers at their size, of which those of 8 bytes are aligned to 4,
 * strings with a NUL. A pointer is a number where printing it needs nothing else, and text that
 * the kernel made of it when it was recorded everywhere else.
 */
#include "native_kbprint.h"

#include <string.h>

#include "kprintf.h"
#include "native_util.h"

/* The arguments of one record that are not taken yet. */
struct packed {
	const struct kprint_env *env;
	struct tdat_span record;
	size_t pos;
};

/* Takes a number of len bytes. Offsets count from the record, whose start is aligned. */
static uint64_t take_number(struct packed *a, size_t len)
{
	const size_t align = len < 4 ? len : 4;
	const size_t pos = (a->pos + align - 1) & ~(align - 1);

	a->pos = pos + len;
	return native_load(a->record, pos, len, a->env->big);
}

static struct tdat_span take_string(struct packed *a)
{
	const struct tdat_span s = native_str(a->record, a->pos, SIZE_MAX);

	a->pos += s.len + 1;
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
static void put_conversion(struct packed *a, struct kconv *c, struct tdat_build *out)
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
			kprint_address(out, a->env, c, take_number(a, a->env->long_size));
		}
		break;
	case 'c':
		kprint_number(out, c, take_number(a, 1));
		break;
	default:
		kprint_number(out, c, take_number(a, c->bits / 8));
	}
}

/* Returns the character of an escape: printk_formats writes these behind a backslash. */
static char unescaped(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Prints up to the next conversion, and returns where that is; the end if there is none. */
static const char *put_plain(const char *p, const char *end, struct tdat_build *out)
{
	while (p < end && *p != '%') {
		const char *from = p;

		if (*p == '\\' && end - p > 1) {
			tdat_build_u8(out, (uint8_t)unescaped(p[1]));
			p += 2;
			continue;
		}
		do
			p++;
		while (p < end && *p != '%' && *p != '\\');
		tdat_build_bytes(out, from, (size_t)(p - from));
	}
	return p;
}

/* The string at addr, or a sentence that there is none. */
static struct tdat_span string_at(const struct model_env *env, uint64_t addr,
				  struct tdat_build *out)
{
	struct tdat_span s = {NULL, 0};

	if (env->printk)
		s = model_printk_find(env->printk, addr);
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
	const struct tdat_span s = string_at(env, addr, out);
	const char *p = (const char *)s.ptr, *end = p + s.len;

	while (p < end && !out->full) {
		p = put_plain(p, end, out);
		if (p < end)
			tdat_build_u8(out, (uint8_t)*p++);
	}
}

void native_kbprint(const struct model_env *env, const struct model_event *event, uint64_t addr,
		    size_t off, struct tdat_build *out)
{
	const struct kprint_env kenv = {.symbols = env->symbols,
					.names = event->names,
					.long_size = env->long_size,
					.big = env->big,
					.kernel = env->kernel_version};
	struct packed args = {&kenv, event->record, off};
	const struct tdat_span s = string_at(env, addr, out);
	const char *p = (const char *)s.ptr, *end = p + s.len;
	struct kconv c;

	for (;;) {
		p = put_plain(p, end, out);
		if (p == end || out->full)
			return;
		p += kconv_parse(&c, p, (size_t)(end - p), env->long_size);
		if (!c.spec.conv) /* here the kernel stops, too */
			return;
		put_conversion(&args, &c, out);
	}
}
