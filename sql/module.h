/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what modules of SQLite have in common that make tables of a trace. */
#ifndef SQL_MODULE_H
#define SQL_MODULE_H

#include "table.h"

/* The module of one table. */
struct sql_module {
	struct sql_trace *trace; /* counted */
	const struct tdat_table *table;
	bool numbered;		     /* each row has its number in the table */
	const struct sql_fold *fold; /* its rows are folded; NULL: no. It outlives the module */
};

/* Registers a module whose table has its name. */
int sql_module_register(sqlite3 *db, const struct sql_module *module, const char *name);

/* Makes a table that no query knows; it has a reference to the trace. */
enum tdat_status sql_table_new(struct sql_table **out, const struct sql_module *module,
			       struct tdat_error *err);
void sql_table_free(struct sql_table *t);

/* Makes the virtual table. */
int sql_table_open(sqlite3 *db, const struct sql_module *module, sqlite3_vtab **out,
		   char **message);

/* A module of such tables that CREATE VIRTUAL TABLE makes; xCreate and xConnect are not set. */
void sql_module_made(sqlite3_module *m);

#endif
