/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds columns to a table, each of which has one text in all rows: a dictionary of one entry. The
 * schema and the arrays are those of the table with pointers to further children.
 */
#ifndef CLI_CONSTANT_COLUMNS_H
#define CLI_CONSTANT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/arrow.h>

enum { CLI_CONSTANTS_MOST = 2 };

struct cli_constant {
	char *name, *value;
	int32_t ends[2];
	const void *text[3], *index[2];
	struct ArrowSchema schema, text_schema;
	struct ArrowArray array, text_array;
};

/* All zero: none. */
struct cli_constants {
	struct cli_constant v[CLI_CONSTANTS_MOST];
	size_t count;
	int32_t *zeros; /* indices */
	size_t zero_count;
	struct ArrowSchema **schemas; /* children */
	struct ArrowArray **arrays;
	struct ArrowSchema schema;
	struct ArrowArray rows;
};

/*
 * Adds a column. A name that the schema has already gets "trace_" in front; value is made valid
 * UTF-8. False: no memory.
 */
bool cli_constants_add(struct cli_constants *c, const struct ArrowSchema *schema, const char *name,
		       const char *value);
void cli_constants_fini(struct cli_constants *c);

/*
 * These return the schema, or the rows, with the columns added. The result is valid until the next
 * call; NULL: no memory.
 */
const struct ArrowSchema *cli_constants_schema(struct cli_constants *c,
					       const struct ArrowSchema *schema);
const struct ArrowArray *cli_constants_rows(struct cli_constants *c, const struct ArrowArray *rows);

#endif
