/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns values of tables into those that SQLite has. Both the exporter sqlite and the virtual
 * tables of sql/ use it, so a column has the same type and value in either. A list becomes a
 * text of JSON.
 */
#include "sqlite_value.h"

#include "row_text.h"

/* Type in CREATE TABLE, by SQLite's affinities. */
const char *sqlite_type_name(const struct column_type *type)
{
	if (type->is_list || type->kind == COLUMN_TEXT)
		return "TEXT";
	return type->kind == COLUMN_BYTES    ? "BLOB"
	       : type->kind == COLUMN_DOUBLE ? "REAL"
					     : "INTEGER";
}

/* Writes a name in double quotes, doubling those in it. */
void sqlite_put_name(struct tdat_build *sql, const char *name)
{
	tdat_build_u8(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			tdat_build_u8(sql, '"');
		tdat_build_u8(sql, (uint8_t)*name);
	}
	tdat_build_u8(sql, '"');
}

/* SQLite takes a NULL pointer for NULL even with length 0. */
static struct tdat_span not_null(struct tdat_span s)
{
	static const uint8_t nothing[1] = {0};

	return s.len ? s : (struct tdat_span){nothing, 0};
}

/* Turns a value into SQLite's. json: room for the text of a list, valid until the next call. */
void sqlite_value_of(struct sqlite_value *v, const struct column_type *type,
		     const struct array_view *view, size_t row, struct tdat_build *json)
{
	struct cell cell;
	uint64_t bits;

	/* Until something else is found. */
	v->kind = SQLITE_V_NULL;
	if (!cell_of_row(&cell, type, view, row))
		return;
	if (type->is_list) {
		json->len = 0;
		row_text_json_list(json, type, view, &cell);
		v->kind = SQLITE_V_TEXT;
		v->bytes = not_null((struct tdat_span){json->ptr, json->len});
		return;
	}
	switch (type->kind) {
	case COLUMN_BOOL:
		v->kind = SQLITE_V_INT;
		v->number = cell_bool(&cell);
		break;
	case COLUMN_DOUBLE:
		v->kind = SQLITE_V_DOUBLE;
		bits = cell_number(&cell, type);
		memcpy(&v->real, &bits, sizeof(v->real));
		break;
	case COLUMN_TEXT:
		v->kind = SQLITE_V_TEXT;
		v->bytes = not_null(cell_bytes(&cell));
		break;
	case COLUMN_BYTES:
		v->kind = SQLITE_V_BLOB;
		v->bytes = not_null(cell_bytes(&cell));
		break;
	default:
		v->kind = SQLITE_V_INT;
		v->number = (int64_t)cell_number(&cell, type);
		break;
	}
}
