/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds columns by name, without regard to the case of ASCII letters. */
#ifndef TDAT_TABLE_COLUMN_NAMES_H
#define TDAT_TABLE_COLUMN_NAMES_H

#include <stdbool.h>

#include "core/map.h"

struct table_column;

/* All zero: none. */
struct table_column_names {
	struct tdat_map map;
};

/* Adds the column of that index. False: no memory, and nothing was added. */
bool table_column_names_add(struct table_column_names *n, const struct table_column *columns,
			    size_t index);
/* The index of the column of that name, or SIZE_MAX. */
size_t table_column_names_find(const struct table_column_names *n,
			       const struct table_column *columns, const char *name);
void table_column_names_fini(struct table_column_names *n);

#endif
