/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the combinations of values that rows have in the columns of a query. A virtual table
 * cannot return counts. So each combination is returned once per row that had it, which SQLite then
 * counts; in a fold (fold_query.c) once, with its count and the sums of further columns. Values are
 * numbered by dictionaries; memory is bounded by combinations. See
 * docs/decisions/009-sql-without-omit.md.
 */
#include "group.h"

#include <stdlib.h>

#include "core/grow.h"
#include "export/columns/dictionary.h"
#include "fold.h"

/* A column of the query. Its values are numbers; texts are numbered by their dictionary. */
struct group_column {
	size_t column, place;
	uint64_t divisor; /* of a time, 0: none */
	bool text;
	struct dictionary texts;
	uint64_t *numbers; /* by index of the batch's dictionary: of the text; UNKNOWN: not asked
			      for */
	size_t number_room;
};

#define UNKNOWN UINT64_MAX

/* Without a promised order, as many combinations are returned before more rows are read. */
enum { COMBINATIONS_MOST = 1 << 16 };

/* What a fold knows of a column in a combination. The sum is high * 2^32 + low. */
struct group_sum {
	uint64_t count; /* of values that are not null */
	int64_t least, greatest, high;
	uint64_t low;
};

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
	uint32_t *at;  /* by row of the batch: its combination */
	size_t at_room;
	const struct sql_fold *fold;  /* NULL: none */
	size_t table_columns;	      /* columns of the fold follow */
	size_t measures[FOLD_VALUES]; /* columns of which sums are kept, each once */
	size_t measure_count;
	struct group_sum *sums; /* of each combination, one for each measure */
	size_t sum_room;
	bool all; /* all combinations must be known before the first is returned */
};

/* ---- combinations ---- */

/*
 * Counts n rows with the combination in g->row, and returns its number; DICTIONARY_FULL: no memory,
 * or too many combinations.
 */
static uint32_t add_rows(struct sql_group *g, uint64_t n)
{
	const uint32_t at = dictionary_text(&g->combinations, g->row, g->words * sizeof(*g->row));
	const size_t sums = (at + (size_t)1) * g->measure_count;

	if (at == DICTIONARY_FULL)
		return at;
	/* The number of a combination is its index in the dictionary, and in counts. */
	if (at >= g->count_room && !TDAT_GROW_ZERO(g->counts, &g->count_room, at + (size_t)1))
		return DICTIONARY_FULL;
	if (sums > g->sum_room && !TDAT_GROW_ZERO(g->sums, &g->sum_room, sums))
		return DICTIONARY_FULL;
	g->counts[at] += n;
	return at;
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
		g->row[i] = (uint64_t)(c->divisor ? v.number / (int64_t)c->divisor : v.number);
	return true;
}

/* Numbers the rows of one text column, the usual query: a row costs one look-up. */
static bool take_texts(struct sql_group *g, const struct sql_rows *r)
{
	const struct group_column *c = g->columns;
	const struct column_type *type = &r->columns.types.v[c->place];
	const struct array_view *view = &r->columns.views[c->place];
	const size_t count = (size_t)view->dictionary->length;
	/* The last place is that of NULL. */
	uint32_t *numbers = malloc((count + 1) * sizeof(*numbers));
	bool ok = numbers;

	for (size_t k = 0; ok && k <= count; k++)
		numbers[k] = DICTIONARY_FULL;
	for (size_t i = 0; ok && i < r->count; i++) {
		const size_t at = view->off + i;
		size_t index = count;

		if (!view->valid || array_bit(view->valid, at))
			index = (size_t)array_index(view->array->buffers[1], at, type->index_width,
						    type->index_signed);
		if (numbers[index] == DICTIONARY_FULL) {
			g->row[g->words - 1] = 0;
			numbers[index] = put_value(g, 0, r, i) ? add_rows(g, 0) : DICTIONARY_FULL;
			ok = numbers[index] != DICTIONARY_FULL;
		}
		g->at[i] = numbers[index];
		if (ok)
			g->counts[g->at[i]]++;
	}
	free(numbers);
	return ok;
}

