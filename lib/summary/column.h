/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads values of a column of a record batch, as lib/table makes them: numbers, truth values,
 * texts, names in a dictionary, and lists of these.
 */
#ifndef SUMMARY_COLUMN_H
#define SUMMARY_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <tdat/arrow.h>
#include <tdat/base.h>

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
	const uint8_t *valid = c->array->null_count ? c->array->buffers[0] : NULL;

	return valid && !(valid[row / 8] >> (row & 7) & 1);
}

/* Whether the values are numbers or truth values. */
bool summary_column_is_number(const struct summary_column *c);

/* Value number i of an array of numbers or truth values of this format; 0 for others. */
static inline int64_t summary_column_number(char kind, const void *p, int64_t i)
{
	switch (kind) {
	case 'l':
	case 'L':
		return ((const int64_t *)p)[i];
	case 'i':
		return ((const int32_t *)p)[i];
	case 'I':
		return ((const uint32_t *)p)[i];
	case 's':
		return ((const int16_t *)p)[i];
	case 'S':
		return ((const uint16_t *)p)[i];
	case 'c':
		return ((const int8_t *)p)[i];
	case 'C':
		return ((const uint8_t *)p)[i];
	case 'b':
		return ((const uint8_t *)p)[i / 8] >> (i & 7) & 1;
	default:
		return 0;
	}
}

/* A number, or 0 and 1 for a truth value. Large unsigned 64-bit numbers become negative. */
static inline int64_t summary_column_int(const struct summary_column *c, int64_t row)
{
	return summary_column_number(c->kind, c->array->buffers[1], row);
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
