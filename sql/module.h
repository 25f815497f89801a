/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what modules of SQLite have in common that make tables of a trace. */
#ifndef SQL_MODULE_H
#define SQL_MODULE_H

#include "table.h"

/* The module of one table. */
struct sql_module {
	struct sql_trace *trace; /* counted */
	const struct tdat_table *table;
	bool numbered;
};

/* Registers a module whose table has its name; numbered: each row has its number in the table. */
int sql_module_register(struct sql_trace *trace, sqlite3 *db, const struct tdat_table *table,
			const char *name, bool numbered);

/* Makes the virtual table, which has a reference to the trace. */
int sql_table_open(sqlite3 *db, const struct sql_module *module, sqlite3_vtab **out,
		   char **message);

/* A module of such tables that CREATE VIRTUAL TABLE makes; xCreate and xConnect are not set. */
void sql_module_made(sqlite3_module *m);

#endif
