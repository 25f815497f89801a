/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives SQLite the tables of a trace: each is a virtual table that reads the trace while a query
 * runs. Nothing is loaded beforehand, and no table can be written. docs/sql.md tells users what
 * there is.
 *
 * Threads: a sql_trace and the connections that it is registered with belong to one thread at a
 * time.
 *
 * Owners: a sql_trace is counted: each connection has a reference until it is closed, and the
 * caller has one until sql_trace_put. The trace that it was made of must outlive all.
 */
#ifndef SQL_SQL_H
#define SQL_SQL_H

#include <tdat/table.h>

#include "sqlite_api.h"

struct sql_trace;

struct sql_trace_def {
	const struct tdat_trace *trace;
	const struct tdat_iter_input *inputs; /* those that trace was made of */
	size_t input_count;
	/* Gets what tdat_iter_damage says each time when a table was read to its end; or NULL. */
	void (*damage)(void *ctx, const struct tdat_stream_damage *damage, size_t count);
	/* Gets what a derived table left out each time when it was read to its end; or NULL. */
	void (*note)(void *ctx, const struct tdat_table *table, const char *what, uint64_t count);
	/* Gets a table each time when it was read to its end and gave no row; or NULL. */
	void (*empty)(void *ctx, const struct tdat_table *table);
	/* Whether the query is to be given up, as in tdat_table_opts; or NULL. */
	bool (*is_cancelled)(void *ctx);
	void *ctx;
	/* Called when the last reference is gone; or NULL. */
	void (*free)(void *ctx);
	bool raw_ts, no_date; /* as in the options that trace was made with */
	bool perfetto;	      /* sched and thread_state have the columns that Perfetto has */
	bool plain;	      /* nothing is pushed into the reader: for tests, which compare */
};

/*
 * sql_trace_new takes names for all tables: that of the table, and for an event type also the
 * part behind the slash where no other table has it.
 */
enum tdat_status sql_trace_new(struct sql_trace **out, const struct sql_trace_def *def,
			       struct tdat_error *err);
void sql_trace_put(struct sql_trace *t);

/* A name of a table in SQL. */
struct sql_name {
	const char *name;
	const struct tdat_table *table;
	bool is_short; /* the table has a longer name */
};
/* Returns the names in the order of the tables; those that are short follow. */
const struct sql_name *sql_trace_names(const struct sql_trace *t, size_t *count);

/* Returns the names of the views, which NULL ends. */
const char *const *sql_views(void);

/* Returns the number of rows that all queries have read so far. */
uint64_t sql_trace_rows(const struct sql_trace *t);

/* The trace that the functions of a connection are about; they and the caller count it. */
struct sql_current;

struct sql_current *sql_current_new(void);
void sql_current_put(struct sql_current *current);

/*
 * sql_register makes the tables, views and functions of a trace known to a connection, without
 * any statement for a name of the trace. Names of the trace that was current before go; that a
 * query is running, which holds the functions, does not matter.
 */
enum tdat_status sql_register(struct sql_current *current, struct sql_trace *t, sqlite3 *db,
			      struct tdat_error *err);

/*
 * sql_open opens a connection for queries of a trace, which can do nothing but read the trace and
 * make objects of its own, in memory. It has no file, and belongs to one thread. settings (may be
 * NULL) are pragmas that are run first. A text or blob above 64 MiB is an error of SQLite. *db and
 * *q are to be closed with sql_close, also after a failure.
 */
struct sql_queries;

enum tdat_status sql_open(struct sql_trace *t, const char *settings, sqlite3 **db,
			  struct sql_queries **q, struct tdat_error *err);
void sql_close(sqlite3 *db, struct sql_queries *q);

/*
 * sql_prepare prepares the first statement of a text, as sqlite3_prepare_v2 does, and knows
 * PerfettoSQL. A statement that makes something has run then, and *stmt is NULL, as it is for
 * blanks. After a failure sql_prepare_message has its reason, sql_prepare_hint what to do about it
 * (sqlite3_free; may be NULL), and sql_prepare_offset the byte of the statement, or -1.
 */
int sql_prepare(struct sql_queries *q, const char *text, sqlite3_stmt **stmt, const char **tail);
const char *sql_prepare_message(const struct sql_queries *q);
char *sql_prepare_hint(const struct sql_queries *q);
/* A table that is Perfetto's because the one that tdat has of this name has no row; or NULL. */
const char *sql_prepare_note(const struct sql_queries *q);
int sql_prepare_offset(const struct sql_queries *q);

/* Makes the table of a name, where Perfetto has one that was not used yet. */
int sql_need(struct sql_queries *q, const char *name);

#endif
