/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the rows of a small table, with an index of each column that is asked for. SQLite makes
 * no index for virtual tables, so joins with a small table would read it again and again. Its
 * rows are read once and found by a keyed hash of the value.
 */
#include "kept.h"

#include <stdlib.h>

#include "core/search.h"
#include "core/grow.h"
#include "core/hash.h"
#include "rows.h"

/* An index of one column: rows by the hash of their value. */
struct kept_index {
	uint32_t *first; /* by hash: row + 1, or 0 */
	uint32_t *next;	 /* by row: the next one with the hash, + 1 */
	size_t mask;
};

/* One batch of rows, as the stream made it. */
struct kept_batch {
	struct ArrowArray array;
	struct array_view *views;
	size_t first; /* the number of its first row */
};

/* The rows of one table. It belongs to the table and is freed with it. */
struct sql_kept {
	struct sql_rows rows; /* its columns, and nothing more of it */
	struct kept_batch *batches;
	size_t batch_count, batch_room;
	size_t count;
	struct tdat_hash_seed seed;
	struct kept_index *indices; /* by column; first NULL: not made yet */
};

/* Moves the batch out of k->rows. False: no memory, or too many rows for the index. */
static bool keep_batch(struct sql_kept *k)
{
	const size_t columns = k->rows.columns.types.count;
	struct kept_batch *b;

	if (!TDAT_GROW(k->batches, &k->batch_room, k->batch_count + 1))
		return false;
	b = &k->batches[k->batch_count];
	b->views = malloc(columns * sizeof(*b->views));
	if (!b->views)
		return false;
	memcpy(b->views, k->rows.columns.views, columns * sizeof(*b->views));
	/* Views point to the arrays of the columns, which stay where they are. */
	b->array = k->rows.batch;
	k->rows.batch.release = NULL;
	b->first = k->count;
	k->count += k->rows.count;
	k->batch_count++;
	return k->count < UINT32_MAX;
}

enum tdat_status sql_kept_read(struct sql_table *t, struct tdat_error *err)
{
	const struct sql_plan all = {.used = UINT64_MAX};
	struct sql_kept *k;
	enum tdat_status st;
	bool empty;

	if (t->kept)
		return TDAT_OK;
	k = calloc(1, sizeof(*k));
	if (!k)
		return tdat_error_no_memory(err, t->table->name);
	/* Values come from the trace: an unkeyed hash could be attacked. */
	k->seed = tdat_hash_seed();
	tdat_error_reset(err);
	/* All columns are read, as later queries may need others. */
	st = sql_rows_start(&k->rows, t, &all, NULL, &empty, err);
	while (st == TDAT_OK && sql_rows_batch(&k->rows, err))
		if (!keep_batch(k))
			st = tdat_error_no_memory(err, t->table->name);
	if (st == TDAT_OK)
		st = err->status;
	k->indices = calloc(t->column_count + 1, sizeof(*k->indices));
	if (st == TDAT_OK && !k->indices)
		st = tdat_error_no_memory(err, t->table->name);
	if (st == TDAT_OK)
		t->kept = k;
	else
		sql_kept_free(k);
	return st;
}

void sql_kept_free(struct sql_kept *k)
{
	if (!k)
		return;
	for (size_t i = 0; k->indices && i < k->rows.table->column_count; i++) {
		free(k->indices[i].first);
		free(k->indices[i].next);
	}
	free(k->indices);
	for (size_t i = 0; i < k->batch_count; i++) {
		k->batches[i].array.release(&k->batches[i].array);
		free(k->batches[i].views);
	}
	free(k->batches);
	sql_rows_end(&k->rows);
	free(k);
}

size_t sql_kept_count(const struct sql_kept *k)
{
	return k->count;
}

/* Rows are numbered over all batches. */
static const struct kept_batch *batch_of(const struct sql_kept *k, size_t row)
{
	size_t i;

	/* The first batch begins at row 0. */
	TDAT_SEARCH(i, k->batch_count, k->batches[i].first <= row);
	return &k->batches[i - 1];
}

void sql_kept_value(const struct sql_kept *k, size_t row, size_t column, struct sqlite_value *v,
		    struct tdat_build *json)
{
	const struct kept_batch *b = batch_of(k, row);
	const size_t place = k->rows.places[column];

	sqlite_value_of(v, &k->rows.columns.types.v[place], &b->views[place], row - b->first, json);
}

/* ---- the index of a column, of numbers or texts ---- */

/* Equal values have equal hashes; others may share one, as SQLite compares each row again. */
static uint64_t hash_of(const struct sql_kept *k, const struct sqlite_value *v)
{
	return v->kind == SQLITE_V_INT ? tdat_hash_u64(k->seed, (uint64_t)v->number)
				       : tdat_hash_bytes(k->seed, v->bytes.ptr, v->bytes.len);
}

/*
 * Makes the index of a column with its first look-up. False: no memory, then all rows are returned.
 */
static bool make_index(struct sql_kept *k, size_t column)
{
	struct kept_index *x = &k->indices[column];
	struct sqlite_value v;

	/* The next power of two above the number of rows, less 1. */
	for (x->mask = 15; x->mask < k->count; x->mask = 2 * x->mask + 1)
		;
	x->first = calloc(x->mask + 1, sizeof(*x->first));
	x->next = calloc(k->count + 1, sizeof(*x->next));
	if (!x->first || !x->next) {
		free(x->first);
		free(x->next);
		*x = (struct kept_index){NULL, NULL, 0};
		return false;
	}
	/* Rows are taken from the end on, so that those of a list come in their order. */
	for (size_t row = k->count; row-- > 0;) {
		uint32_t *first;

		sql_kept_value(k, row, column, &v, NULL);
		if (v.kind != SQLITE_V_INT && v.kind != SQLITE_V_TEXT)
			continue;
		first = &x->first[hash_of(k, &v) & x->mask];
		x->next[row] = *first;
		*first = (uint32_t)row + 1;
	}
	return true;
}

/*
 * Finds the value that rows of a column must have. False: rows with values of other types may match
 * by SQLite's rules, so all rows are returned.
 */
static bool wanted_value(const struct column_type *type, sqlite3_value *value,
			 struct sqlite_value *v)
{
	const bool text = type->kind == COLUMN_TEXT;

	if (!text && sqlite3_value_type(value) == SQLITE_INTEGER) {
		v->kind = SQLITE_V_INT;
		v->number = sqlite3_value_int64(value);
		return true;
	}
	if (text && sqlite3_value_type(value) == SQLITE_TEXT) {
		v->kind = SQLITE_V_TEXT;
		v->bytes.ptr = sqlite3_value_text(value);
		v->bytes.len = (size_t)sqlite3_value_bytes(value);
		return v->bytes.ptr;
	}
	return false;
}

/* *any: no index applies, and the caller goes through all rows. */
size_t sql_kept_find(struct sql_kept *k, const struct sql_table *t, size_t column,
		     sqlite3_value *value, bool *any)
{
	struct sqlite_value v;
	uint32_t row;

	*any = !wanted_value(sql_table_column(t, column), value, &v) ||
	       (!k->indices[column].first && !make_index(k, column));
	if (*any)
		return k->count ? 0 : SQL_KEPT_NONE;
	row = k->indices[column].first[hash_of(k, &v) & k->indices[column].mask];
	return row ? row - 1 : SQL_KEPT_NONE;
}

size_t sql_kept_next(const struct sql_kept *k, size_t column, size_t row)
{
	const uint32_t next = k->indices[column].next[row];

	return next ? next - 1 : SQL_KEPT_NONE;
}
