/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of DuckDB's extension share.
 *
 * The extension is built for version 1.2.0 of DuckDB's stable C extension API, so that one file
 * serves that version and all later ones. DuckDB hands over a table of its functions when it loads
 * it. Failures become errors of a query; nothing is printed. The files of a source do not change
 * once it is made, so that the threads of a query share it; each has its own reader.
 */
#ifndef TDAT_DUCK_H
#define TDAT_DUCK_H

/* The oldest version of the table of functions, which all later versions begin with. */
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#define DUCKDB_EXTENSION_NAME tdat
#include <duckdb_extension.h>

#include <tdat/table.h>

/* Newer than the headers: DuckDB before 2.0 does not know it. */
enum { DUCK_TIMESTAMP_TZ_NS = 42 };

/* ---- values ---- */

/* The opened files of a call, and what it reads of them. Counted: threads outlive the bound query.
 */
struct duck_source {
	int references; /* atomic */
	bool strict;	/* damage is an error */
	bool raw_ts, no_date;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_trace *trace;
	const struct tdat_table *table;
	struct tdat_table_opts opts; /* but for columns and pieces */
	struct tdat_filter *filter;
	char **columns; /* by their places; the name of the files is no column of the library */
	size_t column_count;
	size_t path_column; /* the place of the files' names; SIZE_MAX: there is none */
};

/* Texts that a parameter lists. */
struct duck_texts {
	char **v;
	size_t count, room;
};

void duck_texts_fini(struct duck_texts *t);

/* Takes a text, or a list of texts. NULL is none. */
enum tdat_status duck_take_texts(duckdb_value value, const char *name, struct duck_texts *out,
				 struct tdat_error *err);

/* Takes an integer, or a list of integers, of 32 bits from least to most; *out is never NULL then.
 */
enum tdat_status duck_take_numbers(duckdb_value value, const char *name, int64_t least,
				   int64_t most, uint32_t **out, size_t *count,
				   struct tdat_error *err);

/* Takes a value of the column ts: an integer, a text as `tdat dump --from` takes it, or a
 * timestamp. */
enum tdat_status duck_take_time(const struct duck_source *s, duckdb_value value, const char *name,
				int64_t *out, struct tdat_error *err);

/* ---- sources ---- */

/* Opens the files that the parameter names, by paths or patterns, and makes their tables. */
enum tdat_status duck_source_open(struct duck_source *s, duckdb_value paths,
				  struct tdat_error *err);
/* A source with one reference; NULL: no memory. */
struct duck_source *duck_source_new(void);
struct duck_source *duck_source_get(struct duck_source *s);
void duck_source_put(void *source);

/* True if the parameter is a list or a pattern, so that there may be several files. */
bool duck_is_several(duckdb_value paths);

/* Finds a table by its name; the name of an event alone is enough if one system has it. */
enum tdat_status duck_source_find(struct duck_source *s, const char *name, struct tdat_error *err);

/* The number of rows, about: data divided by the length of a record. */
uint64_t duck_source_rows(const struct duck_source *s);
uint64_t duck_source_bytes(const struct duck_source *s);

/* ---- vectors ---- */

/* Strings that the rows of a chunk share: a vector has each once. */
struct duck_strings {
	duckdb_string_t *made; /* by number in the dictionary */
	uint64_t *chunk;       /* that it was made for; 0: none */
	size_t room, chunk_room;
};

/* The type of a column; the caller destroys it. NULL: DuckDB has none for it. */
duckdb_logical_type duck_type(const struct ArrowSchema *column);

/* Writes rows of a column into a vector, from row `first` of the batch. False: no memory. */
bool duck_put(duckdb_vector to, const struct ArrowSchema *type, const struct ArrowArray *column,
	      size_t first, size_t count, struct duck_strings *strings, uint64_t chunk);
void duck_put_text(duckdb_vector to, size_t count, const char *text);

/* ---- functions of tables ---- */

/* True if the connection has the function now. */
bool duck_register_read(duckdb_connection connection);
bool duck_register_tables(duckdb_connection connection);

/* Adds a parameter of any type with a name. */
void duck_add_named(duckdb_table_function f, const char *name, duckdb_type type);

DUCKDB_EXTENSION_EXTERN

#endif
