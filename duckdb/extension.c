/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Is what DuckDB calls when it loads the extension: registers read_tdat and tdat_tables. */
#include "duck.h"

/* The macro defines it without a declaration before. */
bool tdat_init_c_api(duckdb_extension_info info, struct duckdb_extension_access *access);

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
			    struct duckdb_extension_access *access)
{
	if (duck_register_read(connection) && duck_register_tables(connection))
		return true;
	access->set_error(info, "tdat: this DuckDB rejected the functions of the extension");
	return false;
}

void duck_add_named(duckdb_table_function f, const char *name, duckdb_type type)
{
	duckdb_logical_type t = duckdb_create_logical_type(type);

	duckdb_table_function_add_named_parameter(f, name, t);
	duckdb_destroy_logical_type(&t);
}
