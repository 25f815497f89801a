/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* funcgraph_entry and funcgraph_exit, as trace-cmd overrides them. */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"
#include "put.h"

#define INDENT 2
#define DURATION_WIDTH 7
#define NO_DURATION "             |  "
#define FIXED_MAX 128 /* bytes of a line besides indent and name */
#define MAX_ERRNO 4095

/* An exit event; a merged file may have several types of it. */
struct graph_exit {
	uint32_t id;
	struct native_field rettime, calltime, retval;
};

struct graph {
	struct model_native base;
	const struct model_env *env;
	struct native_field type, pid, func, depth;
	uint64_t indent_max;
	size_t exit_count;
	struct graph_exit exits[]; /* one at least */
};

/* How much is said about a duration before it. */
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

/* Microseconds, with three digits more while the number is short. */
static uint8_t *put_duration(uint8_t *p, uint64_t ns)
{
	uint64_t us = ns / 1000;
	uint8_t *start;
	size_t len;

	*p++ = (uint8_t)overhead(ns);
	*p++ = ' ';
	start = p;
	p = model_put_u64(p, us);
	if (p - start < DURATION_WIDTH) {
		uint32_t rest = (uint32_t)(ns - us * 1000);

		*p++ = '.';
		*p++ = (uint8_t)('0' + rest / 100);
		*p++ = (uint8_t)('0' + rest / 10 % 10);
		*p++ = (uint8_t)('0' + rest % 10);
	}
	len = (size_t)(p - start);
	p = model_put_lit(p, " us ");
	if (len < DURATION_WIDTH)
		p = model_put_fill(p, ' ', DURATION_WIDTH - len);
	return model_put_lit(p, "|  ");
}

/* What the kernel takes for an error code is one: the rest are bits. */
static uint8_t *put_retval(uint8_t *p, const struct graph *g, const struct graph_exit *x,
			   struct tdat_span exit_record)
{
	uint64_t v;

	if (!g->env->compat33 || !native_num(&x->retval, exit_record, &v))
		return p;
	p = model_put_lit(p, " (ret=");
	if ((int64_t)v < 0 && (int64_t)v >= -MAX_ERRNO) {
		p = model_put_i64(p, (int64_t)v);
	} else {
		p = model_put_lit(p, "0x");
		p = model_put_hex(p, v);
	}
	*p++ = ')';
	return p;
}

/* What -O depth and, at an exit, -O tailprint add. */
static void print_options(const struct graph *g, const uint64_t *func, uint64_t depth,
			  struct tdat_build *out)
{
	struct tdat_span name = {NULL, 0};

	if (func && (g->env->plugin_opts & MODEL_OPT_TAILPRINT))
		name = model_symbols_find(g->env->symbols, *func, NULL);
	if (name.ptr) {
		native_lit(out, " /* ");
		tdat_build_bytes(out, name.ptr, name.len);
		native_lit(out, " */");
	}
	if (g->env->plugin_opts & MODEL_OPT_DEPTH) {
		native_lit(out, " (");
		model_text_i64(out, (int64_t)depth);
		tdat_build_u8(out, ')');
	}
}

/* The type of a folded exit. */
static const struct graph_exit *exit_of(const struct graph *g, struct tdat_span leaf)
{
	uint64_t id;

	if (g->exit_count == 1 || !native_num(&g->type, leaf, &id))
		return g->exits;
	for (size_t i = 0; i < g->exit_count; i++)
		if (g->exits[i].id == id)
			return &g->exits[i];
	return g->exits;
}

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

/* A depth with the sign bit has no indent. */
static size_t indent(const struct graph *g, uint64_t depth)
{
	int32_t n = (int32_t)(uint32_t)(depth * INDENT);

	if (n <= 0)
		return 0;
	return (uint64_t)n < g->indent_max ? (size_t)n : (size_t)g->indent_max;
}

/* The head of a line, where there is nothing to print after it. */
static void print_head(const uint64_t *ns, struct tdat_build *out)
{
	uint8_t *p = tdat_build_room(out, FIXED_MAX);

	if (!p)
		return;
	p = ns ? put_duration(p, *ns) : model_put_lit(p, NO_DURATION);
	out->len = (size_t)(p - out->ptr);
}

