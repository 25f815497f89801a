/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the combinations of values that rows have in the columns of a query. A virtual table
 * cannot return counts. So each combination is returned once per row that had it, which SQLite then
 * counts. Values are numbered by dictionaries; memory is bounded by combinations. See
 * docs/decisions/009-sql-without-omit.md.
 */
#include "group.h"

#include <stdlib.h>

#include "core/grow.h"
#include "export/columns/dictionary.h"

/* A column of the query. Its values are numbers; texts are numbered by their dictionary. */
struct group_column {
	size_t column, place;
	bool text;
	struct dictionary texts;
	uint64_t *numbers; /* by index of the batch's dictionary: of the text; UNKNOWN: not asked
			      for */
	size_t number_room;
};

#define UNKNOWN UINT64_MAX

/*
 * All combinations of one query. A combination is words u64: a value for each column, then a word
 * with a bit for each NULL.
 */
struct sql_group {
	struct group_column *columns;
	size_t column_count;
	size_t words; /* of a combination: a number for each column, and its nulls */
	struct dictionary combinations;
	uint64_t *counts; /* of each */
	size_t count_room;
	uint32_t *order; /* groups one after the other */
	struct group_key {
		size_t place; /* in columns */
		bool desc;
	} keys[63]; /* in what order */
	size_t key_count;
	uint64_t *row; /* the combination of one row */
};

/* ---- combinations ---- */

/* Counts n rows with the combination in g->row. False: no memory, or too many combinations. */
static bool add_rows(struct sql_group *g, uint64_t n)
{
	const uint32_t at = dictionary_text(&g->combinations, g->row, g->words * sizeof(*g->row));

	if (at == DICTIONARY_FULL)
		return false;
	/* The number of a combination is its index in the dictionary, and in counts. */
	if (at >= g->count_room && !TDAT_GROW_ZERO(g->counts, &g->count_room, at + (size_t)1))
		return false;
	g->counts[at] += n;
	return true;
}

/* Prepares for a batch: the numbers of its dictionary's texts are not known yet. */
static bool start_batch(struct sql_group *g, const struct sql_rows *r)
{
	for (size_t i = 0; i < g->column_count; i++) {
		struct group_column *c = &g->columns[i];
		size_t count;

		if (!c->text)
			continue;
		count = (size_t)r->columns.views[c->place].dictionary->length;
		if (count > c->number_room) {
			if (!TDAT_GROW(c->numbers, &c->number_room, count))
				return false;
		}
		for (size_t k = 0; k < count; k++)
			c->numbers[k] = UNKNOWN;
	}
	return true;
}

/*
 * Returns the number of a text of the batch's dictionary; UNKNOWN: no memory. Each text is looked
 * up once per batch.
 */
static uint64_t text_number(struct group_column *c, const struct column_type *type,
			    const struct array_view *view, size_t row, size_t index)
{
	struct sqlite_value v;
	uint32_t entry;

	if (c->numbers[index] != UNKNOWN)
		return c->numbers[index];
	sqlite_value_of(&v, type, view, row, NULL);
	entry = dictionary_text(&c->texts, v.bytes.ptr, v.bytes.len);
	if (entry != DICTIONARY_FULL)
		c->numbers[index] = entry;
	return c->numbers[index];
}

/* Puts the value of a row in column i into g->row. False: no memory. */
static bool put_value(struct sql_group *g, size_t i, const struct sql_rows *r, size_t row)
{
	struct group_column *c = &g->columns[i];
	const struct column_type *type = &r->columns.types.v[c->place];
	const struct array_view *view = &r->columns.views[c->place];
	struct sqlite_value v;

	g->row[i] = 0;
	/* Only the index of a text is read, not its bytes. */
	if (c->text) {
		const size_t at = view->off + row;

		if (view->valid && !array_bit(view->valid, at)) {
			g->row[g->words - 1] |= UINT64_C(1) << i;
			return true;
		}
		g->row[i] = text_number(c, type, view, row,
					(size_t)array_index(view->array->buffers[1], at,
							    type->index_width, type->index_signed));
		return g->row[i] != UNKNOWN;
	}
	sqlite_value_of(&v, type, view, row, NULL);
	if (v.kind == SQLITE_V_NULL)
		g->row[g->words - 1] |= UINT64_C(1) << i;
	else
		g->row[i] = (uint64_t)v.number;
	return true;
}

