/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace: its inputs, and its tables, whose schemas are made on first use (trace.h). */
#ifndef TDAT_TABLE_TRACE_DATA_H
#define TDAT_TABLE_TRACE_DATA_H

#include <pthread.h>
#include <stdatomic.h>

#include <tdat/table.h>

#include "core/arena.h"
#include "decode_run.h"
#include "file/file.h"

/* A format of an event type, not parsed yet. */
struct trace_format {
	uint32_t input;
	uint32_t id;
	size_t index; /* for tdat_file_format */
};

struct table_shape;

struct trace_table {
	const struct trace_format *formats; /* of kind EVENT */
	size_t format_count;
	const struct table_meta *meta;	     /* of kind META */
	const struct table_derived *derived; /* of kind DERIVED */
	_Atomic(struct table_schema *) made; /* NULL until it is first asked for */
};

/* What the kernel said of losses when recording ended (option CPUSTAT): sums of all CPUs. */
enum trace_drop { TRACE_OVERRUN, TRACE_COMMIT_OVERRUN, TRACE_DROPPED, TRACE_DROPS };

struct tdat_trace {
	struct tdat_trace_opts opts;
	struct tdat_iter_input *iter_inputs;
	struct table_input *inputs;
	struct tdat_task_groups *groups; /* of each input */
	struct model_env *envs;		 /* of each input */
	size_t input_count;
	bool wall; /* times are since 1970-01-01 in UTC */
	bool has_drops;
	uint64_t drops[TRACE_DROPS];

	struct tdat_table *tables;
	struct trace_table *facts; /* beside tables */
	size_t table_count;
	struct trace_format *formats;
	void *owned; /* what the maker of derived tables keeps here; or NULL */
	void (*free_owned)(void *owned);
	struct tdat_arena arena; /* names */
	pthread_mutex_t lock;	 /* held while a schema is made */
	struct {
		struct tdat_arena arena;
		struct table_shape *tables; /* by index of the table; NULL: not looked at yet */
		pthread_mutex_t lock;	    /* held meanwhile */
	} shapes;
};

/* Options of an iterator that has the trace's times. */
static inline struct tdat_iter_opts trace_iter_opts(const struct tdat_trace *t)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;

	opts.raw_ts = t->opts.raw_ts;
	opts.no_date = t->opts.no_date;
	return opts;
}

#endif