/* Numbers rows by the values of all columns. */
static bool take_values(struct sql_group *g, const struct sql_rows *r)
{
	uint64_t last[64];

	for (size_t row = 0; row < r->count; row++) {
		g->row[g->words - 1] = 0;
		for (size_t i = 0; i < g->column_count; i++)
			if (!put_value(g, i, r, row))
				return false;
		/* Rows are often like the one before. */
		if (row && !memcmp(last, g->row, g->words * sizeof(*last))) {
			g->at[row] = g->at[row - 1];
			g->counts[g->at[row]]++;
			continue;
		}
		memcpy(last, g->row, g->words * sizeof(*last));
		g->at[row] = add_rows(g, 1);
		if (g->at[row] == DICTIONARY_FULL)
			return false;
	}
	return true;
}

static void add_value(struct group_sum *s, int64_t v)
{
	if (!s->count++)
		s->least = s->greatest = v;
	s->least = v < s->least ? v : s->least;
	s->greatest = v > s->greatest ? v : s->greatest;
	s->high += v >> 32;
	s->low += (uint32_t)v;
	if (s->low >> 63) {
		s->high += (int64_t)(s->low >> 32);
		s->low = (uint32_t)s->low;
	}
}

/* Adds the values of a batch to the sums of a measure. */
static void add_values(struct sql_group *g, const struct sql_rows *r, size_t measure)
{
	const size_t place = r->places[g->measures[measure]];
	const struct column_type *type = &r->columns.types.v[place];
	const struct array_view *view = &r->columns.views[place];
	const void *values = view->array->buffers[1];

	for (size_t i = 0; i < r->count; i++) {
		const size_t at = view->off + i;

		if (!view->valid || array_bit(view->valid, at))
			add_value(&g->sums[g->at[i] * g->measure_count + measure],
				  (int64_t)array_index(values, at, type->width, type->is_signed));
	}
}

/* Adds all rows of a batch. */
static bool take_batch(struct sql_group *g, const struct sql_rows *r)
{
	bool ok = start_batch(g, r);

	if (r->count > g->at_room)
		ok = ok && TDAT_GROW(g->at, &g->at_room, r->count);
	if (ok)
		ok = g->column_count == 1 && g->columns->text ? take_texts(g, r)
							      : take_values(g, r);
	for (size_t i = 0; ok && i < g->measure_count; i++)
		add_values(g, r, i);
	return ok;
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

	free(g->order);
	g->order = calloc((size_t)count + 1, sizeof(*g->order));
	if (!g->order)
		return false;
	for (uint32_t i = 0; i < count; i++)
		g->order[i] = i;
	if (g->key_count)
		qsort_r(g->order, count, sizeof(*g->order), by_group, g);
	return true;
}

/* ---- making one ---- */

/* Adds columns of the plan, in the order of the table; parts of time have those of a fold. */
static void add_columns(struct sql_group *g, const struct sql_rows *r, uint64_t columns)
{
	const struct sql_table *t = r->table;

	for (size_t i = 0; i < 63; i++) {
		struct group_column *c = &g->columns[g->column_count];
		const size_t of = i < t->column_count ? i : t->ts;

		if (!(columns >> i & 1))
			continue;
		c->column = i;
		c->place = r->places[of];
		c->divisor = i < t->column_count ? 0 : t->fold->divisor;
		c->text = sql_table_column(t, of)->kind == COLUMN_TEXT;
		/* DICTIONARY_FULL must not be the number of an entry. */
		dictionary_init(&c->texts, UINT32_MAX - 2);
		g->column_count++;
	}
}

/* The index of a measure; that of a new one is the number of them. */
static size_t find_measure(const struct sql_group *g, size_t column)
{
	size_t i = 0;

	while (i < g->measure_count && g->measures[i] != column)
		i++;
	return i;
}

