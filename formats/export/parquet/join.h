/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Joins Parquet files of one table that tdat wrote. */
#ifndef PARQUET_JOIN_H
#define PARQUET_JOIN_H

#include <tdat/export.h>

extern const struct tdat_join_ops parquet_join;

#endif
