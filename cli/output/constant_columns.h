/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts columns behind those of a table that have one text in all rows, as dictionaries of one
 * entry: the schema and the arrays are the table's with pointers to further children.
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
 * Adds a column; a name that the schema has is put behind "trace_", value is made UTF-8. False: no
 * memory.
 */
bool cli_constants_add(struct cli_constants *c, const struct ArrowSchema *schema, const char *name,
		       const char *value);
void cli_constants_fini(struct cli_constants *c);

/* The schema, or the rows, with the columns: borrowed until the next call; NULL: no memory. */
const struct ArrowSchema *cli_constants_schema(struct cli_constants *c,
					       const struct ArrowSchema *schema);
const struct ArrowArray *cli_constants_rows(struct cli_constants *c, const struct ArrowArray *rows);

#endif