/* Counts the rows of one text column, the usual query: a row costs one addition. */
static bool take_texts(struct sql_group *g, const struct sql_rows *r)
{
	const struct group_column *c = g->columns;
	const struct column_type *type = &r->columns.types.v[c->place];
	const struct array_view *view = &r->columns.views[c->place];
	const size_t count = (size_t)view->dictionary->length;
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	size_t *rows = calloc(count + 1, sizeof(*rows));
	bool ok = sums && rows;

	for (size_t i = 0; ok && i < r->count; i++) {
		const size_t at = view->off + i;
		/* The last place is that of NULL. */
		size_t index = count;

		if (!view->valid || array_bit(view->valid, at))
			index = (size_t)array_index(view->array->buffers[1], at, type->index_width,
						    type->index_signed);
		/* Any row of a text will do to look it up. */
		rows[index] = i;
		sums[index]++;
	}
	for (size_t k = 0; ok && k <= count; k++) {
		if (!sums[k])
			continue;
		g->row[g->words - 1] = 0;
		ok = put_value(g, 0, r, rows[k]) && add_rows(g, sums[k]);
	}
	free(sums);
	free(rows);
	return ok;
}

/* Adds all rows of a batch. */
static bool take_batch(struct sql_group *g, const struct sql_rows *r)
{
	if (!start_batch(g, r))
		return false;
	if (g->column_count == 1 && g->columns->text)
		return take_texts(g, r);
	for (size_t row = 0; row < r->count; row++) {
		g->row[g->words - 1] = 0;
		for (size_t i = 0; i < g->column_count; i++)
			if (!put_value(g, i, r, row))
				return false;
		if (!add_rows(g, 1))
			return false;
	}
	return true;
}

/* ---- order ---- */

/* Copies a combination to aligned words: the dictionary stores bytes. */
static const uint64_t *words_of(const struct sql_group *g, uint32_t combination, uint64_t *buf)
{
	const struct tdat_span s = dictionary_entry(&g->combinations, combination);

	memcpy(buf, s.ptr, s.len);
	return buf;
}

/* Compares two values of a column as SQLite sorts them: texts by their bytes. */
static int compare(const struct group_column *c, uint64_t x, uint64_t y)
{
	struct tdat_span a, b;
	int order;

	if (!c->text)
		return ((int64_t)x > (int64_t)y) - ((int64_t)x < (int64_t)y);
	a = dictionary_entry(&c->texts, (uint32_t)x);
	b = dictionary_entry(&c->texts, (uint32_t)y);
	order = a.len && b.len ? memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len) : 0;
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Compares two combinations by the keys of the plan. Ties keep the order of their first rows. */
static int by_group(const void *a, const void *b, void *ctx)
{
	const struct sql_group *g = ctx;
	/* 63 columns and the word of NULLs. */
	uint64_t x[64], y[64];

	words_of(g, *(const uint32_t *)a, x);
	words_of(g, *(const uint32_t *)b, y);
	for (size_t k = 0; k < g->key_count; k++) {
		const size_t i = g->keys[k].place;
		const int null_x = x[g->words - 1] >> i & 1, null_y = y[g->words - 1] >> i & 1;
		/* Nulls come first, and have no text. */
		const int order = null_x || null_y ? null_y - null_x
				  : x[i] != y[i]   ? compare(&g->columns[i], x[i], y[i])
						   : 0;

		if (order)
			return g->keys[k].desc ? -order : order;
	}
	return (*(const uint32_t *)a > *(const uint32_t *)b) -
	       (*(const uint32_t *)a < *(const uint32_t *)b);
}

/* Sorts the combinations, so that groups come in the order that the plan promised. */
static bool put_in_order(struct sql_group *g)
{
	const uint32_t count = g->combinations.count;

	g->order = calloc((size_t)count + 1, sizeof(*g->order));
	if (!g->order)
		return false;
	for (uint32_t i = 0; i < count; i++)
		g->order[i] = i;
	qsort_r(g->order, count, sizeof(*g->order), by_group, g);
	return true;
}

