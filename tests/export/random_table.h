/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A random schema and random batches of it, for tests of exporters that take tables. */
#ifndef TESTS_EXPORT_RANDOM_TABLE_H
#define TESTS_EXPORT_RANDOM_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include <tdat/arrow.h>

struct random_table;

/* What is in the table is written to expected, if that is not NULL. */
struct random_table *random_table_new(uint64_t seed, FILE *expected);
void random_table_free(struct random_table *t);
struct ArrowSchema *random_table_schema(struct random_table *t);
/* The next batch, which lasts until the next call, or NULL. */
struct ArrowArray *random_table_next(struct random_table *t);

#endif
