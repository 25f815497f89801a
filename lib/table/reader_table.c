/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the rows of one table until they are returned. Builders are made when the first row comes,
 * with room for the number of rows that the last piece had. They are freed when the table has
 * returned its batch and others need the memory.
 */
#include "reader_table.h"

#include <stdlib.h>

#include "arrow_array.h"
#include "builder.h"

/*
 * Makes empty builders for the chosen columns. False: no memory; reader_end_table() frees those
 * that were made.
 */
bool reader_start_table(struct reader_table *t)
{
	const struct reader_choice *c = t->choice;

	t->builders = calloc(c->column_count + 1, sizeof(*t->builders));
	if (!t->builders)
		return false;
	for (size_t i = 0; i < c->column_count; i++)
		if (!table_builder_init(&t->builders[i], &c->all[c->columns[i]]))
			return false;
	return true;
}

void reader_end_table(struct reader_table *t)
{
	for (size_t i = 0; t->builders && i < t->choice->column_count; i++)
		table_builder_fini(&t->builders[i]);
	free(t->builders);
	t->builders = NULL;
}

enum tdat_status reader_no_memory(const struct reader_table *t, struct tdat_error *err)
{
	return tdat_error_no_memory(err, t->choice->table->name);
}

/* Bytes of rows, which bound a batch; *size: bytes of memory held, which bound the reader. */
size_t reader_table_len(const struct reader_table *t, size_t *size)
{
	size_t n = 0;

	*size = 0;
	for (size_t i = 0; t->builders && i < t->choice->column_count; i++) {
		n += table_builder_len(&t->builders[i]);
		*size += sizeof(t->builders[i]) + table_builder_size(&t->builders[i]);
	}
	return n;
}

/*
 * Makes the batch: a struct array with a child for each column. move: the batch owns its buffers;
 * the last batch of a table takes the dictionaries, too.
 */
enum tdat_status reader_array(const struct reader_table *t, struct ArrowArray *out, bool move,
			      struct tdat_error *err)
{
	const enum table_give give = !move ? TABLE_LEND : t->last ? TABLE_MOVE_ALL : TABLE_MOVE;
	const size_t count = t->choice->column_count;

	if (!table_array_init(out, 1, (int64_t)count, false))
		return reader_no_memory(t, err);
	out->length = (int64_t)t->rows;
	for (size_t i = 0; i < count; i++) {
		if (table_builder_array(&t->builders[i], out->children[i], give))
			continue;
		out->release(out);
		return reader_no_memory(t, err);
	}
	return TDAT_OK;
}
