/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads values of a column of a record batch, as lib/table makes them: numbers, truth values,
 * texts, names in a dictionary, and lists of these.
 */
#ifndef CLI_COLUMN_H
#define CLI_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <tdat/arrow.h>
#include <tdat/base.h>

struct tdat_build;

struct cli_column {
	const struct ArrowArray *array;
	char kind; /* the first letter of the Arrow format; '#': a name in a dictionary */
	char item; /* of a list: that of its items */
};

/* Takes the format of a column from its schema, once; array is set for each batch. */
void cli_column_init(struct cli_column *c, const struct ArrowSchema *schema);

static inline bool cli_column_is_null(const struct cli_column *c, int64_t row)
{
	const uint8_t *valid = c->array->null_count ? c->array->buffers[0] : NULL;

	return valid && !(valid[row / 8] >> (row & 7) & 1);
}

/* Whether the values are numbers or truth values. */
bool cli_column_is_number(const struct cli_column *c);

/* A number, or 0 and 1 for a truth value. Large unsigned 64-bit numbers become negative. */
int64_t cli_column_int(const struct cli_column *c, int64_t row);

/* A text or a name; empty for other columns. */
struct tdat_span cli_column_text(const struct cli_column *c, int64_t row);

/* Any value as text: items of a list are joined by ';'. */
void cli_column_put(const struct cli_column *c, int64_t row, struct tdat_build *out);

#endif
