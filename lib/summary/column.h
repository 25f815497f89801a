/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads values of a column of a record batch, as lib/table makes them: numbers, truth values,
 * texts, names in a dictionary, and lists of these.
 */
#ifndef SUMMARY_COLUMN_H
#define SUMMARY_COLUMN_H

#include <string.h>

#include "core/arrow_value.h"

struct tdat_build;

struct summary_column {
	const struct ArrowArray *array;
	char kind; /* the first letter of the Arrow format; '#': a name in a dictionary */
	char item; /* of a list: that of its items */
};

/* Takes the format of a column from its schema, once; array is set for each batch. */
void summary_column_init(struct summary_column *c, const struct ArrowSchema *schema);

static inline bool summary_column_is_null(const struct summary_column *c, int64_t row)
{
	return tdat_arrow_is_null(c->array, row);
}

/* Whether the values are numbers or truth values. */
bool summary_column_is_number(const struct summary_column *c);

/* A number, or 0 and 1 for a truth value. Large unsigned 64-bit numbers become negative. */
static inline int64_t summary_column_int(const struct summary_column *c, int64_t row)
{
	return tdat_arrow_number(c->kind, c->array->buffers[1], row);
}

/*
 * A word that rows of one batch have in common if and only if their values are the same: a number,
 * or the place of a name in the dictionary. False: the row has none, as where it is null.
 */
static inline bool summary_column_word(const struct summary_column *c, int64_t row, uint64_t *word)
{
	const void *values = c->array->buffers[1];

	if (summary_column_is_null(c, row))
		return false;
	switch (c->kind) {
	case '#':
	case 'i':
	case 'I':
		*word = ((const uint32_t *)values)[row];
		return true;
	case 'l':
	case 'L':
		*word = ((const uint64_t *)values)[row];
		return true;
	default:
		return false;
	}
}

/* A text or a name; empty for other columns. */
struct tdat_span summary_column_text(const struct summary_column *c, int64_t row);

/* Any value as text: items of a list are joined by ';'. */
void summary_column_put(const struct summary_column *c, int64_t row, struct tdat_build *out);

#endif
