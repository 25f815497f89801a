/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the rows of a table the columns of its folder in a data set: in their order, integers as
 * wide as they are there, and nulls where the table has no such column.
 */
#ifndef CLI_LAKE_SHAPE_H
#define CLI_LAKE_SHAPE_H

#include "output/lake_schema.h"

struct lake_shape;

/* The folder's columns hold those of the table (lake_schema_find). NULL: no memory. */
struct lake_shape *lake_shape_new(const struct lake_schema *lake, const struct lake_folder *folder,
				  const struct ArrowSchema *table);
void lake_shape_free(struct lake_shape *s);

/*
 * The schema of the folder, with the metadata of the table. It borrows both, and is valid until
 * lake_shape_rows().
 */
const struct ArrowSchema *lake_shape_schema(struct lake_shape *s, const struct ArrowSchema *table);
/* A batch as the folder has it, valid until the next call. It borrows rows. NULL: no memory. */
const struct ArrowArray *lake_shape_rows(struct lake_shape *s, const struct ArrowArray *rows);

#endif
