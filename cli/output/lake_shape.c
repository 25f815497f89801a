/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the rows of a table the columns of its folder in a data set. Input are Arrow batches of the
 * table, output the same rows in the folder's schema: columns of the same type are lent, integers
 * are widened, and columns that the table does not have are nulls. export_lake_file.c makes a shape
 * for each part, export_parts.c calls it for each batch.
 */
#include "output/lake_shape.h"

#include <stdlib.h>
#include <string.h>

/* The schema of a column, which is needed until the part is begun. */
struct shaped_schema {
	char *metadata;
	struct ArrowSchema schema, item, *items;
};

/* The array of a column that is not lent. */
struct shaped_array {
	struct ArrowArray array, item, text, *items;
	const void *buffers[3], *item_buffers[2], *text_buffers[3];
	uint8_t *numbers; /* widened */
	size_t cap;	  /* bytes of numbers */
};

/* A column of the folder, and what its rows are made of. */
struct shaped {
	const struct lake_column *column;
	int64_t source; /* the table's column; -1: none */
	bool list, source_signed;
	uint8_t len, source_len;   /* bytes of an integer that is widened; 0: it is not */
	struct shaped_array *made; /* NULL: the table's array is lent */
};

/* Thousands of parts may be open at once, each with a shape. */
struct lake_shape {
	struct shaped *v;
	size_t count;
	struct shaped_schema *made; /* of each column; NULL: not needed any more */
	struct ArrowSchema schema, **schemas;
	struct ArrowArray rows, **arrays;
	uint8_t *zeros; /* values and validity of columns of nulls */
	size_t zero_len;
};

/* ---- the schema ---- */

static void put_len(char **at, size_t len)
{
	const int32_t n = (int32_t)len;

	memcpy(*at, &n, sizeof(n));
	*at += sizeof(n);
}

/* The metadata of a column: the pair of tdat.field. False: no memory. */
static bool make_metadata(struct shaped_schema *to, const struct lake_column *column)
{
	static const char key[] = "tdat.field";
	const size_t n = column->field ? strlen(column->field) : 0;
	char *at;

	if (!n)
		return true;
	at = to->metadata = malloc(12 + sizeof(key) + n);
	if (!at)
		return false;
	put_len(&at, 1);
	put_len(&at, sizeof(key) - 1);
	memcpy(at, key, sizeof(key) - 1);
	at += sizeof(key) - 1;
	put_len(&at, n);
	memcpy(at, column->field, n);
	return true;
}

/* Finds the column of the table, and how its numbers are widened. */
static void find_source(struct shaped *c, const struct ArrowSchema *table)
{
	char type[LAKE_TYPE_LEN] = "";
	bool is_signed;

	if (c->source >= 0)
		lake_type_of(table->children[c->source], false, type);
	if (c->source < 0 || !strcmp(type, c->column->type))
		return;
	c->len = (uint8_t)lake_int_len(c->column->type, &is_signed);
	c->source_len = (uint8_t)lake_int_len(type, &c->source_signed);
}

static bool make_schema(struct shaped_schema *to, const struct lake_column *column, bool *list)
{
	const char *format = lake_type_format(column->type, list);

	/* The exporter makes decimals of numbers of 64 bits without a sign. */
	if (!strcmp(format, "d"))
		format = "L";
	to->item = (struct ArrowSchema){.format = format, .name = "item"};
	to->items = &to->item;
	to->schema = (struct ArrowSchema){.format = *list ? "+l" : format,
					  .name = column->name,
					  .flags = column->nullable ? ARROW_FLAG_NULLABLE : 0,
					  .n_children = *list,
					  .children = *list ? &to->items : NULL};
	if (!strcmp(column->type, "dictionary")) {
		to->item = (struct ArrowSchema){.format = "u", .name = ""};
		to->schema.dictionary = &to->item;
	}
	if (!make_metadata(to, column))
		return false;
	to->schema.metadata = to->metadata;
	return true;
}

/* Makes what a column needs of its own. False: no memory. */
static bool make_column(struct shaped *c, struct shaped_schema *schema,
			const struct ArrowSchema *table)
{
	find_source(c, table);
	if (c->source < 0 || c->len) {
		c->made = calloc(1, sizeof(*c->made));
		if (!c->made)
			return false;
		c->made->items = &c->made->item;
	}
	return make_schema(schema, c->column, &c->list);
}

static void free_schemas(struct lake_shape *s)
{
	for (size_t i = 0; s->made && i < s->count; i++)
		free(s->made[i].metadata);
	free(s->made);
	free(s->schemas);
	s->made = NULL;
	s->schemas = NULL;
}

struct lake_shape *lake_shape_new(const struct lake_schema *lake, const struct lake_folder *folder,
				  const struct ArrowSchema *table)
{
	struct lake_shape *s = calloc(1, sizeof(*s));
	struct lake_match m;
	bool ok;

	if (!s)
		return NULL;
	s->v = calloc(folder->count, sizeof(*s->v));
	s->made = calloc(folder->count, sizeof(*s->made));
	s->schemas = calloc(folder->count, sizeof(struct ArrowSchema *));
	s->arrays = calloc(folder->count, sizeof(struct ArrowArray *));
	ok = lake_match_init(&m, lake, folder, table) && s->v && s->made && s->schemas && s->arrays;
	s->count = ok ? folder->count : 0;
	for (size_t i = 0; ok && i < s->count; i++) {
		s->v[i].column = &folder->columns[i];
		s->v[i].source = m.source[i];
		ok = make_column(&s->v[i], &s->made[i], table);
		s->schemas[i] = &s->made[i].schema;
	}
	lake_match_fini(&m);
	if (ok)
		return s;
	lake_shape_free(s);
	return NULL;
}

