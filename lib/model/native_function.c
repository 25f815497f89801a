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

/* Fields of function and func_repeats, of kernel_stack, and of raw_data. */
enum { IP, PARENT_IP, COUNT, TOP_DELTA, BOTTOM_DELTA };
enum { CALLER };
enum { ID, BUF };

/* A handler of ftrace:function. */
struct function {
	struct model_native base;
	uint32_t short_len; /* of records that function_short is for */
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
static void print_name(const struct model_native *n, const struct model_event *event, uint64_t addr,
		       struct tdat_build *out)
{
	uint64_t start = 0;
	struct tdat_span name = native_name(n->env, event, addr, &start);
	uint8_t *p = tdat_build_room(out, name.len + 8 + 2 * TDAT_PUT_HEX);

	if (!p)
		return;
	p = put_name(p, name, addr);
	if (name.ptr)
		p = put_offset(p, n->env, addr - start);
	out->len = (size_t)(p - out->ptr);
}

/*
 * Prints "function" and, with -O parent, " <-- caller", indented by the guessed depth. False: a
 * field is missing, and "!" was printed as the plugin does.
 */
static bool function_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	const bool parent = n->env->plugin_opts & MODEL_OPT_PARENT;
	uint64_t ip, parent_ip = 0;

	if (!native_get(&n->f[IP], event->record, &ip, out) ||
	    ((parent || !n->f[PARENT_IP].number) &&
	     !native_get(&n->f[PARENT_IP], event->record, &parent_ip, out)))
		return native_give_up(out);
	if (event->depth && !(n->env->plugin_opts & MODEL_OPT_NO_INDENT))
		tdat_build_fill(out, ' ', (size_t)event->depth * INDENT);
	print_name(n, event, ip, out);
	if (parent) {
		native_lit(out, " <-- ");
		print_name(n, event, parent_ip, out);
	}
	return true;
}

/*
 * Does what function_run does, in one piece, for records whose fields are whole and of 64 bits,
 * without -O. The test "fast_paths" (same_text) compares the two.
 */
static bool function_short(const struct model_native *n, const struct model_event *event,
			   struct tdat_build *out)
{
	const size_t spaces = (size_t)event->depth * INDENT;
	struct tdat_span name;
	uint64_t ip;
	uint8_t *p;

	if (event->record.len < ((const struct function *)n)->short_len)
		return false;
	ip = tdat_load64(event->record.ptr + n->f[IP].off, n->f[IP].big);
	name = native_name(n->env, event, ip, NULL);
	if (spaces + name.len > MODEL_NATIVE_SHORT - 2 - TDAT_PUT_HEX)
		return false;
	p = tdat_build_room(out, MODEL_NATIVE_SHORT + 16); /* put_spaces takes 16 at least */
	if (!p)
		return true;
	p = put_name(tdat_put_spaces(p, spaces), name, ip);
	out->len = (size_t)(p - out->ptr);
	return true;
}

/*
 * Prints how often the call before it was repeated, and when last.
 */
static bool repeats_run(const struct model_native *n, const struct model_event *event,
			struct tdat_build *out)
{
	uint64_t count, top, bottom;

	function_run(n, event, out);
	if (!native_get(&n->f[COUNT], event->record, &count, out) ||
	    !native_get(&n->f[TOP_DELTA], event->record, &top, out) ||
	    !native_get(&n->f[BOTTOM_DELTA], event->record, &bottom, out))
		return native_give_up(out);
	native_lit(out, " (count: ");
	tdat_number_i64(out, (int64_t)count);
	native_lit(out, "  last_ts: ");
	/* The delta has 48 bits, split into two fields. */
	native_time(event->ts - (top << 32 | bottom), n->env->time, out);
	tdat_build_u8(out, ')');
	return true;
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
static bool stack_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	uint8_t long_size = n->env->long_size;
	size_t off;

	if (!n->f[CALLER].found) {
		native_no_val(&n->f[CALLER], out);
		return true;
	}
	native_lit(out, "<stack trace >\n");
	for (off = n->f[CALLER].off; off < event->record.len; off += long_size) {
		uint64_t addr = native_load(event->record, off, long_size, n->f[CALLER].big);
		uint64_t start = 0;
		struct tdat_span name;
		uint8_t *p;

		if (stack_end(n->env, addr))
			break;
		if (is_marker(n->env, addr)) {
			native_lit(out, "=> [FTRACE TRAMPOLINE]\n");
			continue;
		}
		name = native_name(n->env, event, addr, &start);
		p = tdat_build_room(out, name.len + 16 + 2 * TDAT_PUT_HEX);
		if (!p)
			break;
		p = tdat_put_lit(p, "=> ");
		if (name.ptr) {
			p = put_offset(tdat_put_span(p, name), n->env, addr - start);
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

/*
 * Prints a raw marker. The plugin advances by a long of the file, but prints the bytes of a long of
 * its own machine. On a 64-bit machine the words of 32-bit files come twice. The kernel's own text
 * has each byte once.
 */
static bool raw_run(const struct model_native *n, const struct model_event *event,
		    struct tdat_build *out)
{
	/* Steps of 8 bytes print each byte once. */
	const size_t step = n->env->kernel ? 8 : n->env->long_size;
	struct tdat_span record = event->record;
	uint64_t id;
	size_t off;

	if (!native_get(&n->f[ID], record, &id, out))
		return native_give_up(out);
	native_lit(out, "# ");
	tdat_number_x64(out, id, 0);
	if (!n->f[BUF].found) {
		native_no_val(&n->f[BUF], out);
		return true;
	}
	for (off = n->f[BUF].off; off < record.len; off += step) {
		size_t left = record.len - off;
		size_t i;

		for (i = 0; i < (left < 8 ? left : 8); i++) {
			tdat_build_u8(out, ' ');
			tdat_number_x64(out, record.ptr[off + i], 2);
		}
	}
	return true;
}

/* Sets run_short if the format has an 8-byte ip and no option changes the text. */
static bool function_init(struct model_native *n)
{
	const uint32_t opts = MODEL_OPT_PARENT | MODEL_OPT_OFFSET | MODEL_OPT_NO_INDENT;
	struct function *f = (struct function *)n;

	if (n->f[PARENT_IP].number && !(n->env->plugin_opts & opts))
		f->short_len = native_field_end(&n->f[IP], 8);
	if (f->short_len)
		n->run_short = function_short;
	return true;
}

const struct model_native_entry native_function[] = {
	{"ftrace", "function", function_run, .fields = {"ip", "parent_ip"},
	 .size = sizeof(struct function), .init = function_init},
	{"ftrace", "kernel_stack", stack_run, .fields = {"@caller"}, .init = native_has_long},
	{"ftrace", "raw_data", raw_run, .fields = {"id", "@buf"}, .init = native_has_long},
	{"ftrace", "func_repeats", repeats_run,
	 .fields = {"ip", "parent_ip", "count", "top_delta_ts", "bottom_delta_ts"}},
	{.name = NULL},
};
