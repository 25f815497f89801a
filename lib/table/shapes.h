/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the columns that EventHeader events have where all records of a table, in all inputs,
 * are of one shape. Records are looked at once, for all these tables, when a schema first needs it.
 */
#ifndef TDAT_TABLE_SHAPES_H
#define TDAT_TABLE_SHAPES_H

#include "trace_data.h"

struct record_part;

/*
 * The parts of records that are fields of a shape, one for each column; they live as long as the
 * trace. There are none where records differ, or where not all could be read.
 */
enum tdat_status table_shapes_parts(const struct tdat_trace *trace, const struct tdat_table *table,
				    const struct record_part **parts, size_t *count,
				    struct tdat_error *err);

#endif
