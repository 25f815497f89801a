/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of the function tracer and raw markers as the plugin function does. Also
 * stacks. A line of the usual shape, where all fields are where 64-bit kernels have them, takes
 * a short way with one check of the record's length. A test compares both ways
 * (tests/unit/read/test_fast_paths.c).
 */
#include "native_tables.h"

#include <stdlib.h>

#include "native_util.h"
#include "core/put.h"

#define INDENT 3

/* A handler of ftrace:function or ftrace:func_repeats. */
struct function {
	struct model_native base;
	const struct model_env *env;
	struct native_field ip, parent_ip;
	uint32_t short_len; /* of records that function_short is for */
	struct native_field count, top_delta, bottom_delta; /* func_repeats */
};

/* A handler of ftrace:kernel_stack. */
struct stack {
	struct model_native base;
	const struct model_env *env;
	struct native_field caller;
};

/* A handler of ftrace:raw_data: binary data that programs wrote to trace_marker_raw. */
struct raw_data {
	struct model_native base;
	struct native_field id, buf;
	uint8_t long_size;
};

/* Writes the name of addr, or the address. The caller made room: put functions do not check. */
static inline uint8_t *put_name(uint8_t *p, struct tdat_span name, uint64_t addr)
{
	return name.ptr ? tdat_put_span(p, name) : tdat_put_hex(tdat_put_lit(p, "0x"), addr);
}

/* -O offset: how far into the function an address is, in the plugin as a 32-bit number. */
static inline uint8_t *put_offset(uint8_t *p, const struct model_env *env, uint64_t offset)
{
	if (!(env->plugin_opts & MODEL_OPT_OFFSET))
		return p;
	p = tdat_put_hex(tdat_put_lit(p, "+0x"), env->kernel ? offset : (uint32_t)offset);
	*p++ = ' ';
	return p;
}

/* Prints the function at addr, with -O offset also how far into it addr is. */
static void print_name(const struct function *f, const struct model_event *event, uint64_t addr,
		       struct tdat_build *out)
{
	uint64_t start = 0;
	struct tdat_span name = native_name(f->env, event, addr, &start);
	uint8_t *p = tdat_build_room(out, name.len + 8 + 2 * TDAT_PUT_HEX);

	if (!p)
		return;
	p = put_name(p, name, addr);
	if (name.ptr)
		p = put_offset(p, f->env, addr - start);
	out->len = (size_t)(p - out->ptr);
}

/*
 * Prints "function" and, with -O parent, " <-- caller", indented by the guessed depth. False: a
 * field is missing, and "!" was printed as the plugin does.
 */
static bool print_function(const struct function *f, const struct model_event *event,
			   struct tdat_build *out)
{
	const bool parent = f->env->plugin_opts & MODEL_OPT_PARENT;
	uint64_t ip, parent_ip = 0;

	if (!native_get(&f->ip, event->record, &ip, out) ||
	    ((parent || !f->parent_ip.number) &&
	     !native_get(&f->parent_ip, event->record, &parent_ip, out)))
		return native_give_up(out);
	if (event->depth && !(f->env->plugin_opts & MODEL_OPT_NO_INDENT))
		tdat_build_fill(out, ' ', (size_t)event->depth * INDENT);
	print_name(f, event, ip, out);
	if (parent) {
		native_lit(out, " <-- ");
		print_name(f, event, parent_ip, out);
	}
	return true;
}

/*
 * Does what function_run does, in one piece, for records whose fields are whole and of 64 bits,
 * without -O. The test "fast_paths" (same_text) compares the two.
 */
static bool function_short(const struct model_native *self, const struct model_event *event,
			   struct tdat_build *out)
{
	const struct function *f = (const struct function *)self;
	const size_t spaces = (size_t)event->depth * INDENT;
	struct tdat_span name;
	uint64_t ip;
	uint8_t *p;

	if (event->record.len < f->short_len)
		return false;
	ip = tdat_load64(event->record.ptr + f->ip.off, f->ip.big);
	name = native_name(f->env, event, ip, NULL);
	if (spaces + name.len > MODEL_NATIVE_SHORT - 2 - TDAT_PUT_HEX)
		return false;
	p = tdat_build_room(out, MODEL_NATIVE_SHORT + 16); /* put_spaces takes 16 at least */
	if (!p)
		return true;
	p = put_name(tdat_put_spaces(p, spaces), name, ip);
	out->len = (size_t)(p - out->ptr);
	return true;
}

/* Sets run_short if the format has an 8-byte ip and no option changes the text. */
static void find_short(struct function *f)
{
	const uint32_t opts = MODEL_OPT_PARENT | MODEL_OPT_OFFSET | MODEL_OPT_NO_INDENT;

	if (!f->parent_ip.number || (f->env->plugin_opts & opts))
		return;
	f->short_len = native_field_end(&f->ip, 8);
	if (f->short_len)
		f->base.run_short = function_short;
}

/* Prints any record: the slow way of function_short. */
static bool function_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	return print_function((const struct function *)self, event, out);
}

/*
 * Prints how often the call before it was repeated, and when last.
 */
static bool repeats_run(const struct model_native *self, const struct model_event *event,
			struct tdat_build *out)
{
	const struct function *f = (const struct function *)self;
	uint64_t count, top, bottom;

	print_function(f, event, out);
	if (!native_get(&f->count, event->record, &count, out) ||
	    !native_get(&f->top_delta, event->record, &top, out) ||
	    !native_get(&f->bottom_delta, event->record, &bottom, out))
		return native_give_up(out);
	native_lit(out, " (count: ");
	tdat_number_i64(out, (int64_t)count);
	native_lit(out, "  last_ts: ");
	/* The delta has 48 bits, split into two fields. */
	native_time(event->ts - (top << 32 | bottom), f->env->time, out);
	tdat_build_u8(out, ')');
	return true;
}

