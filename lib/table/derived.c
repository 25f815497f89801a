/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The columns of derived tables, and the fields of the events that they are made of. All derived
 * tables share their first columns, so that a reader can join them by time and task. Fields are
 * found by name: kernels add, move and widen them.
 */
#include "derived.h"

#include <stdlib.h>
#include <string.h>

#include "model/format.h"

/*
 * Returns the shared columns and those of the table, for free(); NULL: no memory. "file" is left
 * out with one input.
 */
struct table_column *derived_columns(const struct table_derived *def, bool with_file, bool wall,
				     size_t *count)
{
	static const struct meta_column head[] = {
		{"ts", TABLE_TIME, 0, false},	  {"dur", TABLE_INT, 8, true},
		{"cpu", TABLE_INT, 4, false},	  {"file", TABLE_NAME, 0, false},
		{"buffer", TABLE_NAME, 0, false}, {"pid", TABLE_INT, 4, true},
		{"comm", TABLE_NAME, 0, false},	  {"open", TABLE_NAME, 0, false},
		{NULL, TABLE_INT, 0, false},
	};
	struct table_column *list = row_columns(head, def->columns, with_file, wall, count);

	/* At most one column is made on demand, by its name. */
	for (size_t i = 0; list && i < *count && def->on_demand; i++)
		list[i].on_demand = !strcmp(list[i].name, def->on_demand);
	return list;
}

/* The text of a string field; no ptr: the field is missing or lies outside the record. */
struct tdat_span derived_text(const struct derived_field *f, struct tdat_span rec)
{
	struct tdat_span s = {NULL, 0};

	if (f->field && tdat_field_string(f->field, rec, &s, NULL) != TDAT_OK)
		s = (struct tdat_span){NULL, 0};
	return s;
}

/*
 * Finds a field once per format, so that events need one load. len stays 0 unless it is an integer
 * of 1, 2, 4 or 8 bytes.
 */
struct derived_field derived_field_of(const struct tdat_event_format *format, const char *name)
{
	struct derived_field f = {.field = tdat_event_format_field(format, name)};

	if (!f.field)
		return f;
	f.off = f.field->off;
	f.is_signed = f.field->flags & TDAT_FIELD_SIGNED;
	f.big = format->big;
	if (f.field->len && f.field->len <= 8 && !(f.field->len & (f.field->len - 1)) &&
	    !(f.field->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)))
		f.len = (uint8_t)f.field->len;
	return f;
}
