/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints funcgraph_entry and funcgraph_exit as trace-cmd's own handlers do. An entry whose exit
 * follows is one line with a duration; the iterator folds them (lib/read/next_event.c).
 * Indentation follows the depth field, bounded. The short way for usual records is compared
 * with the slow one by tests/unit/read/test_fast_paths.c.
 */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "graph_exits.h"
#include "core/put.h"

#define INDENT 2
#define NO_DURATION "             |  "
#define FIXED_MAX 128 /* bytes of a line besides indent and name */
#define MAX_ERRNO 4095

enum { TYPE, PID, FUNC, DEPTH };

/* A handler of funcgraph_entry or funcgraph_exit. */
struct graph {
	struct model_native base;
	uint64_t indent_max;
	bool big;
	uint32_t own_len, exit_len; /* where the fields end that they read */
	struct graph_exit exit;	    /* the event's own type, or the first that ends an entry */
	const struct model_graph_exits *more; /* of an entry: all types, if there are several */
};

/*
 * Returns the mark before a duration in nanoseconds: + for more than 10 us, ! for 100 us, # for 1
 * ms, $ for 1 s.
 */
static char overhead(uint64_t ns)
{
	if (ns <= 10000 || ns == UINT64_MAX)
		return ' ';
	if (ns <= 100000)
		return '+';
	if (ns <= 1000000)
		return '!';
	return ns <= 1000000000 ? '#' : '$';
}

/*
 * Writes 1.234 to 999999.999 us. The column is filled up behind the unit, as far as the number is
 * short.
 */
static inline uint8_t *put_short_us(uint8_t *p, uint32_t us, uint32_t rest)
{
	static const char fill[] = " us   |  ";
	unsigned int left = 0;

	if (us < 10) {
		*p++ = (uint8_t)('0' + us);
		left = 2;
	} else if (us < 100) {
		memcpy(p, tdat_digit_pairs + us * 2, 2);
		p += 2;
		left = 1;
	} else {
		p = tdat_put_u32(p, us);
	}
	p[0] = '.';
	memcpy(p + 1, tdat_digit_triples + 4 * rest, 4);
	memcpy(p + 4, fill, 6);
	memcpy(p + 8 + left, fill + 6, 3);
	return p + 11 + left;
}

/* Writes mark and duration: microseconds, with three more digits below one second. */
static uint8_t *put_duration(uint8_t *p, uint64_t ns)
{
	const uint64_t us = ns / 1000;

	*p++ = (uint8_t)overhead(ns);
	*p++ = ' ';
	if (__builtin_expect(us < 1000000, 1))
		return put_short_us(p, (uint32_t)us, (uint32_t)(ns - us * 1000));
	return tdat_put_lit(tdat_put_u64(p, us), " us |  ");
}

/*
 * Writes the return value, which trace-cmd prints since 3.2: as a number if the kernel would take
 * it for an error code, else in hexadecimal.
 */
static uint8_t *put_retval(uint8_t *p, const struct graph *g, const struct graph_exit *x,
			   struct tdat_span exit_record)
{
	uint64_t v;

	if (!g->base.env->compat33 || !native_num(&x->retval, exit_record, &v))
		return p;
	p = tdat_put_lit(p, " (ret=");
	if ((int64_t)v < 0 && (int64_t)v >= -MAX_ERRNO) {
		p = tdat_put_i64(p, (int64_t)v);
	} else {
		p = tdat_put_lit(p, "0x");
		p = tdat_put_hex(p, v);
	}
	*p++ = ')';
	return p;
}

/* Prints the text that -O depth and, at an exit, -O tailprint add. */
static void print_options(const struct graph *g, const uint64_t *func, uint64_t depth,
			  struct tdat_build *out)
{
	struct tdat_span name = {NULL, 0};

	if (func && (g->base.env->plugin_opts & MODEL_OPT_TAILPRINT))
		name = model_symbols_find(g->base.env->symbols, *func, NULL);
	if (name.ptr) {
		native_lit(out, " /* ");
		tdat_build_bytes(out, name.ptr, name.len);
		native_lit(out, " */");
	}
	if (g->base.env->plugin_opts & MODEL_OPT_DEPTH) {
		native_lit(out, " (");
		tdat_number_i64(out, (int64_t)depth);
		tdat_build_u8(out, ')');
	}
}

/* Returns the type of a folded exit. Merged files may have several types of that name. */
static const struct graph_exit *exit_of(const struct graph *g, struct tdat_span leaf)
{
	uint64_t id;

	if (!g->more || !native_num(&g->base.f[TYPE], leaf, &id))
		return &g->exit;
	return model_graph_exits_find(g->more, id);
}

