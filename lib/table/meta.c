/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills the tables of what files say of themselves. Tables like tasks, formats, buffers,
 * options and symbols have rows from the file's metadata, without reading an event. A table is
 * a list of columns and a function that puts rows (meta_tables.c, task_rows.c).
 */
#include "meta.h"

#include <stdlib.h>

/* Columns of the table, after "file" if there are several inputs. For free(); NULL: no memory. */
struct table_column *meta_columns(const struct table_meta *meta, bool with_file, bool wall,
				  size_t *count)
{
	static const struct meta_column head[] = {
		{"file", TABLE_NAME, 0, false},
		{NULL, TABLE_NAME, 0, false},
	};

	return row_columns(head, meta->columns, with_file, wall, count);
}

/* Begins a row; the caller puts the values of all columns in order, then calls meta_row(). */
void meta_begin(struct meta_rows *r, const struct table_input *in)
{
	r->row.at = 0;
	if (r->trace->input_count > 1)
		row_put_str(&r->row, tdat_file_info(in->file)->name);
}

/* Ends a row; false stops the table's function, since memory ran out. */
bool meta_row(struct meta_rows *r)
{
	r->count++;
	return !r->row.failed;
}

/*
 * Puts the rows of all inputs, in their order. An error that the table's function kept wins over a
 * lack of memory.
 */
enum tdat_status meta_fill(struct meta_rows *r, const struct table_meta *meta,
			   struct tdat_error *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < r->trace->input_count; i++)
		ok = meta->rows(r, &r->trace->inputs[i]);
	if (ok)
		return TDAT_OK;
	if (r->error.status == TDAT_OK)
		return tdat_error_no_memory(err, meta->name);
	if (err)
		*err = r->error;
	return r->error.status;
}
