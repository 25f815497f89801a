/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tables a trace has, how many rows each gives, and which events one without rows needs. */
#ifndef CLI_TABLE_LIST_H
#define CLI_TABLE_LIST_H

#include <tdat/table.h>

#include "args/filter_opts.h"
#include "output/json_out.h"

/* How a list of tables is printed. */
struct cli_table_list {
	const char *glob;	       /* only names that it matches; NULL: all */
	bool derived;		       /* only tables of that kind */
	void (*put)(const char *name); /* prints a name; its length is that of the name, or more */
	const struct tdat_iter_input *inputs; /* of the trace */
	size_t input_count;
	const struct tdat_table_opts *opts; /* threads, and who is told of damage */
};

/*
 * Counts the rows of the tables and prints a line for each: name,
 * rows, and what it is about. j: as elements of an array. CLI_OK, or an exit status.
 */
int cli_table_list(const struct tdat_trace *trace, const struct cli_table_list *def,
		   struct tdat_json *j);

/*
 * Says that the inputs do not have the events that `about` needs, what they have, and how to
 * record the others; or that --event of `chosen`, if it is not NULL, leaves them out. False: they
 * have them, and nothing is said.
 */
bool cli_table_lacks(const char *name, const struct tdat_table_about *about,
		     const struct tdat_iter_input *inputs, size_t input_count,
		     const struct cli_filter *chosen);

#endif
