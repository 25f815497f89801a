/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a table for people to stdout: aligned columns, numbers with three digits and a unit. In a
 * file or pipe columns are as wide as they need. On a narrower terminal, long texts are cut, then
 * columns are left out, and a line below names these.
 *
 *   cli_columns_init(&t, columns, 3, numbers);
 *   for each row:
 *           cli_cell_count(&t, n); cli_cell_time(&t, ns); cli_cell_str(&t, name);
 *   ok = cli_columns_end(&t);
 */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "core/build.h"

struct cli_column {
	const char *title;
	/* 0: never left out. Of the others the one with the greatest number goes first. */
	unsigned int drop;
	bool text; /* aligned to the left, and may be cut; numbers to the right, and whole */
};

/* The option of all commands that print numbers for people. */
#define CLI_EXACT(type, member)                                                                    \
	CLI_FLAG(0, "exact", type, member, "print all digits of numbers instead of three")

/* How numbers are printed. */
struct cli_numbers {
	bool exact; /* all digits */
	bool ns;    /* times count nanoseconds; else they are ticks */
};

struct cli_columns {
	struct cli_numbers numbers;
	size_t indent; /* blanks before each row: 2 */
	bool rule;     /* a line of dashes below the titles */
	/* Characters that texts keep before a column is left out for them: 30. */
	size_t text_least;

	struct cli_column *def;
	size_t count;
	struct tdat_build cells; /* text of the cells that are not printed yet, titles first */
	size_t *ends;		 /* of each of them */
	size_t end_count, end_cap;
	size_t *widths;	 /* by column: characters */
	bool *filled;	 /* by column: it has a value besides "-" */
	bool *left_out;	 /* by column */
	bool has_titles; /* one is not empty: they have a line */
	bool are_fitted; /* widths are final: rows are printed as they come */
	bool cuts;	 /* to a terminal, where wider texts are cut */
	bool failed;	 /* no memory */
};

/* Copies def; titles are borrowed until the end. */
void cli_columns_init(struct cli_columns *t, const struct cli_column *def, size_t count,
		      struct cli_numbers numbers);

/* Cells, in the order of columns. cli_cell_none: "-", for a thing that was not recorded. */
void cli_cell_none(struct cli_columns *t);
void cli_cell_count(struct cli_columns *t, uint64_t count);
/* Dropped events. "12+?": 12, and losses without a number; "?": such alone. */
void cli_cell_lost(struct cli_columns *t, uint64_t count, uint64_t marks);
void cli_cell_bytes(struct cli_columns *t, uint64_t bytes);
void cli_cell_time(struct cli_columns *t, uint64_t time);
/* A point in time, as dump prints it. */
void cli_cell_ts(struct cli_columns *t, uint64_t ts);
/* A number that may be negative: a time, or a count. */
void cli_cell_value(struct cli_columns *t, int64_t value, bool is_time);
/* Percent; "-" if the whole is 0. */
void cli_cell_share(struct cli_columns *t, uint64_t part, uint64_t whole);
/* Text that may come from a file: escaped. */
void cli_cell_text(struct cli_columns *t, const void *text, size_t len);
void cli_cell_str(struct cli_columns *t, const char *text);

/* Ends a cell whose text the caller has appended to t->cells. */
void cli_cell_end(struct cli_columns *t);

/* Prints what is left and frees t. False: there was no memory for some of it. */
bool cli_columns_end(struct cli_columns *t);

#endif