/* Reads the time between call and return. False: a field is missing, which the text says. */
static bool get_duration(const struct graph_exit *x, struct tdat_span exit_record, uint64_t *ns,
			 struct tdat_build *out)
{
	uint64_t ret, call;

	if (!native_get(&x->rettime, exit_record, &ret, out) ||
	    !native_get(&x->calltime, exit_record, &call, out))
		return false;
	*ns = ret - call;
	return true;
}

/* Returns the blanks of a depth. A depth with the sign bit has none, as in trace-cmd's int. */
static size_t indent(const struct graph *g, uint64_t depth)
{
	int32_t n = (int32_t)(uint32_t)(depth * INDENT);

	if (n <= 0)
		return 0;
	return (uint64_t)n < g->indent_max ? (size_t)n : (size_t)g->indent_max;
}

/* Prints the duration column of a line that then ends early. */
static void print_head(const uint64_t *ns, struct tdat_build *out)
{
	uint8_t *p = tdat_build_room(out, FIXED_MAX);

	if (!p)
		return;
	p = ns ? put_duration(p, *ns) : tdat_put_lit(p, NO_DURATION);
	out->len = (size_t)(p - out->ptr);
}

/* Reads fields of a record whose length was compared with own_len or exit_len before. */
static inline uint64_t usual_depth(const struct graph *g, const uint8_t *record)
{
	const uint8_t *p = record + g->base.f[DEPTH].off;

	return g->base.f[DEPTH].len == 8 ? tdat_load64(p, g->big) : tdat_load32(p, g->big);
}

static inline uint64_t usual_ns(const struct graph *g, const uint8_t *exit_record)
{
	return tdat_load64(exit_record + g->exit.rettime.off, g->big) -
	       tdat_load64(exit_record + g->exit.calltime.off, g->big);
}

/* Parts of a line. */
struct line {
	uint64_t func, depth, ns;
	struct tdat_span name;
};

/* True if the line fits in MODEL_NATIVE_SHORT bytes. */
static inline bool is_short(const struct graph *g, const struct line *l)
{
	return indent(g, l->depth) + l->name.len <= MODEL_NATIVE_SHORT - FIXED_MAX;
}

/* Prints "name() {" of an entry, or duration and "name();" of one whose exit follows at once. */
static inline void put_entry(const struct graph *g, const struct line *l,
			     const struct graph_exit *leaf, struct tdat_span exit_record,
			     struct tdat_build *out)
{
	uint8_t *p = tdat_build_room(out, FIXED_MAX + indent(g, l->depth) + l->name.len);

	if (!p)
		return;
	p = leaf ? put_duration(p, l->ns) : tdat_put_lit(p, NO_DURATION);
	p = tdat_put_spaces(p, indent(g, l->depth));
	p = l->name.ptr ? tdat_put_span(p, l->name) : tdat_put_hex(p, l->func);
	if (leaf)
		p = put_retval(tdat_put_lit(p, "();"), g, leaf, exit_record);
	else
		p = tdat_put_lit(p, "() {");
	out->len = (size_t)(p - out->ptr);
}

/* entry_run for most records; the test "fast_paths" (same_text) compares the two. */
static bool entry_short(const struct model_native *n, const struct model_event *event,
			struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)n;
	const bool leaf = event->leaf.len > 0;
	struct line l;

	if (event->record.len < g->own_len || (leaf && event->leaf.len < g->exit_len))
		return false;
	l.func = tdat_load64(event->record.ptr + g->base.f[FUNC].off, g->big);
	l.depth = usual_depth(g, event->record.ptr);
	l.ns = leaf ? usual_ns(g, event->leaf.ptr) : 0;
	l.name = native_name(g->base.env, event, l.func, NULL);
	if (!is_short(g, &l))
		return false;
	put_entry(g, &l, leaf ? &g->exit : NULL, event->leaf, out);
	return true;
}

/* The slow way of entry_short. */
static bool entry_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)n;
	const struct graph_exit *leaf = event->leaf.len ? exit_of(g, event->leaf) : NULL;
	struct line l = {.ns = 0};

	/* pid is read only because trace-cmd gives up without it. */
	if (!native_get(&g->base.f[PID], event->record, &l.func, out) ||
	    !native_get(&g->base.f[FUNC], event->record, &l.func, out))
		return native_give_up(out);
	if (leaf && !get_duration(leaf, event->leaf, &l.ns, out)) {
		tdat_build_u8(out, '!');
		return true;
	}
	if (!native_num(&g->base.f[DEPTH], event->record, &l.depth)) {
		print_head(leaf ? &l.ns : NULL, out);
		native_no_val(&g->base.f[DEPTH], out);
		tdat_build_u8(out, '!');
		return true;
	}
	l.name = native_name(g->base.env, event, l.func, NULL);
	put_entry(g, &l, leaf, event->leaf, out);
	if (g->base.env->plugin_opts)
		print_options(g, NULL, l.depth, out);
	return true;
}