/* Makes a handler with all that both events share. */
static struct function *function_alloc(const struct tdat_event_format *format,
				       const struct model_env *env, struct tdat_error *err)
{
	struct function *f = native_alloc(sizeof(*f), format, err);

	if (!f)
		return NULL;
	f->base.run = function_run;
	f->env = env;
	f->ip = native_field_find(format, "ip");
	f->parent_ip = native_field_find(format, "parent_ip");
	return f;
}

static enum tdat_status function_init(struct model_native **out,
				      const struct tdat_event_format *format,
				      const struct model_env *env, struct tdat_error *err)
{
	struct function *f = function_alloc(format, env, err);

	if (!f)
		return TDAT_E_NOMEM;
	find_short(f);
	*out = &f->base;
	return TDAT_OK;
}

static enum tdat_status repeats_init(struct model_native **out,
				     const struct tdat_event_format *format,
				     const struct model_env *env, struct tdat_error *err)
{
	struct function *f = function_alloc(format, env, err);

	if (!f)
		return TDAT_E_NOMEM;
	f->base.run = repeats_run;
	f->count = native_field_find(format, "count");
	f->top_delta = native_field_find(format, "top_delta_ts");
	f->bottom_delta = native_field_find(format, "bottom_delta_ts");
	*out = &f->base;
	return TDAT_OK;
}

/* True at the end mark of a stack: -1 as a long. The plugin compares an int as well. */
static bool stack_end(const struct model_env *env, uint64_t addr)
{
	return (env->long_size == 8 && addr == UINT64_MAX) ||
	       ((uint32_t)addr == UINT32_MAX && (!env->kernel || env->long_size == 4));
}

/*
 * True for the mark that the kernel puts in place of a trampoline's address
 * (FTRACE_TRAMPOLINE_MARKER).
 */
static bool is_marker(const struct model_env *env, uint64_t addr)
{
	return env->kernel && addr == INT32_MAX;
}

/*
 * Prints a kernel stack, one address a line. It may be longer than its field says, so the record's
 * end is the bound.
 */
static bool stack_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct stack *s = (const struct stack *)self;
	uint8_t long_size = s->env->long_size;
	size_t off;

	if (!s->caller.found) {
		native_no_val(&s->caller, out);
		return true;
	}
	native_lit(out, "<stack trace >\n");
	for (off = s->caller.off; off < event->record.len; off += long_size) {
		uint64_t addr = native_load(event->record, off, long_size, s->caller.big);
		uint64_t start = 0;
		struct tdat_span name;
		uint8_t *p;

		if (stack_end(s->env, addr))
			break;
		if (is_marker(s->env, addr)) {
			native_lit(out, "=> [FTRACE TRAMPOLINE]\n");
			continue;
		}
		name = native_name(s->env, event, addr, &start);
		p = tdat_build_room(out, name.len + 16 + 2 * TDAT_PUT_HEX);
		if (!p)
			break;
		p = tdat_put_lit(p, "=> ");
		if (name.ptr) {
			p = put_offset(tdat_put_span(p, name), s->env, addr - start);
			p = tdat_put_lit(p, " (");
		}
		p = tdat_put_hex(p, addr);
		if (name.ptr)
			*p++ = ')';
		*p++ = '\n';
		out->len = (size_t)(p - out->ptr);
	}
	return true;
}

static enum tdat_status stack_init(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	struct stack *s;

	*out = NULL;
	if (env->long_size != 4 && env->long_size != 8)
		return TDAT_OK;
	s = native_alloc(sizeof(*s), format, err);
	if (!s)
		return TDAT_E_NOMEM;
	s->base.run = stack_run;
	s->env = env;
	s->caller = native_field_any(format, "caller");
	*out = &s->base;
	return TDAT_OK;
}

/*
 * Prints a raw marker. The plugin advances by a long of the file, but prints the bytes of a long of
 * its own machine. On a 64-bit machine the words of 32-bit files come twice. The kernel's own text
 * has each byte once.
 */
static bool raw_run(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out)
{
	const struct raw_data *r = (const struct raw_data *)self;
	struct tdat_span record = event->record;
	uint64_t id;
	size_t off;

	if (!native_get(&r->id, record, &id, out))
		return native_give_up(out);
	native_lit(out, "# ");
	tdat_number_x64(out, id, 0);
	if (!r->buf.found) {
		native_no_val(&r->buf, out);
		return true;
	}
	for (off = r->buf.off; off < record.len; off += r->long_size) {
		size_t left = record.len - off;
		size_t i;

		for (i = 0; i < (left < 8 ? left : 8); i++) {
			tdat_build_u8(out, ' ');
			tdat_number_x64(out, record.ptr[off + i], 2);
		}
	}
	return true;
}

static enum tdat_status raw_init(struct model_native **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct raw_data *r;

	*out = NULL;
	if (env->long_size != 4 && env->long_size != 8)
		return TDAT_OK;
	r = native_alloc(sizeof(*r), format, err);
	if (!r)
		return TDAT_E_NOMEM;
	r->base.run = raw_run;
	r->id = native_field_find(format, "id");
	r->buf = native_field_any(format, "buf");
	/* Steps of 8 bytes print each byte once. */
	r->long_size = env->kernel ? 8 : env->long_size;
	*out = &r->base;
	return TDAT_OK;
}

const struct model_native_entry native_function[] = {
	{"ftrace", "function", function_init},
	{"ftrace", "kernel_stack", stack_init},
	{"ftrace", "raw_data", raw_init},
	{"ftrace", "func_repeats", repeats_init},
	{NULL, NULL, NULL},
};
