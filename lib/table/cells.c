/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads values of single events by the schema of their type. Sources of columns are those of
 * tables. A table adds a run of rows; cells return one value. dump --json, CSV, Perfetto, Python
 * and the view use them. The schema is made of one format (schema.c), so values are those of the
 * tables by construction. Each thread has its own cells, as names of numbers are kept in
 * dictionaries beside the columns.
 */
#include <tdat/cells.h>

#include <stdlib.h>

#include "dict.h"
#include "env.h"
#include "field_bytes.h"

/* An event type of one file, made once and kept until the cells are freed. */
struct cell_type {
	struct tdat_cell_type public; /* first: what callers have */
	struct cell_type *next;
	struct table_schema schema;
	/* Symbols and texts of the file that views look up. */
	struct model_env env;
	/* The only one: the schema is made of one format. */
	const struct table_variant *variant;
	/* Names of the columns, which public lends to callers. */
	const char **names;
	struct table_dict *dicts; /* VIEW_NAME: of each column; NULL: there are none */
};

/* One thread's reader of values. Texts that it returns are valid until its next call. */
struct tdat_cells {
	struct cell_type *types;
	struct model_scratch *scratch;
	struct tdat_build text; /* of a view */
};

enum tdat_status tdat_cells_new(struct tdat_cells **out, struct tdat_error *err)
{
	struct tdat_cells *c = calloc(1, sizeof(*c));
	enum tdat_status st;

	*out = NULL;
	if (!c)
		return tdat_error_no_memory(err, "values of events");
	tdat_build_init(&c->text, false);
	st = model_scratch_new(&c->scratch, err);
	if (st != TDAT_OK) {
		tdat_cells_free(c);
		return st;
	}
	*out = c;
	return TDAT_OK;
}

static void free_type(struct cell_type *t)
{
	for (size_t i = 0; t->dicts && i < t->schema.count; i++)
		table_dict_fini(&t->dicts[i]);
	free(t->dicts);
	free(t->names);
	table_schema_fini(&t->schema);
	free(t);
}

void tdat_cells_free(struct tdat_cells *c)
{
	struct cell_type *t;

	if (!c)
		return;
	while ((t = c->types)) {
		c->types = t->next;
		free_type(t);
	}
	tdat_build_fini(&c->text);
	model_scratch_free(c->scratch);
	free(c);
}

/* ---- types ---- */

/*
 * Makes a dictionary for each column if any column has names of numbers. Others stay empty, so
 * that the column's number is the index. False: no memory.
 */
static bool make_dicts(struct cell_type *t)
{
	size_t names = 0;

	for (size_t i = 0; i < t->schema.count; i++)
		names += table_variant_source(t->variant, i)->decode == TABLE_D_VIEW_NAME;
	if (!names)
		return true;
	t->dicts = calloc(t->schema.count, sizeof(*t->dicts));
	for (size_t i = 0; t->dicts && i < t->schema.count; i++)
		table_dict_init(&t->dicts[i]);
	return t->dicts;
}

/*
 * Finds the columns of the format. def asks for fields only: callers print time, CPU and task on
 * their own.
 */
static enum tdat_status init_type(struct cell_type *t, struct tdat_file *file,
				  const struct tdat_event_format *format, struct tdat_error *err)
{
	const struct table_schema_def def = {.fields = true};
	const struct table_format one = {0, format, &t->env};
	enum tdat_status st = table_env_init(&t->env, file, err);

	if (st == TDAT_OK)
		st = table_schema_init(&t->schema, &def, &one, 1, err);
	if (st != TDAT_OK)
		return st;
	t->variant = t->schema.variants;
	t->names = calloc(t->schema.count + 1, sizeof(*t->names));
	if (!t->names || !make_dicts(t))
		return tdat_error_no_memory(err, "the columns of an event type");
	for (size_t i = 0; i < t->schema.count; i++)
		t->names[i] = t->schema.columns[i].name;
	t->public = (struct tdat_cell_type){format, t->names, t->schema.count};
	return TDAT_OK;
}

