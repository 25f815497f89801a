/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares tables that are read in one pass and written each to a part, a file of its own. */
#ifndef CLI_EXPORT_PARTS_H
#define CLI_EXPORT_PARTS_H

#include <tdat/export.h>
#include <tdat/table.h>

#include "output/constant_columns.h"
#include "output/lake_shape.h"
#include "output/table_file.h"

/* What is being written of one table. */
struct export_part {
	void *state; /* of the exporter; NULL: no row came yet */
	char *path;
	struct cli_table_file file;
	struct lake_shape *shape; /* of a data set: the columns of its folder; NULL: the table's */
	struct cli_constants constants; /* columns that the file has beside those of the table */
	bool same_event;		/* of a data set: export_lake_file.c */
	uint64_t rows;
	uint32_t sharers; /* tables that have rows, when its next batch comes */
};

struct export_parts {
	const struct tdat_exporter *exporter;
	/*
	 * Opens the file of a part when its first rows come, and adds its constant columns. Readers
	 * call it on several threads, but on one at a time for a table.
	 */
	enum tdat_status (*open)(void *ctx, const struct tdat_table *table,
				 const struct ArrowSchema *schema, struct export_part *p,
				 struct tdat_error *err);
	void *ctx;
	bool in_order;		     /* tables are taken one after the other */
	bool empty_if_only;	     /* the only table gets its file also without rows */
	struct tdat_table_opts opts; /* of the reader; export_parts_begin adds sharers */
	struct tdat_trace *trace;
	struct tdat_export *export;
	const struct tdat_table **tables; /* that are wanted */
	size_t table_count;
	struct export_part *parts; /* by index of the table */
};

/* Makes the trace and the exporter, and chooses tables. Nothing is read yet. */
enum tdat_status export_parts_begin(struct export_parts *x,
				    const struct tdat_export_request *request,
				    const struct tdat_trace_opts *trace,
				    bool (*wanted)(const void *ctx, const struct tdat_trace *trace,
						   const struct tdat_table *table),
				    const void *wanted_ctx, struct tdat_error *err);

/* Reads and writes all tables. After the first failure every part is given up. */
enum tdat_status export_parts_write(struct export_parts *x, struct tdat_error *err);

/* May be called twice, and before export_parts_begin. */
void export_parts_fini(struct export_parts *x);

#endif
