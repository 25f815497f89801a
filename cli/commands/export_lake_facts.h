/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a data set of many files is made of. */
#ifndef CLI_EXPORT_LAKE_FACTS_H
#define CLI_EXPORT_LAKE_FACTS_H

#include <tdat/export.h>
#include <tdat/table.h>

#include "output/part_pipe.h"
#include "output/partition.h"

struct export_lake {
	const struct tdat_exporter *exporter;
	const struct tdat_keyed_option *options;
	size_t option_count;
	struct cli_partition partition;
	const char *output;
	const char *recipe; /* options that decide what is written, on one line */
	struct tdat_trace_opts trace;
	struct tdat_table_opts table; /* columns, filter, CPUs; threads of all together */
	struct tdat_limits limits;
	bool force, quiet;
	const char *command;	    /* gets each part; NULL: they are kept */
	struct cli_part_pipe *pipe; /* that runs it */
	/* Whether a table is wanted. */
	bool (*wanted)(const void *ctx, const struct tdat_trace *trace,
		       const struct tdat_table *table);
	const void *wanted_ctx;
};

#endif