enum tdat_status tdat_cells_type(struct tdat_cells *cells, struct tdat_file *file,
				 const struct tdat_event_format *format,
				 const struct tdat_cell_type **type, struct tdat_error *err)
{
	struct cell_type *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*type = NULL;
	if (!t)
		return tdat_error_no_memory(err, "the columns of an event type");
	st = init_type(t, file, format, err);
	if (st != TDAT_OK) {
		free_type(t);
		return st;
	}
	t->next = cells->types;
	cells->types = t;
	*type = &t->public;
	return TDAT_OK;
}

/* ---- values ---- */

/* Runs a view and returns its text; ptr is NULL without memory. */
static struct tdat_span run_view(struct tdat_cells *c, const struct cell_type *t,
				 const struct table_source *s, struct tdat_span record)
{
	c->text.len = 0;
	model_view_run(t->variant->views, s->view, record, c->scratch, &c->text);
	if (c->text.failed || !tdat_build_room(&c->text, 1))
		return (struct tdat_span){NULL, 0};
	return (struct tdat_span){c->text.ptr, c->text.len};
}

/* Makes the name of a number that has none yet in the dictionary. False: no memory. */
static bool add_name(struct tdat_cells *c, const struct cell_type *t, const struct table_source *s,
		     struct table_dict *dict, struct tdat_span record, uint64_t key, int32_t *index)
{
	const struct tdat_span text = run_view(c, t, s, record);

	*index = TABLE_DICT_NULL;
	if (!text.ptr)
		return false;
	if (table_dict_is_large(dict))
		table_dict_clear(dict);
	return (!text.len || table_dict_text(dict, text.ptr, text.len, index)) &&
	       table_dict_set_key(dict, key, *index);
}

/*
 * The name that print fmt gives the number in a field, such as a flag or an enum value. Made once
 * per number, since running a view costs far more than a look-up. Null: the record is too short,
 * or there is no name. False: no memory.
 */
static bool get_name(struct tdat_cells *c, const struct cell_type *t, size_t column,
		     struct tdat_span record, struct tdat_cell *cell)
{
	const struct table_source *s = table_variant_source(t->variant, column);
	struct table_dict *dict = &t->dicts[column];
	uint64_t key;
	int32_t index;

	if (!table_load(s->field, record, t->variant->big, &key))
		return true;
	index = table_dict_key(dict, key);
	if (index == TABLE_DICT_NEW && !add_name(c, t, s, dict, record, key, &index))
		return false;
	if (index != TABLE_DICT_NULL) {
		cell->kind = TDAT_CELL_TEXT;
		cell->bytes = table_dict_at(dict, (size_t)index);
	}
	return true;
}

/* Text that depends on more than one number, so no dictionary keeps it. */
static bool get_view_text(struct tdat_cells *c, const struct cell_type *t,
			  const struct table_source *s, struct tdat_span record,
			  struct tdat_cell *cell)
{
	struct tdat_span bytes;

	if (!table_field_bytes(s, record, &bytes))
		return true;
	cell->bytes = run_view(c, t, s, record);
	cell->kind = TDAT_CELL_TEXT;
	return cell->bytes.ptr;
}

/*
 * A part of a record that a shape finds (shapes.c), not a field of the format. The spare byte of
 * room gives an empty text a pointer.
 */
static bool get_part(struct tdat_cells *c, const struct cell_type *t, const struct table_source *s,
		     struct tdat_span record, struct tdat_cell *cell)
{
	c->text.len = 0;
	if (!model_views_part(t->variant->views, s->part, record, c->scratch, &c->text))
		return true;
	tdat_build_room(&c->text, 1);
	cell->kind = s->part->type == RECORD_PART_BYTES	 ? TDAT_CELL_BYTES
		     : s->part->type == RECORD_PART_JSON ? TDAT_CELL_JSON
							 : TDAT_CELL_TEXT;
	cell->bytes = (struct tdat_span){c->text.ptr, c->text.len};
	return !c->text.failed && c->text.ptr;
}

/* An integer of the field, widened with its sign; null if the record ends before it. */
static void get_number(const struct cell_type *t, const struct table_source *s,
		       struct tdat_span record, struct tdat_cell *cell)
{
	if (!table_load(s->field, record, t->variant->big, &cell->number))
		return;
	cell->kind = TDAT_CELL_INT;
	cell->len = (uint8_t)s->field->len;
	cell->is_signed = s->is_signed;
	cell->number = table_number(s, cell->number, s->field->len);
}

