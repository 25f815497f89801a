/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registry of ABI-stable events: the types of their columns, whatever kernel recorded them. */
#ifndef TDAT_TABLE_STABLE_TYPES_H
#define TDAT_TABLE_STABLE_TYPES_H

#include "column.h"

/*
 * Widens the column of a number, or of a list of them, to the type that the registry gives to its
 * field. A column that the registry does not know, or that is wider, stays.
 */
void table_stable_type(const struct tdat_field *f, struct table_column *c);

/* The registered event at an index and its columns, "pid int32, prio int32"; NULL: no more. */
const char *table_stable_event(size_t index, const char **columns);

#endif
