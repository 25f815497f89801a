/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of probes as the kernel does: "(vfs_read+0x4/0x370) fd=3 name="a" list={1,2}". The
 * head comes of the fields __probe_ip or __probe_func and __probe_ret_ip; that of an event probe,
 * "(system.event)", is in no record and no format, and is left out. The types of arguments are
 * read from the print fmt, which the kernel makes of them.
 */
#include <stdlib.h>
#include <string.h>

#include "native_kernel.h"

/* The head of the text: none, "(address)" or "(address <- function)". */
enum head { HEAD_NONE, HEAD_AT, HEAD_RETURN };

/* One argument of a probe, which is one field of the event. */
struct probe_arg {
	const char *name;
	uint32_t off, len; /* of one element */
	uint32_t count;	   /* of elements; 0: not an array */
	char conv;	   /* d u x c, s: string, S: symbol */
	bool quoted;	   /* string */
};

/* A handler of one probe's events. */
struct probe {
	struct model_native base;
	bool user; /* of a program, not the kernel */
	enum head head;
	struct native_field at, from;
	size_t count;
	struct probe_arg args[];
};

/* Prints the address of the probe; of a return probe also the function that returned. */
static void put_head(const struct probe *p, const struct model_event *event, struct tdat_build *out)
{
	const uint64_t at = native_load(event->record, p->at.off, p->at.len, p->base.format->big);
	const uint64_t from =
		native_load(event->record, p->from.off, p->from.len, p->base.format->big);

	tdat_build_u8(out, '(');
	if (p->user)
		tdat_number_0x(out, at);
	else
		native_code(p->base.env, event, at, true, out);
	/* Of a return probe: at is where the function returned to, from the function. */
	if (p->head == HEAD_RETURN) {
		native_lit(out, " <- ");
		if (p->user)
			tdat_number_0x(out, from);
		else
			native_code(p->base.env, event, from, false, out);
	}
	tdat_build_u8(out, ')');
}

/* Prints a string argument. The location word is length << 16 | offset. */
static void put_string(const struct probe *p, const struct model_event *event,
		       const struct probe_arg *a, uint32_t off, struct tdat_build *out)
{
	const uint64_t loc = native_load(event->record, off, 4, p->base.format->big);

	if (!(loc >> 16)) { /* not even a NUL was copied */
		native_lit(out, "(fault)");
		return;
	}
	if (a->quoted)
		tdat_build_u8(out, '"');
	native_text(out, native_cstr(event->record, loc & UINT16_MAX));
	if (a->quoted)
		tdat_build_u8(out, '"');
}

/* Prints one value at off by its conversion. */
static void put_value(const struct probe *p, const struct model_event *event,
		      const struct probe_arg *a, uint32_t off, struct tdat_build *out)
{
	const uint64_t v = native_load(event->record, off, a->len, p->base.format->big);
	const unsigned spare = 64 - 8 * a->len;

	switch (a->conv) {
	case 's':
		put_string(p, event, a, off, out);
		break;
	case 'S':
		native_symbol(p->base.env, event, v, out);
		break;
	/* The type char prints a character in single quotes. */
	case 'c':
		tdat_build_u8(out, '\'');
		tdat_build_u8(out, (uint8_t)v);
		tdat_build_u8(out, '\'');
		break;
	case 'x':
		tdat_number_0x(out, v);
		break;
	case 'd':
		tdat_number_i64(out, (int64_t)(v << spare) >> spare);
		break;
	default:
		tdat_number_u64(out, v);
	}
}

/* Prints head and arguments, as print_kprobe_event() of kernel/trace/trace_kprobe.c does. */
static bool probe_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct probe *p = (const struct probe *)self;

	if (p->head != HEAD_NONE)
		put_head(p, event, out);
	for (size_t i = 0; i < p->count; i++) {
		const struct probe_arg *a = &p->args[i];

		tdat_build_u8(out, ' ');
		tdat_build_str(out, a->name);
		tdat_build_u8(out, '=');
		if (!a->count) {
			put_value(p, event, a, a->off, out);
			continue;
		}
		/* The elements of an array lie side by side in its field. */
		for (uint32_t k = 0; k < a->count && !out->full; k++) {
			tdat_build_u8(out, k ? ',' : '{');
			put_value(p, event, a, a->off + k * a->len, out);
		}
		tdat_build_u8(out, '}');
	}
	return true;
}