/* ---- making one ---- */

/* Adds columns of the plan, in the order of the table. */
static void add_columns(struct sql_group *g, const struct sql_rows *r, uint64_t columns)
{
	for (size_t i = 0; i < r->table->column_count && i < 63; i++) {
		struct group_column *c = &g->columns[g->column_count];

		if (!(columns >> i & 1))
			continue;
		c->column = i;
		c->place = r->places[i];
		c->text = sql_table_column(r->table, i)->kind == COLUMN_TEXT;
		/* DICTIONARY_FULL must not be the number of an entry. */
		dictionary_init(&c->texts, UINT32_MAX - 2);
		g->column_count++;
	}
}

/* False: no memory. */
static bool init(struct sql_group *g, const struct sql_rows *r, const struct sql_plan *p)
{
	dictionary_init(&g->combinations, UINT32_MAX - 2);
	g->columns = calloc(64, sizeof(*g->columns));
	g->row = calloc(65, sizeof(*g->row));
	if (!g->columns || !g->row)
		return false;
	add_columns(g, r, p->together);
	add_columns(g, r, p->used & ~p->together);
	g->words = g->column_count + 1;
	/* Keys refer to columns of the group; the plan has those of the table. */
	for (size_t i = 0; i < p->order_count; i++)
		for (size_t k = 0; k < g->column_count; k++)
			if (g->columns[k].column == p->order[i].column)
				g->keys[g->key_count++] = (struct group_key){k, p->order[i].desc};
	return true;
}

/* Fails if the query is interrupted, too: err has the reason. */
enum tdat_status sql_group_read(struct sql_group **out, struct sql_rows *r,
				const struct sql_plan *p, struct tdat_error *err)
{
	struct sql_group *g = calloc(1, sizeof(*g));
	bool ok;

	*out = NULL;
	tdat_error_reset(err);
	if (!g)
		return tdat_error_no_memory(err, "the groups of a query");
	ok = init(g, r, p);
	while (ok && r->stream.release && sql_rows_batch(r, err))
		ok = take_batch(g, r);
	ok = ok && put_in_order(g);
	if (!ok)
		tdat_error_no_memory(err, "the groups of a query");
	if (err->status != TDAT_OK) {
		sql_group_free(g);
		return err->status;
	}
	*out = g;
	return TDAT_OK;
}

void sql_group_free(struct sql_group *g)
{
	if (!g)
		return;
	for (size_t i = 0; g->columns && i < g->column_count; i++) {
		dictionary_fini(&g->columns[i].texts);
		free(g->columns[i].numbers);
	}
	dictionary_fini(&g->combinations);
	free(g->columns);
	free(g->counts);
	free(g->order);
	free(g->row);
	free(g);
}

size_t sql_group_count(const struct sql_group *g)
{
	return g->combinations.count;
}

uint64_t sql_group_rows(const struct sql_group *g, size_t combination)
{
	return g->counts[g->order[combination]];
}

/*
 * Returns a text of a dictionary. An empty one has a pointer, too: without it SQLite would see a
 * NULL.
 */
static struct tdat_span text_entry(const struct dictionary *texts, uint32_t entry)
{
	const struct tdat_span s = dictionary_entry(texts, entry);

	return s.len ? s : (struct tdat_span){(const uint8_t *)"", 0};
}

/* A column that the plan does not use is NULL. */
void sql_group_value(const struct sql_group *g, size_t combination, size_t column,
		     struct sqlite_value *v)
{
	uint64_t buf[64];
	const uint64_t *words = words_of(g, g->order[combination], buf);

	v->kind = SQLITE_V_NULL;
	for (size_t i = 0; i < g->column_count; i++) {
		const struct group_column *c = &g->columns[i];

		if (c->column != column || words[g->words - 1] >> i & 1)
			continue;
		v->kind = c->text ? SQLITE_V_TEXT : SQLITE_V_INT;
		if (c->text)
			v->bytes = text_entry(&c->texts, (uint32_t)words[i]);
		else
			v->number = (int64_t)words[i];
	}
}
