/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame of all summaries: the tables and columns that are read, and the functions of a kind. */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include <tdat/summary.h>

#include "column.h"
#include "core/grow.h"
#include "core/json_writer.h"
#include "groups.h"

enum { SUMMARY_COLUMNS = 16, SUMMARY_GROUPS = 5 };

/* A sort of summary. Its struct begins with a struct tdat_summary. */
struct summary_ops {
	/* Takes rows of a table: columns has the arrays of the batch. False: no memory. */
	bool (*rows)(struct tdat_summary *s, size_t table, int64_t count);
	/* Sorts and sums up what was read. False: no memory. */
	bool (*end)(struct tdat_summary *s);
	/* Writes the value. False: no memory. */
	bool (*json)(const struct tdat_summary *s, struct tdat_json *j);
	void (*free)(struct tdat_summary *s); /* all but the frame */
};

struct tdat_summary {
	const struct summary_ops *ops;
	const struct tdat_trace *trace;
	bool seconds, was_run;
	bool is_of_tasks; /* the filter chooses tasks, or events by their fields */

	/* What is read: of each table the columns of these names that it has. */
	const struct tdat_table **tables;
	size_t table_count;
	const char *names[SUMMARY_COLUMNS];
	size_t name_count;
	struct summary_column *columns; /* name_count of each table; kind 0: it lacks that one */
	struct summary_column *c;	/* those of the batch */

	struct tdat_summary_note *notes;
	size_t note_count, note_cap;
	bool lacks_notes;		    /* there was no memory for one */
	const struct tdat_table_opts *opts; /* of the caller, while it runs */
	const struct tdat_explain *explain; /* what is read of the table critical_path; or NULL */

	/* Groups of rows. */
	struct summary_groups groups[SUMMARY_GROUPS];
	size_t group_lists;
};

/* Makes a summary of len bytes, all else zero. NULL: no memory. */
void *summary_new(size_t len, const struct summary_ops *ops, const struct tdat_trace *trace,
		  struct tdat_error *err);

/*
 * Finds the columns of one more table; summary_keep keeps it as one of those that are read. Names
 * stay as they are from the first table on.
 */
enum tdat_status summary_look(struct tdat_summary *s, const struct tdat_table *table,
			      struct summary_column **columns, struct tdat_error *err);
static inline void summary_keep(struct tdat_summary *s, const struct tdat_table *table)
{
	s->tables[s->table_count++] = table;
}

static inline bool summary_is_null(const struct tdat_summary *s, size_t column, int64_t row)
{
	return !s->c[column].kind || summary_column_is_null(&s->c[column], row);
}

struct tdat_summary_key summary_key(const struct summary_groups *g, size_t group, size_t part);

/*
 * Writes what json makes of a thing, as tdat_summary_json does; json returns false without memory.
 */
typedef bool (*summary_json_fn)(const void *what, struct tdat_json *j);
enum tdat_status summary_json_write(summary_json_fn json, const void *what, int level,
				    tdat_write_fn write, void *ctx, struct tdat_error *err);

/* Members of a JSON object: a part of a key; "others", if the group is theirs. */
void summary_json_key(struct tdat_json *j, const char *name, const struct summary_groups *g,
		      size_t group, size_t part);
void summary_json_others(struct tdat_json *j, const struct summary_groups *g, size_t group);
/* The array "left_out"; its objects name the table, too. */
void summary_json_notes(struct tdat_json *j, const struct tdat_summary *s, bool tables);

/* Seconds with nine digits, or ticks: the form that dump --from takes. */
void summary_put_time(const struct tdat_summary *s, uint64_t ts, char out[32]);
/* Puts "tdat COMMAND --from ... --until ... PATH...", as a shell takes it, and a NUL. */
void summary_put_command(struct tdat_build *b, const struct tdat_summary *s, const char *command,
			 uint64_t from, uint64_t to, const char *const *paths, size_t path_count);

#endif
