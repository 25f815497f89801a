/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a trace that SQL reads, for the files of this folder. */
#ifndef SQL_TRACE_H
#define SQL_TRACE_H

#include "core/build.h"
#include "sql.h"

struct sql_fold;

struct sql_trace {
	struct sql_trace_def def;
	struct sql_name *names;
	size_t name_count;
	uint64_t events; /* about: by the length of the data */
	uint64_t rows;	 /* read so far */
	size_t references;
	struct sql_fold **folds; /* for as long as there may be tables of them */
	size_t fold_count, fold_room;
	unsigned int making; /* statements of ours run that make objects in the schema temp */
	bool declaring;	     /* a table tells SQLite of its columns, by a statement of our own */
};

struct sql_current {
	struct sql_trace *trace; /* counted; NULL: none yet */
	size_t references;
	bool has_functions, has_extract; /* SQLite lets nobody replace them while a query runs */
};

/*
 * Turns a failure into a code of SQLite; the sentence goes to *message, as sqlite3_free takes it.
 */
int sql_failure(char **message, const struct tdat_error *err);

/* Gives SQLite a copy of the text, or the lack of memory that it met. */
void sql_result_build(sqlite3_context *to, const struct tdat_build *text);

/* Registers a module for each name of a table: SQLite makes the table when it is first used. */
int sql_tables_register(struct sql_trace *t, sqlite3 *db);
/* Takes the modules of all names away again. */
void sql_tables_forget(const struct sql_trace *t, sqlite3 *db);

/* Makes the table args, EXTRACT_ARG, and the tables of the trace that modules of PerfettoSQL read.
 */
int sql_perfetto_register(struct sql_current *current, sqlite3 *db);
/* Makes views with the names that Perfetto has, for a connection without sql_prepare. */
int sql_perfetto_views(struct sql_current *current, sqlite3 *db);

/* Makes what sql_prepare needs; *out is to be freed by sql_close, also after a failure. */
int sql_queries_new(struct sql_queries **out, struct sql_trace *t, sqlite3 *db);

/* Makes the functions sym, comm, time, percentile and log2_bucket, once for a connection. */
int sql_functions_register(struct sql_current *current, sqlite3 *db);

#endif
