/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the files of a command as one trace, and makes summaries of it. */
#ifndef CLI_TRACE_TABLES_H
#define CLI_TRACE_TABLES_H

#include <tdat/summary.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "input/trace_files.h"

/* The options of such commands; it must be the first member of their values. */
struct cli_table_args {
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct tdat_limits limits;
	struct cli_list pairs;
	bool raw_ts, no_date;
	uint64_t threads;
	const char *output; /* a file that the command makes after reading; NULL: none */
};
#define CLI_TABLE_ARGS_INIT                                                                        \
	{                                                                                          \
		.limits = TDAT_LIMITS_INIT                                                         \
	}

/* clang-format off */
#define CLI_TABLE_OPTS(type, member) \
	CLI_CPUS(0, "cpu", "LIST", type, member.cpus, "only these CPUs, such as 2 or 0,2-3"), \
	CLI_FILTER_OPTS(type, member.filter), \
	CLI_FLAG(0, "raw-ts", type, member.raw_ts, "use timestamps as stored in the ring buffer"), \
	CLI_FLAG(0, "nodate", type, member.no_date, "do not add the offset of trace-cmd record --date"), \
	CLI_U64(0, "threads", "N", 0, 64, type, member.threads, \
		"use N threads (default: 0, one per CPU)"), \
	CLI_LIMITS(type, member.limits)
/* For commands that read any table. */
#define CLI_TABLE_PAIR(type, member) \
	CLI_LIST(0, "pair", "PAIR", type, member.pairs, \
		 "add a table of intervals; see tdat-latency(1)")
/* clang-format on */

void cli_table_args_fini(struct cli_table_args *a);

struct cli_trace {
	const struct cli_table_args *args;
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_filter *filter;
	struct tdat_trace *trace;
	int status; /* CLI_FAILED once damage was met */
};

/* Opens the files, or trace.dat. CLI_OK, or an exit status after a complaint. */
int cli_trace_open(struct cli_trace *t, const char *command, const struct cli_table_args *a,
		   char *const *paths, int count);
void cli_trace_close(struct cli_trace *t);
/* Makes the trace of the inputs that t has. CLI_OK, or an exit status after a complaint. */
int cli_trace_make(struct cli_trace *t);
/* Lists tables (cli_table_list), all or the derived ones. CLI_OK, or an exit status. */
int cli_trace_list(struct cli_trace *t, bool derived, bool json);
/* Options of a reading: filter, CPUs, threads, and damage, which sets t->status. */
struct tdat_table_opts cli_trace_opts(struct cli_trace *t);

/*
 * How a command makes a summary and prints it. args is the command's; print returns CLI_OK, or an
 * exit status after a complaint.
 */
struct cli_summary {
	const void *args;
	enum tdat_status (*make)(const void *args, const struct tdat_trace *trace,
				 struct tdat_summary **out, struct tdat_error *err);
	int (*print)(const void *args, struct cli_trace *t, const struct tdat_summary *s);
	const char *what; /* groups of all events, for complaints */
};

/*
 * Reads the trace once for a summary; damage sets t->status. CLI_OK, or an exit status after a
 * complaint.
 */
int cli_trace_run(struct cli_trace *t, struct tdat_summary *s);

/*
 * Makes a summary, reads what it is made of, prints it, and reports rows that have no group of
 * their own, which makes the status of the trace CLI_FAILED. CLI_OK, or an exit status after a
 * complaint.
 */
int cli_trace_sum_up(struct cli_trace *t, const struct cli_summary *def);

/* Opens the files, sums them up and closes them. Returns the exit status of the command. */
int cli_sum_up(const char *command, const struct cli_table_args *a, int argc, char **argv,
	       const struct cli_summary *def);

/* Says that there are no rows of a name, or what chose none. */
void cli_trace_warn_empty(const struct cli_trace *t, const char *name);

/* Says on stderr what tables had to leave out, for outputs that have no place for it. */
void cli_trace_tell_notes(const struct tdat_summary *s);

/* A tdat_write_fn that writes to stdout; ctx is not needed. */
enum tdat_status cli_trace_put(void *ctx, const void *data, size_t len, struct tdat_error *err);
/* Writes the JSON of a summary to stdout. CLI_OK, or an exit status after a complaint. */
int cli_trace_json(const struct tdat_summary *s, int level);

#endif
