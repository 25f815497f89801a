/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that is open for queries, and the statements that are run on it. */
#ifndef CLI_SQL_SESSION_H
#define CLI_SQL_SESSION_H

#include <signal.h>

#include "core/nearest.h"
#include "input/trace_files.h"
#include "output/result.h"
#include "sql/sql.h"
#include "terminal/progress.h"

/* The most notes that are kept: each derived table has a few kinds of what it leaves out. */
enum { CLI_SQL_NOTES = 64 };
/* Bytes of a script, and of a statement that is typed. */
enum { CLI_SQL_SCRIPT_MOST = 16 << 20 };

struct cli_sql {
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_trace *trace;
	struct sql_trace *tables;
	sqlite3 *db;
	struct sql_queries *queries;
	enum cli_result_form form;
	struct cli_progress progress;
	volatile sig_atomic_t *interrupted; /* NULL: nobody sets it */
	int status;			    /* CLI_FAILED once something was damaged */
	bool damage_reported; /* damaged pages were reported: a query may read them several times */
	struct cli_sql_note {
		const struct tdat_table *table;
		const char *what;
	} notes[CLI_SQL_NOTES]; /* those that were printed */
	size_t note_count;
};

/* What of the command line a session needs. */
struct cli_sql_def {
	const struct tdat_limits *limits;
	bool raw_ts, no_date;
	bool perfetto; /* sched and thread_state as Perfetto has them */
	bool plain;    /* for tests: nothing is pushed into the reader */
};

/* Parses the files that are open, and makes the database; CLI_OK, or an exit status. */
int cli_sql_open(struct cli_sql *s, const struct cli_sql_def *def);
void cli_sql_close(struct cli_sql *s);

/* Runs all statements of a text and prints their rows. CLI_OK, or an exit status. */
int cli_sql_run(struct cli_sql *s, const char *text);

/* Offers the names of all tables. */
void cli_sql_near_table(const struct cli_sql *s, struct tdat_near *near);
/* Calls fn for each column of the tables that a text names, until it returns false. */
void cli_sql_columns(const struct cli_sql *s, const char *text,
		     bool (*fn)(void *ctx, const char *column), void *ctx);

#endif
