/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* funcgraph_entry and funcgraph_exit, as trace-cmd overrides them. */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"

#define INDENT 2
#define DURATION_WIDTH 7
#define MAX_ERRNO 4095

struct graph {
	struct model_native base;
	const struct model_env *env;
	struct native_field pid, func, depth;
	struct native_field rettime, calltime, retval; /* of the exit event */
	uint64_t indent_max;
};

static void print_overhead(uint64_t ns, struct tdat_build *out)
{
	char mark = ' ';

	if (ns == UINT64_MAX)
		mark = ' ';
	else if (ns > 1000000000)
		mark = '$';
	else if (ns > 1000000)
		mark = '#';
	else if (ns > 100000)
		mark = '!';
	else if (ns > 10000)
		mark = '+';
	tdat_build_u8(out, (uint8_t)mark);
	tdat_build_u8(out, ' ');
}

/* Microseconds, with three digits more while the number is short. */
static void print_duration(uint64_t ns, struct tdat_build *out)
{
	char buf[MODEL_TEXT_NUM], *p;
	size_t len;

	p = model_text_dec(buf + sizeof(buf), ns / 1000);
	len = (size_t)(buf + sizeof(buf) - p);
	tdat_build_bytes(out, p, len);
	if (len < DURATION_WIDTH) {
		p = model_text_dec(buf + sizeof(buf), ns % 1000 + 1000);
		*p = '.';
		tdat_build_bytes(out, p, 4);
		len += 4;
	}
	native_lit(out, " us ");
	if (len < DURATION_WIDTH)
		tdat_build_fill(out, ' ', DURATION_WIDTH - len);
	native_lit(out, "|  ");
}

/* True when the indent is printed; a depth with the sign bit has none. */
static bool print_indent(const struct graph *g, struct tdat_span record, struct tdat_build *out)
{
	uint64_t depth;
	int32_t n;

	if (!native_get(&g->depth, record, &depth, out))
		return false;
	n = (int32_t)(uint32_t)(depth * INDENT);
	if (n > 0)
		tdat_build_fill(out, ' ',
				(uint64_t)n < g->indent_max ? (size_t)n : (size_t)g->indent_max);
	return true;
}

static void print_func(const struct graph *g, uint64_t addr, struct tdat_build *out)
{
	struct tdat_span name = model_symbols_find(g->env->symbols, addr, NULL);

	if (name.ptr)
		native_text(out, name);
	else
		model_text_x64(out, addr, 0);
}

static bool print_times(const struct graph *g, struct tdat_span exit_record, struct tdat_build *out)
{
	uint64_t ret, call;

	if (!native_get(&g->rettime, exit_record, &ret, out) ||
	    !native_get(&g->calltime, exit_record, &call, out))
		return false;
	print_overhead(ret - call, out);
	print_duration(ret - call, out);
	return true;
}

/* What the kernel takes for an error code is one: the rest are bits. */
static void print_retval(const struct graph *g, struct tdat_span exit_record,
			 struct tdat_build *out)
{
	uint64_t v;

	if (!g->env->compat33 || !native_num(&g->retval, exit_record, &v))
		return;
	native_lit(out, " (ret=");
	if ((int64_t)v < 0 && (int64_t)v >= -MAX_ERRNO) {
		model_text_i64(out, (int64_t)v);
	} else {
		native_lit(out, "0x");
		model_text_x64(out, v, 0);
	}
	tdat_build_u8(out, ')');
}

static bool entry_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)self;
	bool leaf = event->leaf.len > 0;
	uint64_t v;

	if (!native_get(&g->pid, event->record, &v, out) ||
	    !native_get(&g->func, event->record, &v, out))
		return native_give_up(out);
	if (!leaf)
		native_lit(out, "             |  ");
	else if (!print_times(g, event->leaf, out)) {
		tdat_build_u8(out, '!');
		return true;
	}
	if (!print_indent(g, event->record, out)) {
		tdat_build_u8(out, '!');
		return true;
	}
	print_func(g, v, out);
	if (leaf) {
		native_lit(out, "();");
		print_retval(g, event->leaf, out);
	} else {
		native_lit(out, "() {");
	}
	return true;
}

static bool exit_run(const struct model_native *self, const struct model_event *event,
		     struct tdat_build *out)
{
	const struct graph *g = (const struct graph *)self;

	if (!print_times(g, event->record, out) || !print_indent(g, event->record, out))
		return native_give_up(out);
	tdat_build_u8(out, '}');
	print_retval(g, event->record, out);
	return true;
}

static enum tdat_status graph_init(struct model_native **out, const struct tdat_format *format,
				   const struct tdat_format *exit_format,
				   const struct model_env *env, struct tdat_error *err)
{
	struct graph *g = native_alloc(sizeof(*g), format, err);

	if (!g)
		return TDAT_E_NOMEM;
	g->env = env;
	g->pid = native_field_any(format, "common_pid");
	g->func = native_field_find(format, "func");
	g->depth = native_field_find(format, "depth");
	g->rettime = native_field_find(exit_format, "rettime");
	g->calltime = native_field_find(exit_format, "calltime");
	g->retval = native_field_find(exit_format, "retval");
	g->indent_max = env->limits && env->limits->print_len ? env->limits->print_len : 1u << 20;
	*out = &g->base;
	return TDAT_OK;
}

static enum tdat_status entry_init(struct model_native **out, const struct tdat_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	const struct tdat_format *exit_format = NULL;
	enum tdat_status status;

	*out = NULL;
	if (env->find_format)
		exit_format = env->find_format(env->ctx, "ftrace", "funcgraph_exit");
	if (!exit_format)
		return TDAT_OK;
	status = graph_init(out, format, exit_format, env, err);
	if (status == TDAT_OK)
		(*out)->run = entry_run;
	return status;
}

static enum tdat_status exit_init(struct model_native **out, const struct tdat_format *format,
				  const struct model_env *env, struct tdat_error *err)
{
	enum tdat_status status = graph_init(out, format, format, env, err);

	if (status == TDAT_OK)
		(*out)->run = exit_run;
	return status;
}

const struct model_native_entry native_graph[] = {
	{"ftrace", "funcgraph_entry", false, entry_init},
	{"ftrace", "funcgraph_exit", false, exit_init},
	{NULL, NULL, false, NULL},
};
