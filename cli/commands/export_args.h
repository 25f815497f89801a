/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the command line of tdat export says. */
#ifndef CLI_EXPORT_ARGS_H
#define CLI_EXPORT_ARGS_H

#include <tdat/export.h>
#include <tdat/table.h>

#include "args/filter_opts.h"
#include "args/limits.h"

struct export_args {
	const char *to, *output, *partition, *compact, *part_pipe;
	struct cli_list tables, columns, pairs;
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct tdat_limits limits;
	struct tdat_keyed_option *options;
	char **option_texts;
	size_t option_count, option_room, text_room;
	bool force, quiet, raw_ts, no_date, perfetto_compat, tracks;
	uint64_t threads;
};

extern const struct cli_opt export_opts[];

void export_args_fini(struct export_args *a);

/* Whether an option says what to export, or where to. */
bool export_args_choose(const struct export_args *a);

/* Whether --table asks for the table; without --table, whether it is one of those by default. */
bool export_wants_table(const void *args, const struct tdat_trace *trace,
			const struct tdat_table *table);
/* Whether one pattern of --table asks for it; a short name is that of an event in SQL, too. */
bool export_pattern_has(const char *pattern, const struct tdat_trace *trace,
			const struct tdat_table *table);

/* Sets what the options say of the times and pairs of the trace, and of the rows to read. */
void export_args_opts(const struct export_args *a, const struct tdat_filter *filter,
		      struct tdat_trace_opts *trace, struct tdat_table_opts *table);

#endif
