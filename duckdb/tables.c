/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Is the function tdat_tables: a row for each table of files, with its kind and what it is about.
 */
#include <stdlib.h>
#include <string.h>

#include "duck.h"

static const char *const kinds[] = {"events", "event", "lost", "meta", "derived"};

static void bind(duckdb_bind_info info)
{
	static const char *const names[] = {"name",    "kind",	"system", "event",
					    "summary", "needs", "record"};
	struct duck_source *s = duck_source_new();
	struct tdat_error err = TDAT_ERROR_INIT;
	duckdb_value paths = duckdb_bind_get_parameter(info, 0);
	enum tdat_status st = TDAT_E_NOMEM;
	duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
	size_t count;

	if (s)
		st = duck_source_open(s, paths, &err);
	duckdb_destroy_value(&paths);
	if (st == TDAT_OK) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			duckdb_bind_add_result_column(info, names[i], text);
		tdat_trace_tables(s->trace, &count);
		duckdb_bind_set_cardinality(info, count, true);
		duckdb_bind_set_bind_data(info, s, duck_source_put);
	} else {
		tdat_error_prefix(&err, "tdat_tables");
		duckdb_bind_set_error(info, s ? err.message : "tdat_tables: no memory");
		duck_source_put(s);
	}
	duckdb_destroy_logical_type(&text);
}

/* The state of a call is the number of its next table. */
static void init(duckdb_init_info info)
{
	size_t *next = calloc(1, sizeof(*next));

	if (!next) {
		duckdb_init_set_error(info, "tdat_tables: no memory");
		return;
	}
	duckdb_init_set_max_threads(info, 1);
	duckdb_init_set_init_data(info, next, free);
}

static void put(duckdb_data_chunk chunk, size_t column, size_t row, const char *text)
{
	duckdb_vector to = duckdb_data_chunk_get_vector(chunk, column);

	if (text) {
		duckdb_vector_assign_string_element(to, row, text);
		return;
	}
	duckdb_vector_ensure_validity_writable(to);
	duckdb_validity_set_row_invalid(duckdb_vector_get_validity(to), row);
}

static void next_chunk(duckdb_function_info info, duckdb_data_chunk chunk)
{
	const struct duck_source *s = duckdb_function_get_bind_data(info);
	size_t *next = duckdb_function_get_init_data(info), count, row = 0;
	const struct tdat_table *tables = tdat_trace_tables(s->trace, &count);

	for (; *next < count && row < duckdb_vector_size(); row++) {
		const struct tdat_table *t = &tables[(*next)++];
		const char *const values[] = {t->name,		t->kind < 5 ? kinds[t->kind] : NULL,
					      t->system,	t->event,
					      t->about.summary, t->about.needs,
					      t->about.record};

		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			put(chunk, i, row, values[i]);
	}
	duckdb_data_chunk_set_size(chunk, row);
}

bool duck_register_tables(duckdb_connection connection)
{
	duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
	duckdb_table_function f = duckdb_create_table_function();
	bool good;

	duckdb_table_function_set_name(f, "tdat_tables");
	duckdb_table_function_add_parameter(f, any);
	duckdb_table_function_set_bind(f, bind);
	duckdb_table_function_set_init(f, init);
	duckdb_table_function_set_function(f, next_chunk);
	good = duckdb_register_table_function(connection, f) == DuckDBSuccess;
	duckdb_destroy_table_function(&f);
	duckdb_destroy_logical_type(&any);
	return good;
}
