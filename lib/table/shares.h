/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Divides memory among tables by the rows that they have had so far, for sinks that keep some of
 * each table.
 */
#ifndef TDAT_TABLE_SHARES_H
#define TDAT_TABLE_SHARES_H

#include <tdat/table.h>

struct table_shares {
	uint64_t *rows_len; /* bytes of the rows that each table has had; not of derived ones */
	size_t count;
	uint64_t part_len;  /* the largest part, without TABLE_LEN */
	uint64_t parts_len; /* the sum of all parts */
	uint32_t derived_count;
};

/* False: no memory. */
bool table_shares_init(struct table_shares *s, size_t table_count, size_t derived_count);
void table_shares_fini(struct table_shares *s);

/*
 * Counts rows of a table; returns the tables that share memory now: as many as would have parts of
 * this size if all had the same, since a table that has had few rows needs little.
 */
uint32_t table_shares_add(struct table_shares *s, const struct tdat_table *table, size_t len);

#endif
