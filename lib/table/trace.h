/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace: its inputs, and its tables, whose schemas are made on first use. */
#ifndef TDAT_TABLE_TRACE_H
#define TDAT_TABLE_TRACE_H

#include <pthread.h>
#include <stdatomic.h>

#include <tdat/table.h>

#include "decode.h"
#include "file/file.h"
#include "shapes.h"

/* A format of an event type, not parsed yet. */
struct trace_format {
	uint32_t input;
	uint32_t id;
	size_t index; /* for tdat_file_format */
};

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
	struct table_shapes shapes;
};

/*
 * tdat_trace_new with derived tables, whose definitions the trace borrows. owned is freed with the
 * trace, and also when this fails.
 */
struct trace_extra {
	const struct table_derived *const *derived;
	size_t derived_count;
	void *owned;
	void (*free_owned)(void *owned);
};
enum tdat_status trace_new(struct tdat_trace **out, const struct tdat_iter_input *inputs,
			   size_t input_count, const struct tdat_trace_opts *opts,
			   const struct trace_extra *extra, struct tdat_error *err);

/* The schema of a table of events, made once; NULL after a failure. */
const struct table_schema *trace_schema(const struct tdat_trace *trace,
					const struct tdat_table *table, struct tdat_error *err);

/*
 * The same for a caller that looks at it and frees it: thousands of schemas that are kept take
 * much memory.
 */
struct table_schema *trace_schema_new(const struct tdat_trace *trace,
				      const struct tdat_table *table, struct tdat_error *err);
void trace_schema_free(struct table_schema *schema);

/* Copies a caller's options, which may be NULL or of another size, and looks at their values. */
enum tdat_status trace_take_opts(struct tdat_table_opts *out, const struct tdat_table_opts *opts,
				 struct tdat_error *err);

/*
 * The cuts of a trace into pieces of some MiB: *each, from *first on, for the split that opts name,
 * so that all who read a split of a trace find the same cuts around it. Of more splits than a
 * trace can be cut into (read_cuts_most) the last ones have nothing.
 */
struct read_cuts;
enum tdat_status trace_cuts(struct read_cuts **out, const struct tdat_trace *trace,
			    const struct tdat_table_opts *opts, uint32_t *first, uint32_t *each,
			    struct tdat_error *err);

#endif
