/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What columns and values of tables are in SQLite: for the exporter of databases, and for the
 * tables that SQL reads in place. It needs no libsqlite3.
 */
#ifndef EXPORT_SQLITE_VALUE_H
#define EXPORT_SQLITE_VALUE_H

#include "core/build.h"
#include "table_columns.h"

/* "INTEGER", "REAL", "TEXT" or "BLOB". */
const char *sqlite_type_name(const struct column_type *type);

/* A name in double quotes, as SQL has it. */
void sqlite_put_name(struct tdat_build *sql, const char *name);

enum sqlite_kind { SQLITE_V_NULL, SQLITE_V_INT, SQLITE_V_DOUBLE, SQLITE_V_TEXT, SQLITE_V_BLOB };

struct sqlite_value {
	enum sqlite_kind kind;
	union {
		int64_t number;
		double real;
		struct tdat_span bytes; /* TEXT, BLOB: borrowed; ptr is never NULL */
	};
};

/*
 * The value of a row. A list becomes JSON in json, whose contents are replaced; json->failed:
 * there was no memory for it.
 */
void sqlite_value_of(struct sqlite_value *v, const struct column_type *type,
		     const struct array_view *view, size_t row, struct tdat_build *json);

#endif