static void get_truth(const struct table_source *s, struct tdat_span record, struct tdat_cell *cell)
{
	if (record.len <= s->field->off)
		return;
	cell->kind = TDAT_CELL_BOOL;
	cell->number = record.ptr[s->field->off] != 0;
}

/* The function at an address, with the offset into it as the number. */
static void get_symbol(struct tdat_cells *c, const struct cell_type *t,
		       const struct table_source *s, struct tdat_span record,
		       struct tdat_cell *cell)
{
	uint64_t addr;

	if (!table_load(s->field, record, t->variant->big, &addr))
		return;
	cell->bytes = tdat_cells_symbol(c, &t->public, addr, &cell->number);
	cell->kind = cell->bytes.ptr ? TDAT_CELL_SYMBOL : TDAT_CELL_NULL;
}

static void get_bytes(const struct table_source *s, enum tdat_cell_kind kind,
		      struct tdat_span record, struct tdat_cell *cell)
{
	if (!table_field_bytes(s, record, &cell->bytes))
		return;
	cell->kind = kind;
	/* Text ends at its NUL; bytes after it are padding of the array. */
	if (kind == TDAT_CELL_TEXT && cell->bytes.len)
		cell->bytes.len = strnlen((const char *)cell->bytes.ptr, cell->bytes.len);
}

/* Elements as raw bytes: callers split them by len, and swap them by big. */
static void get_list(const struct cell_type *t, const struct table_source *s,
		     enum tdat_cell_kind kind, struct tdat_span record, struct tdat_cell *cell)
{
	if (kind == TDAT_CELL_BITS ? !table_field_bytes(s, record, &cell->bytes)
				   : !table_array_bytes(s, t->variant->big, record, &cell->bytes))
		return;
	cell->kind = kind;
	cell->len = s->elem_len;
	cell->is_signed = s->is_signed;
	cell->big = t->variant->big;
}

/*
 * Reads the value of one column. Null: the record does not have it. Only a lack of memory is a
 * failure, so that one short record does not end an output.
 */
enum tdat_status tdat_cells_get(struct tdat_cells *cells, const struct tdat_cell_type *type,
				size_t column, struct tdat_span record, struct tdat_cell *cell,
				struct tdat_error *err)
{
	const struct cell_type *t = (const struct cell_type *)type;
	const struct table_source *s = table_variant_source(t->variant, column);
	bool ok = true;

	cell->kind = TDAT_CELL_NULL;
	switch (s->decode) {
	case TABLE_D_NUMBER:
		get_number(t, s, record, cell);
		break;
	case TABLE_D_TRUTH:
		get_truth(s, record, cell);
		break;
	case TABLE_D_STRING:
		get_bytes(s, TDAT_CELL_TEXT, record, cell);
		break;
	case TABLE_D_BYTES:
		get_bytes(s, TDAT_CELL_BYTES, record, cell);
		break;
	case TABLE_D_ARRAY:
		get_list(t, s, TDAT_CELL_INTS, record, cell);
		break;
	case TABLE_D_BITS:
		get_list(t, s, TDAT_CELL_BITS, record, cell);
		break;
	case TABLE_D_SYMBOL:
		get_symbol(cells, t, s, record, cell);
		break;
	case TABLE_D_SYMBOLS:
		get_list(t, s, TDAT_CELL_SYMBOLS, record, cell);
		break;
	case TABLE_D_VIEW_NAME:
		ok = get_name(cells, t, column, record, cell);
		break;
	case TABLE_D_VIEW_TEXT:
		ok = get_view_text(cells, t, s, record, cell);
		break;
	case TABLE_D_PART:
		ok = get_part(cells, t, s, record, cell);
		break;
	default:
		break;
	}
	return ok ? TDAT_OK : tdat_error_no_memory(err, "a value");
}

/*
 * Returns the name of the function that covers addr, and the distance into it; ptr is NULL without
 * a symbol. The cache of the scratch spares most searches.
 */
struct tdat_span tdat_cells_symbol(struct tdat_cells *cells, const struct tdat_cell_type *type,
				   uint64_t addr, uint64_t *off)
{
	const struct cell_type *t = (const struct cell_type *)type;
	uint64_t start = 0;
	const struct tdat_span name = model_symbol_cache_find(model_scratch_names(cells->scratch),
							      t->env.symbols, addr, &start);

	*off = addr - start;
	return name;
}
