/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A consumer of Arrow arrays that trusts nothing: it checks them, and makes text of rows. */
#ifndef TEST_ARROW_TEXT_H
#define TEST_ARROW_TEXT_H

#include <stdio.h>

#include <tdat/table.h>

/*
 * Fails the test unless the array is a valid one of its schema: number of buffers and children,
 * bitmaps with null_count zeros, offsets that do not go back, indices inside the dictionary,
 * text that is UTF-8.
 */
void arrow_check(const struct ArrowSchema *schema, const struct ArrowArray *array);

/* Puts one value as text: numbers in decimal, text in quotes, lists in brackets, or null. */
void arrow_put(FILE *out, const struct ArrowSchema *schema, const struct ArrowArray *array,
	       int64_t row);

/* Puts rows of a table, one a line, "column=value" for each column that is not null. */
void arrow_put_rows(FILE *out, const struct ArrowSchema *schema, const struct ArrowArray *rows);

#endif
