/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the files of a command as one trace, and reads tables of it. */
#ifndef CLI_TRACE_TABLES_H
#define CLI_TRACE_TABLES_H

#include <tdat/table.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "input/trace_files.h"
#include "tables/column.h"

/* The options of such commands; it must be the first member of their values. */
struct cli_table_args {
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct tdat_limits limits;
	struct cli_list pairs;
	bool raw_ts, no_date;
	uint64_t threads;
};
#define CLI_TABLE_ARGS_INIT                                                                        \
	{                                                                                          \
		.limits = TDAT_LIMITS_INIT                                                         \
	}

int cli_table_expr(void *values, const struct cli_opt *opt, const char *value);
int cli_table_negate(void *values, const struct cli_opt *opt, const char *value);

/* clang-format off */
#define CLI_TABLE_OPTS(type, member) \
	CLI_CPUS(0, "cpu", "LIST", type, member.cpus, "only these CPUs, such as 2 or 0,2-3"), \
	CLI_FILTER_OPTS(type, member.filter, cli_table_expr, cli_table_negate), \
	CLI_LIST(0, "pair", "PAIR", type, member.pairs, \
		 "one more table, of pairs of events: see tdat-latency(1)"), \
	CLI_FLAG(0, "raw-ts", type, member.raw_ts, "times as the ring buffer has them"), \
	CLI_FLAG(0, "nodate", type, member.no_date, "ignore the offset of record --date"), \
	CLI_U64(0, "threads", "N", 0, 64, type, member.threads, \
		"work on N threads; 0, the default: one per CPU"), \
	CLI_LIMITS(type, member.limits)
/* clang-format on */

void cli_table_args_fini(struct cli_table_args *a);

/* What a table had to leave out. */
struct cli_note {
	const char *table, *what;
	uint64_t count;
};

struct cli_trace {
	const struct cli_table_args *args;
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_filter *filter;
	struct tdat_trace *trace;
	struct cli_note *notes;
	size_t note_count, note_room;
	bool seconds; /* times are shown as seconds */
	int status;   /* CLI_FAILED once damage was met */
};

/* Opens the files, or trace.dat. CLI_OK, or an exit status after a complaint. */
int cli_trace_open(struct cli_trace *t, const char *command, const struct cli_table_args *a,
		   char *const *paths, int count);
void cli_trace_close(struct cli_trace *t);

/* Says on stderr what tables had to leave out, for outputs that have no place for it. */
void cli_trace_tell_notes(const struct cli_trace *t);

/* A table by name; NULL after a complaint. */
const struct tdat_table *cli_trace_table(const struct cli_trace *t, const char *name);

/*
 * Reads columns of tables in order, as tdat_trace_read does: of each table those that it has.
 * CLI_OK, or an exit status after a complaint.
 */
int cli_trace_read(struct cli_trace *t, const struct tdat_table *const *tables, size_t table_count,
		   const char *const *columns, size_t column_count, tdat_rows_fn rows, void *ctx);

/*
 * Finds out what the columns of these names are, which must differ. One that the table does not
 * have gets the kind 0. CLI_OK, or an exit status after a complaint.
 */
int cli_trace_columns(const struct cli_trace *t, const struct tdat_table *table,
		      const char *const *names, size_t count, struct cli_column *columns);

/* Sets the arrays of these columns in a batch of a table that was read with their names. */
void cli_trace_batch(struct cli_column *columns, size_t count, const struct ArrowArray *rows);

/* A time as dump writes it. */
void cli_trace_time(const struct cli_trace *t, uint64_t ts, char out[32]);

#endif