/* Prints duration and "}". */
static inline void put_exit(const struct graph *g, const struct line *l,
			    struct tdat_span exit_record, struct tdat_build *out)
{
	uint8_t *p = tdat_build_room(out, FIXED_MAX + indent(g, l->depth));

	if (!p)
		return;
	p = tdat_put_spaces(put_duration(p, l->ns), indent(g, l->depth));
	*p++ = '}';
	p = put_retval(p, g, &g->exit, exit_record);
	out->len = (size_t)(p - out->ptr);
}

/* exit_run for most records; the test "fast_paths" (same_text) compares the two. */
static bool exit_short(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)n;
	struct line l = {.name = {NULL, 0}};

	if (event->record.len < g->own_len)
		return false;
	l.ns = usual_ns(g, event->record.ptr);
	l.depth = usual_depth(g, event->record.ptr);
	if (!is_short(g, &l))
		return false;
	put_exit(g, &l, event->record, out);
	return true;
}

/* The slow way of exit_short. */
static bool exit_run(const struct model_native *n, const struct model_event *event,
		     struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)n;
	struct line l = {.name = {NULL, 0}};

	if (!get_duration(&g->exit, event->record, &l.ns, out))
		return native_give_up(out);
	if (!native_num(&g->base.f[DEPTH], event->record, &l.depth)) {
		print_head(&l.ns, out);
		native_no_val(&g->base.f[DEPTH], out);
		return native_give_up(out);
	}
	put_exit(g, &l, event->record, out);
	if (g->base.env->plugin_opts)
		print_options(g,
			      native_num(&g->base.f[FUNC], event->record, &l.func) ? &l.func : NULL,
			      l.depth, out);
	return true;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Returns where depth ends, 0 if it is unusual. It is an int in old kernels and a long in newer
 * ones.
 */
static uint32_t depth_end(const struct graph *g)
{
	return later(native_field_end(&g->base.f[DEPTH], 4),
		     native_field_end(&g->base.f[DEPTH], 8));
}

/*
 * Notes how long records are that run_short can read without checks. True: the format has all
 * fields where 64-bit kernels have them. own_len is 0 if one of the event's own is unusual.
 */
static bool find_short(struct graph *g, uint32_t own_len)
{
	const uint32_t ret = native_field_end(&g->exit.rettime, 8),
		       call = native_field_end(&g->exit.calltime, 8);

	g->big = g->base.f[DEPTH].big;
	g->own_len = own_len;
	g->exit_len = later(ret, call);
	return own_len && ret && call && !g->more && !g->base.env->plugin_opts;
}

static bool entry_init(struct model_native *n)
{
	struct graph *g = (struct graph *)n;
	const uint32_t depth = depth_end(g), func = native_field_end(&n->f[FUNC], 8);
	const struct model_graph_exits *exits =
		n->env->graph_exits ? n->env->graph_exits(n->env->ctx) : NULL;

	/* Without funcgraph_exit in the file trace-cmd leaves entries to print fmt. */
	if (!exits || !exits->count)
		return false;
	g->indent_max = model_text_max(n->env);
	g->exit = exits->first;
	g->more = exits->count > 1 ? exits : NULL;
	if (find_short(g, depth && func && n->f[PID].number ? later(depth, func) : 0))
		n->run_short = entry_short;
	return true;
}

static bool exit_init(struct model_native *n)
{
	struct graph *g = (struct graph *)n;
	const uint32_t depth = depth_end(g);

	g->indent_max = model_text_max(n->env);
	graph_exit_init(&g->exit, n->format);
	if (find_short(g, depth)) {
		g->own_len = later(depth, g->exit_len);
		n->run_short = exit_short;
	}
	return true;
}

#define GRAPH                                                                                      \
	.fields = {"@common_type", "@common_pid", "func", "depth"}, .size = sizeof(struct graph)

const struct model_native_entry native_graph[] = {
	{"ftrace", "funcgraph_entry", entry_run, GRAPH, .init = entry_init},
	{"ftrace", "funcgraph_exit", exit_run, GRAPH, .init = exit_init},
	{.name = NULL},
};
