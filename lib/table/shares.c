/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Computes how many tables share memory, by the rows that they have had. The answer depends on
 * rows and pieces alone, never on threads, so that files of an export are the same each time. Used
 * by read.c, which passes it to the sink of each batch.
 */
#include "shares.h"

#include <stdlib.h>

/*
 * All tables share SHARED_LEN; each gets min(2 x its bytes, part_len + TABLE_LEN). Derived tables
 * share with OTHER_SHARERS further ones beside each other.
 */
enum { SHARED_LEN = 80 << 20, TABLE_LEN = 32 << 10, OTHER_SHARERS = 32 };

/* Starts with no rows: one table may take all. False: no memory. */
bool table_shares_init(struct table_shares *s, size_t table_count, size_t derived_count)
{
	*s = (struct table_shares){.rows_len = calloc(table_count + 1, sizeof(*s->rows_len)),
				   .count = table_count,
				   .part_len = SHARED_LEN,
				   .derived_count = (uint32_t)derived_count};
	return s->rows_len;
}

void table_shares_fini(struct table_shares *s)
{
	free(s->rows_len);
	s->rows_len = NULL;
}

/* Bytes that a table takes of SHARED_LEN, for len bytes of rows so far. */
static uint64_t part_of(const struct table_shares *s, uint64_t len)
{
	return 2 * len < s->part_len + TABLE_LEN ? 2 * len : s->part_len + TABLE_LEN;
}

/*
 * Shrinks part_len by an eighth at a time until all parts fit. It never grows again.
 */
static void fit_parts(struct table_shares *s)
{
	while (s->parts_len > SHARED_LEN && s->part_len > 1) {
		s->part_len -= (s->part_len + 7) / 8;
		s->parts_len = 0;
		for (size_t i = 0; i < s->count; i++)
			s->parts_len += part_of(s, s->rows_len[i]);
	}
}

/*
 * Adds a batch, and returns the number of tables that share memory from here on. Batches must come
 * in the order of pieces.
 */
uint32_t table_shares_add(struct table_shares *s, const struct tdat_table *table, size_t len)
{
	uint64_t *rows_len = &s->rows_len[table->index];

	/*
	 * Derived tables come beside the pieces, at no fixed place in their order: a fixed number.
	 */
	if (table->kind == TDAT_TABLE_DERIVED)
		return s->derived_count + OTHER_SHARERS;
	s->parts_len -= part_of(s, *rows_len);
	*rows_len += len;
	s->parts_len += part_of(s, *rows_len);
	fit_parts(s);
	return (uint32_t)(SHARED_LEN / s->part_len) + s->derived_count;
}