static void add_measures(struct sql_group *g, const struct sql_table *t, const struct sql_plan *p)
{
	for (size_t i = 0; i < t->fold->count; i++) {
		const struct fold_value *v = &t->fold->values[i];

		if (sql_fold_is_sum(v->kind) && sql_plan_uses(p, t->column_count + i) &&
		    find_measure(g, v->column) == g->measure_count)
			g->measures[g->measure_count++] = v->column;
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
	g->fold = r->table->fold;
	g->table_columns = r->table->column_count;
	g->all = !g->fold || p->order_count;
	add_columns(g, r, p->together);
	if (g->fold)
		add_measures(g, r->table, p);
	else
		add_columns(g, r, p->used & ~p->together);
	g->words = g->column_count + 1;
	/* Keys refer to columns of the group; the plan has those of the table. */
	for (size_t i = 0; i < p->order_count; i++)
		for (size_t k = 0; k < g->column_count; k++)
			if (g->columns[k].column == p->order[i].column)
				g->keys[g->key_count++] = (struct group_key){k, p->order[i].desc};
	return true;
}

enum tdat_status sql_group_new(struct sql_group **out, struct sql_rows *r, const struct sql_plan *p,
			       struct tdat_error *err)
{
	struct sql_group *g = calloc(1, sizeof(*g));

	*out = g;
	if (g && init(g, r, p))
		return TDAT_OK;
	sql_group_free(g);
	*out = NULL;
	return tdat_error_no_memory(err, "the groups of a query");
}

/* Forgets all combinations; the numbers of texts stay. */
static void start_anew(struct sql_group *g)
{
	dictionary_fini(&g->combinations);
	dictionary_init(&g->combinations, UINT32_MAX - 2);
	memset(g->counts, 0, g->count_room * sizeof(*g->counts));
	if (g->sums)
		memset(g->sums, 0, g->sum_room * sizeof(*g->sums));
}

/* Fails if the query is interrupted, too: err has the reason. */
enum tdat_status sql_group_read(struct sql_group *g, struct sql_rows *r, struct tdat_error *err)
{
	bool ok = true;

	tdat_error_reset(err);
	if (g->combinations.count)
		start_anew(g);
	while (ok && r->stream.release && (g->all || g->combinations.count < COMBINATIONS_MOST) &&
	       sql_rows_batch(r, err))
		ok = take_batch(g, r);
	ok = ok && put_in_order(g);
	return ok ? err->status : tdat_error_no_memory(err, "the groups of a query");
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
	free(g->at);
	free(g->sums);
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

/* A number of a combination: a count, a sum or a part of one, or a bound. */
bool sql_group_fold(const struct sql_group *g, size_t combination, size_t column,
		    struct sqlite_value *v)
{
	const struct fold_value *f = &g->fold->values[column - g->table_columns];
	const uint32_t at = g->order[combination];
	const struct group_sum *s = NULL;
	int64_t high;

	if (f->kind == FOLD_PART)
		sql_group_value(g, combination, column, v);
	if (!sql_fold_is_sum(f->kind) && f->kind != FOLD_ROWS)
		return true;
	v->kind = SQLITE_V_INT;
	v->number = (int64_t)g->counts[at];
	if (f->kind == FOLD_ROWS)
		return true;
	s = &g->sums[at * g->measure_count + find_measure(g, f->column)];
	high = s->high + (int64_t)(s->low >> 32);
	if (f->kind == FOLD_COUNT)
		v->number = (int64_t)s->count;
	else if (!s->count)
		v->kind = SQLITE_V_NULL;
	else if (f->kind == FOLD_LEAST)
		v->number = s->least;
	else if (f->kind == FOLD_GREATEST)
		v->number = s->greatest;
	else if (f->kind == FOLD_HIGH)
		v->number = high;
	else if (f->kind == FOLD_LOW)
		v->number = (uint32_t)s->low;
	else
		v->number = (int64_t)((uint64_t)high << 32 | (uint32_t)s->low);
	return f->kind != FOLD_SUM || (high >= INT32_MIN && high <= INT32_MAX);
}
