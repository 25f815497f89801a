/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The least and the greatest value of a page or of a column chunk, as statistics and the column
 * index hold them. Long texts are cut: the least one to a shorter one before it, the greatest
 * one to a shorter one behind it.
 *
 * Source: apache/parquet-format, parquet.thrift (Statistics, ColumnOrder) and PageIndex.md
 */
#ifndef PARQUET_VALUE_RANGE_H
#define PARQUET_VALUE_RANGE_H

#include <tdat/base.h>

enum { BOUND_LEN = 64 }; /* most bytes of a text in statistics */

struct bound {
	uint64_t key; /* of a number: orders as the numbers do */
	uint8_t len;
	bool exact;
	uint8_t bytes[BOUND_LEN]; /* PLAIN, a text without its length */
};

struct value_range {
	bool has_min, has_max;
	bool is_text; /* bytes are compared, not keys */
	struct bound min, max;
};

/* Each replaces *r by the range of count values, which are not null; of none it is empty. */
void range_bools(struct value_range *r, const uint8_t *v, size_t count);
void range_numbers(struct value_range *r, const void *v, size_t count, bool wide, bool is_signed);
/* Doubles by their bits; NaN is no part of a range. */
void range_doubles(struct value_range *r, const uint64_t *v, size_t count);
/* Of texts whose least and greatest are known. utf8: a cut text must be UTF-8, too. */
void range_texts(struct value_range *r, struct tdat_span least, struct tdat_span greatest,
		 bool utf8);

/* Order of texts: by their bytes, unsigned. */
int text_compare(struct tdat_span a, struct tdat_span b);
/* Order of two bounds of the same column. */
int bound_compare(const struct bound *a, const struct bound *b, bool is_text);

/* Widens *all, whose count values so far may be none, by another page. */
void range_add(struct value_range *all, const struct value_range *page, bool first);

#endif