/* ---- the print fmt ---- */

/* Moves *s behind text if it begins with it. */
static bool skip(const char **s, const char *text)
{
	const size_t n = strlen(text);

	if (strncmp(*s, text, n) != 0)
		return false;
	*s += n;
	return true;
}

/* Reads one value's conversion and moves *s behind it. False: no probe has such a conversion. */
static bool read_value(const char **s, struct probe_arg *a)
{
	static const struct {
		const char *text;
		char conv;
		bool quoted;
	} known[] = {
		{"0x%x", 'x', false},	   {"0x%Lx", 'x', false}, {"0x%lx", 'x', false},
		{"0x%llx", 'x', false},	   {"%u", 'u', false},	  {"%Lu", 'u', false},
		{"%lu", 'u', false},	   {"%llu", 'u', false},  {"%d", 'd', false},
		{"%Ld", 'd', false},	   {"%ld", 'd', false},	  {"%lld", 'd', false},
		{"\\\"%s\\\"", 's', true}, {"%s", 's', false},	  {"%pS", 'S', false},
		{"'%c'", 'c', false},
	};
	size_t i = 0;

	while (i < sizeof(known) / sizeof(known[0]) && !skip(s, known[i].text))
		i++;
	if (i == sizeof(known) / sizeof(known[0]))
		return false;
	a->conv = known[i].conv;
	a->quoted = known[i].quoted;
	return true;
}

/* True for the types that arguments of probes have: u8 to s64, or a string. */
static bool is_probe_type(const char *type)
{
	return !strncmp(type, "__data_loc char[]", 17) ||
	       ((*type == 'u' || *type == 's') && type[1] >= '1' && type[1] <= '8');
}

/* Reads " name=" and its value or "{values}". False: no probe has such a print fmt. */
static bool read_arg(const char **s, struct probe_arg *a, const struct tdat_field *f)
{
	a->name = f->name;
	a->off = f->off;
	a->len = f->len;
	if (!is_probe_type(f->type) || !skip(s, " ") || !skip(s, f->name) || !skip(s, "="))
		return false;
	if (skip(s, "{")) {
		do
			a->count++;
		while (read_value(s, a) && skip(s, ","));
		if (!skip(s, "}") || f->len % a->count)
			return false;
		a->len = f->len / a->count;
	} else if (!read_value(s, a)) {
		return false;
	}
	return a->conv == 's' ? a->len == 4 : model_is_number_len(a->len);
}

/* Reads the head and returns how many fields belong to it. */
static size_t read_head(struct probe *p, const struct tdat_event_format *format, const char **s)
{
	p->at = native_field_find(format, "__probe_ip");
	if (p->at.number && skip(s, "(%lx)")) {
		p->head = HEAD_AT;
		return 1;
	}
	p->at = native_field_find(format, "__probe_ret_ip");
	p->from = native_field_find(format, "__probe_func");
	if (p->at.number && p->from.number && skip(s, "(%lx <- %lx)")) {
		p->head = HEAD_RETURN;
		return 2;
	}
	return 0;
}

enum tdat_status native_kprobe_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	const size_t most = format->field_count - format->common_count;
	const char *s = format->print_fmt;
	struct probe *p;
	size_t head, i;

	/* All of them begin like this, an event probe's with the blank of its first argument. */
	if (!skip(&s, "\"") || (*s != '(' && *s != ' '))
		return TDAT_OK;
	p = native_new(sizeof(*p) + most * sizeof(p->args[0]), probe_run, format, env, err);
	if (!p)
		return TDAT_E_NOMEM;
	p->user = !strcmp(format->system, "uprobes");
	head = read_head(p, format, &s);
	/* All fields must be arguments: one that does not fit means another kind of event. */
	for (i = head; i < most; i++, p->count++)
		if (!read_arg(&s, &p->args[p->count], &format->fields[format->common_count + i]))
			break;
	if (i == most && most && *s == '"')
		*out = &p->base;
	else
		free(p);
	return TDAT_OK;
}
