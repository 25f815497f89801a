/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The schema in the footer of a Parquet file. */
#ifndef PARQUET_SCHEMA_H
#define PARQUET_SCHEMA_H

#include "table.h"
#include "thrift.h"

/* The field "schema" of the footer: a root, and all columns below it. */
void schema_put(struct thrift *t, const struct parquet_table *table);

#endif