void lake_shape_free(struct lake_shape *s)
{
	if (!s)
		return;
	free_schemas(s);
	for (size_t i = 0; i < s->count; i++) {
		if (s->v[i].made)
			free(s->v[i].made->numbers);
		free(s->v[i].made);
	}
	free(s->v);
	free(s->arrays);
	free(s->zeros);
	free(s);
}

const struct ArrowSchema *lake_shape_schema(struct lake_shape *s, const struct ArrowSchema *table)
{
	s->schema = *table;
	s->schema.children = s->schemas;
	s->schema.n_children = (int64_t)s->count;
	return &s->schema;
}

/* ---- rows ---- */

/* Zeros for so many rows of 8 bytes, and an offset more. False: no memory. */
static bool need_zeros(struct lake_shape *s, size_t rows)
{
	const size_t len = 8 * (rows + 1);

	if (s->zero_len >= len)
		return true;
	free(s->zeros);
	s->zeros = calloc(len, 1);
	s->zero_len = s->zeros ? len : 0;
	return s->zeros;
}

/* Rows that are all null: each buffer is zeros, as a bitmap, numbers and offsets. */
static void all_null(struct shaped *c, const struct lake_shape *s, size_t rows)
{
	const bool text = !strcmp(c->column->type, "text") || !strcmp(c->column->type, "binary");
	const bool texts = !strcmp(c->column->type, "list<text>");
	struct shaped_array *a = c->made;

	a->buffers[0] = a->buffers[1] = a->buffers[2] = s->zeros;
	a->item_buffers[1] = a->text_buffers[1] = a->text_buffers[2] = s->zeros;
	a->array = (struct ArrowArray){.length = (int64_t)rows,
				       .null_count = (int64_t)rows,
				       .n_buffers = text ? 3 : 2,
				       .buffers = a->buffers};
	a->item = (struct ArrowArray){.n_buffers = texts ? 3 : 2,
				      .buffers = texts ? a->text_buffers : a->item_buffers};
	a->array.n_children = c->list;
	a->array.children = c->list ? &a->items : NULL;
	/* A dictionary of one empty text. */
	a->text = (struct ArrowArray){.length = 1, .n_buffers = 3, .buffers = a->text_buffers};
	a->array.dictionary = strcmp(c->column->type, "dictionary") ? NULL : &a->text;
}

static uint64_t load(const uint8_t *p, unsigned len, bool is_signed)
{
	uint8_t v8;
	uint16_t v16;
	uint32_t v32;

	switch (len) {
	case 1:
		memcpy(&v8, p, 1);
		return is_signed ? (uint64_t)(int8_t)v8 : v8;
	case 2:
		memcpy(&v16, p, 2);
		return is_signed ? (uint64_t)(int16_t)v16 : v16;
	default:
		memcpy(&v32, p, 4);
		return is_signed ? (uint64_t)(int32_t)v32 : v32;
	}
}

static void store(uint8_t *p, uint64_t v, unsigned len)
{
	const uint16_t v16 = (uint16_t)v;
	const uint32_t v32 = (uint32_t)v;

	memcpy(p, len == 2 ? (const void *)&v16 : len == 4 ? (const void *)&v32 : &v, len);
}

/* Widens the numbers of an array from its start on, as rows may begin behind it. */
static bool widen(struct shaped *c, const struct ArrowArray *from, struct ArrowArray *to,
		  const void **buffers)
{
	const size_t count = (size_t)(from->offset + from->length);
	const uint8_t *numbers = from->buffers[1];
	struct shaped_array *a = c->made;

	if (a->cap < count * c->len) {
		free(a->numbers);
		a->numbers = malloc(count * c->len);
		a->cap = a->numbers ? count * c->len : 0;
	}
	if (count && !a->numbers)
		return false;
	for (size_t i = 0; i < count; i++)
		store(a->numbers + i * c->len,
		      load(numbers + i * c->source_len, c->source_len, c->source_signed), c->len);
	*to = *from;
	buffers[0] = from->buffers[0];
	buffers[1] = a->numbers;
	to->buffers = buffers;
	return true;
}

static bool shape_column(struct lake_shape *s, struct shaped *c, const struct ArrowArray *rows,
			 struct ArrowArray **out)
{
	struct ArrowArray *from = c->source < 0 ? NULL : rows->children[c->source];
	struct shaped_array *a = c->made;

	*out = a ? &a->array : from;
	if (!a)
		return true;
	if (!from) {
		if (!need_zeros(s, (size_t)(rows->offset + rows->length)))
			return false;
		all_null(c, s, (size_t)(rows->offset + rows->length));
		return true;
	}
	if (!c->list)
		return widen(c, from, &a->array, a->buffers);
	a->array = *from;
	a->array.children = &a->items;
	return widen(c, from->children[0], &a->item, a->item_buffers);
}

const struct ArrowArray *lake_shape_rows(struct lake_shape *s, const struct ArrowArray *rows)
{
	bool ok = true;

	/* The part was begun: its exporter has a copy. */
	free_schemas(s);
	s->rows = *rows;
	for (size_t i = 0; ok && i < s->count; i++)
		ok = shape_column(s, &s->v[i], rows, &s->arrays[i]);
	s->rows.children = s->arrays;
	s->rows.n_children = (int64_t)s->count;
	return ok ? &s->rows : NULL;
}
