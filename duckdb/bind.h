/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Binding of calls of read_tdat. */
#ifndef TDAT_DUCK_BIND_H
#define TDAT_DUCK_BIND_H

#include "duck.h"

/* The data of a bound call is a struct duck_source. */
void duck_bind(duckdb_bind_info info);

/* Adds the parameters of read_tdat to its function. */
void duck_bind_parameters(duckdb_table_function f);

#endif