static bool entry_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)self;
	bool leaf = event->leaf.len > 0;
	const struct graph_exit *x = leaf ? exit_of(g, event->leaf) : NULL;
	struct tdat_span name;
	uint64_t v, depth, ns = 0;
	uint8_t *p;

	if (!native_get(&g->pid, event->record, &v, out) ||
	    !native_get(&g->func, event->record, &v, out))
		return native_give_up(out);
	if (leaf && !get_duration(x, event->leaf, &ns, out)) {
		tdat_build_u8(out, '!');
		return true;
	}
	if (!native_num(&g->depth, event->record, &depth)) {
		print_head(leaf ? &ns : NULL, out);
		native_no_val(&g->depth, out);
		tdat_build_u8(out, '!');
		return true;
	}
	name = model_symbol_cache_find(event->names, g->env->symbols, v, NULL);
	p = tdat_build_room(out, FIXED_MAX + indent(g, depth) + name.len);
	if (!p)
		return true;
	p = leaf ? put_duration(p, ns) : model_put_lit(p, NO_DURATION);
	p = model_put_fill(p, ' ', indent(g, depth));
	p = name.ptr ? model_put_span(p, name) : model_put_hex(p, v);
	if (leaf)
		p = put_retval(model_put_lit(p, "();"), g, x, event->leaf);
	else
		p = model_put_lit(p, "() {");
	out->len = (size_t)(p - out->ptr);
	if (g->env->plugin_opts)
		print_options(g, NULL, depth, out);
	return true;
}

static bool exit_run(const struct model_native *self, const struct model_event *event,
		     struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)self;
	uint64_t depth, ns, func;
	uint8_t *p;

	if (!get_duration(g->exits, event->record, &ns, out))
		return native_give_up(out);
	if (!native_num(&g->depth, event->record, &depth)) {
		print_head(&ns, out);
		native_no_val(&g->depth, out);
		return native_give_up(out);
	}
	p = tdat_build_room(out, FIXED_MAX + indent(g, depth));
	if (!p)
		return true;
	p = model_put_fill(put_duration(p, ns), ' ', indent(g, depth));
	*p++ = '}';
	p = put_retval(p, g, g->exits, event->record);
	out->len = (size_t)(p - out->ptr);
	if (g->env->plugin_opts)
		print_options(g, native_num(&g->func, event->record, &func) ? &func : NULL, depth,
			      out);
	return true;
}

static void exit_fields(struct graph_exit *x, const struct tdat_format *format)
{
	x->id = format->id;
	x->rettime = native_field_find(format, "rettime");
	x->calltime = native_field_find(format, "calltime");
	x->retval = native_field_find(format, "retval");
}

static struct graph *graph_new(const struct tdat_format *format, size_t exits,
			       const struct model_env *env, struct tdat_error *err)
{
	struct graph *g = native_alloc(sizeof(*g) + exits * sizeof(g->exits[0]), format, err);

	if (!g)
		return NULL;
	g->env = env;
	g->type = native_field_any(format, "common_type");
	g->pid = native_field_any(format, "common_pid");
	g->func = native_field_find(format, "func");
	g->depth = native_field_find(format, "depth");
	g->exit_count = exits;
	g->indent_max = model_text_max(env);
	return g;
}

static const struct tdat_format *exit_format(const struct model_env *env, size_t nth)
{
	return env->find_format ? env->find_format(env->ctx, "ftrace", "funcgraph_exit", nth)
				: NULL;
}

static enum tdat_status entry_init(struct model_native **out, const struct tdat_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	size_t exits = 0;
	struct graph *g;

	*out = NULL;
	while (exit_format(env, exits))
		exits++;
	if (!exits)
		return TDAT_OK;
	g = graph_new(format, exits, env, err);
	if (!g)
		return TDAT_E_NOMEM;
	for (size_t i = 0; i < exits; i++)
		exit_fields(&g->exits[i], exit_format(env, i));
	g->base.run = entry_run;
	*out = &g->base;
	return TDAT_OK;
}

static enum tdat_status exit_init(struct model_native **out, const struct tdat_format *format,
				  const struct model_env *env, struct tdat_error *err)
{
	struct graph *g = graph_new(format, 1, env, err);

	*out = NULL;
	if (!g)
		return TDAT_E_NOMEM;
	exit_fields(g->exits, format);
	g->base.run = exit_run;
	*out = &g->base;
	return TDAT_OK;
}

const struct model_native_entry native_graph[] = {
	{"ftrace", "funcgraph_entry", entry_init},
	{"ftrace", "funcgraph_exit", exit_init},
	{NULL, NULL, NULL},
};
