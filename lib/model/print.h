/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the print format of an event as a small program that is run over its records. A
 * program is compiled once, never changes, and is shared by threads; what changes while it runs
 * is in a scratch, which belongs to one thread.
 */
#ifndef TDAT_MODEL_PRINT_H
#define TDAT_MODEL_PRINT_H

#include "core/build.h"
#include "format.h"
#include "symbol_cache.h"

struct model_tep;

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

/* Limits print_len and print_steps. */
uint32_t model_text_max(const struct model_env *env);
uint32_t model_steps_max(const struct model_env *env);
/* The bytes that are added to print_len for each byte of the record. */
uint32_t model_text_per_byte(const struct model_env *env);

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

enum model_print_kind {
	MODEL_PRINT_COMPILED, /* a program of print fmt */
	MODEL_PRINT_NATIVE,   /* a native handler does what a plugin or trace-cmd does */
	MODEL_PRINT_FALLBACK, /* libtraceevent formats it (model/tep_fallback.c) */
	MODEL_PRINT_FIELDS,   /* name=value: print fmt is broken */
	MODEL_PRINT_PARTLY    /* compiled, but for arguments that cannot be evaluated */
};

struct model_print;
/*
 * What one thread needs to run programs: temporary memory, and names that were looked up. The
 * files of the programs that use a scratch must outlive it.
 */
struct model_scratch;

/*
 * model_print_new does not fail for a print format that it cannot compile: the events are then
 * printed in another way, and model_print_reason says why.
 */
enum tdat_status model_print_new(struct model_print **out, const struct tdat_format *format,
				 const struct model_env *env, enum model_print_style style,
				 struct tdat_error *err);
void model_print_free(struct model_print *p);
enum model_print_kind model_print_kind(const struct model_print *p);
/* Whether its text can hold a NUL byte. */
bool model_print_may_nul(const struct model_print *p);
/* Why it is not compiled; "" when it is. */
const char *model_print_reason(const struct model_print *p);

enum tdat_status model_scratch_new(struct model_scratch **out, struct tdat_error *err);
void model_scratch_free(struct model_scratch *s);
/* Names that programs looked up with it, for model_event.names. */
struct model_symbol_cache *model_scratch_names(struct model_scratch *s);

/*
 * model_print_run appends the event's text to out, without a final newline
 * unless print fmt has one. Never reads outside event->record and ->leaf.
 */
void model_print_run(const struct model_print *p, const struct model_event *event,
		     struct model_scratch *scratch, struct tdat_build *out);

#endif
