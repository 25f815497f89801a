/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One table that is read: its builders, and the rows that are in them. */
#ifndef TDAT_TABLE_READER_TABLE_H
#define TDAT_TABLE_READER_TABLE_H

#include <tdat/arrow.h>

#include "choice.h"

struct reader_table {
	const struct reader_choice *choice;
	struct reader_choice *own; /* made by this reader, where the choice was left for later */
	struct table_builder *builders;	 /* of each column; NULL: no row came yet */
	size_t rows, len;		 /* bytes of the rows */
	size_t size;			 /* bytes of memory */
	size_t first_route, route_count; /* of an event type */
	bool last;			 /* its builders are not used behind this batch */
	bool resolved;			 /* its routes know how events are decoded */
};

/* Gives a table its builders. False: no memory. */
bool reader_start_table(struct reader_table *t);
/* Frees them. */
void reader_end_table(struct reader_table *t);
/* Bytes of the rows, and in *size those of memory with the builders. */
size_t reader_table_len(const struct reader_table *t, size_t *size);
enum tdat_status reader_no_memory(const struct reader_table *t, struct tdat_error *err);

/* The rows of a full table as a struct array; with move it owns its memory. */
enum tdat_status reader_array(const struct reader_table *t, struct ArrowArray *out, bool move,
			      struct tdat_error *err);

#endif
