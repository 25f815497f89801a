/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what printing an event needs: the facts of its file, a style, and the event itself. */
#ifndef TDAT_MODEL_PRINT_ENV_H
#define TDAT_MODEL_PRINT_ENV_H

#include "core/build.h"
#include "format.h"
#include "symbol_cache.h"

struct model_tep;
struct model_scratch;

/* How a time inside an event's text is printed (last_ts of func_repeats). */
enum model_time {
	MODEL_TIME_US = 0, /* seconds and six digits */
	MODEL_TIME_NS,	   /* seconds and nine digits */
	MODEL_TIME_TICKS   /* as the clock counts */
};

struct model_graph_exits;

/* What a program may look up. Everything is borrowed and outlives the programs. */
struct model_env {
	bool big;		  /* byte order of the file */
	uint8_t long_size;	  /* header byte: what libtraceevent calls long_size */
	uint8_t kernel_long_size; /* from header_page: what trace-cmd calls long_size */
	const struct model_symbols *symbols;
	const struct model_printk *printk;
	/*
	 * The types of funcgraph_exit of the same file, whose fields a leaf's line needs; may
	 * be NULL, and return NULL.
	 */
	const struct model_graph_exits *(*graph_exits)(void *ctx);
	struct tdat_span (*name)(const void *ctx, int32_t pid); /* of a task */
	void *ctx;
	const struct tdat_limits *limits;
	bool inflates_much;    /* the file does (file_inflates_much): limits have lower defaults */
	struct model_tep *tep; /* prints what programs cannot; NULL: name=value instead */
	bool no_plugins;       /* report -N, for MODEL_PRINT_RAW, whose style does not say */
	enum model_time time;
	uint32_t plugin_opts; /* enum model_plugin_opt */
	bool kernel; /* print fmt is read as the kernel's compiler does, not libtraceevent */
	uint32_t kernel_version; /* major << 16 | minor << 8 | patch; 0: not known */
	uint32_t hz;		 /* jiffies a second; 0: not known */
	bool compat33;		 /* as trace-cmd 3.2 and later print, not 3.1 */
	bool tep17;		 /* as libtraceevent 1.7 (Debian 12) does, not 1.8 */
};

/* Options of the ecosystem's plugins that change the text; report -O NAME. */
enum model_plugin_opt {
	MODEL_OPT_PARENT = 1u << 0,    /* ftrace:parent */
	MODEL_OPT_OFFSET = 1u << 1,    /* ftrace:offset */
	MODEL_OPT_NO_INDENT = 1u << 2, /* ftrace:indent=0 */
	MODEL_OPT_TAILPRINT = 1u << 3, /* fgraph:tailprint */
	MODEL_OPT_DEPTH = 1u << 4      /* fgraph:depth */
};

enum model_print_style {
	MODEL_PRINT_FMT = 0,	    /* print fmt, with native plugin behaviour */
	MODEL_PRINT_NO_PLUGINS = 1, /* report -N: print fmt alone */
	MODEL_PRINT_RAW = 2	    /* report -R: name=value of every field */
};

/* One event to print. */
struct model_event {
	struct tdat_span record;
	struct tdat_span leaf; /* funcgraph_entry: its folded exit, or empty */
	uint32_t cpu;
	uint32_t depth; /* function: call depth for the indent */
	uint64_t ts;
	struct model_symbol_cache *names; /* of the thread, or NULL */
};

/* Limits print_len and print_steps. */
uint32_t model_text_max(const struct model_env *env);
uint32_t model_steps_max(const struct model_env *env);
/* The bytes that are added to print_len for each byte of the record. */
uint32_t model_text_per_byte(const struct model_env *env);

/* The most bytes of text of a record. */
static inline size_t model_text_most(const struct model_env *env, size_t record_len)
{
	return model_text_max(env) + (size_t)model_text_per_byte(env) * record_len;
}

#endif
