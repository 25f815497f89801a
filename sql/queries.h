/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares PerfettoSQL, for the files of this folder: statements that SQLite does not know, and
 * objects that are made when a statement first names them.
 */
#ifndef SQL_QUERIES_H
#define SQL_QUERIES_H

#include "token.h"
#include "trace.h"

/* Macros and functions may use others; what goes deeper is refused. */
enum { SQL_NESTING_MOST = 64 };
/* Macros of a statement, with those that they name. */
enum { SQL_MACROS_MOST = 1 << 16 };
/* Bytes of a statement whose macros were replaced. */
enum { SQL_EXPANDED_MOST = 16 << 20 };

/* A statement of a module: it runs when its name is first used. */
struct sql_object {
	char *name;
	const char *text;
	size_t len;
	bool is_index; /* on the table of this name: made after it */
	bool made, making;
};

/* A macro: its body, with $name for each parameter. */
struct sql_macro {
	char *name, *body;
	char **params;
	size_t param_count;
};

struct sql_function;

struct sql_queries {
	sqlite3 *db;
	struct sql_trace *trace; /* borrowed: the connection counts it */
	struct sql_object *objects;
	size_t object_count, object_room;
	struct sql_macro *macros;
	size_t macro_count, macro_room;
	struct sql_function *functions; /* the last one first */
	char *message;			/* of a failure that SQLite has no words for; or NULL */
	const char *note;		/* a name that was left to Perfetto; or NULL */
	size_t nesting, expanded;	/* how deep macros are, and how many were replaced */
	size_t own;			/* statements of modules run */
	bool always;			/* names that tdat and Perfetto both have are Perfetto's */
	bool perfetto;			/* names that tdat and Perfetto both have are Perfetto's */
	bool shaped;			/* and their views are made */
	bool rewritten; /* the statement that SQLite saw is not the text of the user */
};

/* The parts of "(name TYPE, ...)". */
struct sql_columns {
	char **names, **types;
	size_t count, room;
};

/* Reads the list whose bracket begins at *p, and moves *p past it. False: message is set. */
bool sql_columns_read(struct sql_queries *q, struct sql_columns *c, const char **p,
		      const char *end);
void sql_columns_fini(struct sql_columns *c);
/* Appends a name in ``: SQLite takes one in "" that it does not find for a text. */
void sql_put_column(struct tdat_build *sql, const char *name);

/* The bytes of a text of the user that a message shows. */
static inline int sql_shown(size_t len)
{
	return len < 60 ? (int)len : 60;
}

/* Sets the message, and returns a code of SQLite. */
int sql_refuse(struct sql_queries *q, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* Runs statements of ours, which may create objects; takes sql, which sqlite3_mprintf made. */
int sql_run_own(struct sql_queries *q, char *sql);

/* queries_make.c: runs CREATE, DROP and INCLUDE; *done false: it is none of them. */
int sql_make(struct sql_queries *q, const char *text, const char *end, bool *done);

/* perfetto_include.c: finds and makes objects of modules. */
int sql_objects_read(struct sql_queries *q);
void sql_objects_free(struct sql_queries *q);
int sql_include(struct sql_queries *q, const char *p, const char *end);
struct sql_object *sql_object_find(const struct sql_queries *q, const char *name, size_t len);
/* Makes all objects that a text names, also those that it names for something else. */
int sql_objects_need(struct sql_queries *q, const char *text, const char *end);
/* Makes the object that SQLite did not find, if its last message names one. */
bool sql_make_missing(struct sql_queries *q);
/* sqlite3_prepare_v2, which makes the objects that SQLite does not find. */
int sql_prepare_made(struct sql_queries *q, const char *sql, size_t len, sqlite3_stmt **stmt);
/* Chooses who gives the names that tdat and Perfetto both have. */
int sql_shape(struct sql_queries *q, bool perfetto);
/* Whether a text has a name that only Perfetto knows. */
bool sql_is_perfetto(const struct sql_queries *q, const char *text, const char *end);
/*
 * Whether a text names a table that tdat and Perfetto both have, and of which tdat's has no row. A
 * note says so.
 */
bool sql_is_left_to_perfetto(struct sql_queries *q, const char *text, const char *end);
/* Explains a name that SQLite did not find: a sentence (sqlite3_free), or NULL. */
char *sql_explain(const char *message);

/*
 * fold_query.c: prepares a query anew of which the reader can count and add up, in place of *stmt.
 */
void sql_fold_query(struct sql_queries *q, const char *text, size_t len, sqlite3_stmt **stmt);

/* perfetto_macro.c: replaces the macros of a text. */
int sql_macro_create(struct sql_queries *q, const char *p, const char *end, bool replace);
int sql_macros_expand(struct sql_queries *q, const char *text, const char *end,
		      struct tdat_build *out);
void sql_macros_free(struct sql_queries *q);

/* perfetto_function.c: functions that are statements. p is behind FUNCTION. */
int sql_function_create(struct sql_queries *q, const char *p, const char *end, bool replace);
/* Ends all statements of functions, so that the connection can be closed. */
void sql_functions_end(struct sql_queries *q);

/* span_join.c, nest.c and perfetto_calls.c */
int sql_span_join_register(struct sql_queries *q);
int sql_nest_register(sqlite3 *db);
int sql_calls_register(sqlite3 *db);

#endif
