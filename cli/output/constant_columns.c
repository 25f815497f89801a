/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds columns of one text to those of a table. A data set has columns such as file and host in
 * every table. They are added to Arrow schemas and batches without copying the rows. The result is
 * valid until the next call; names that exist already get "trace_" in front. Used by
 * export_lake_file.c.
 */
#include "output/constant_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/utf8.h"

/* Copies a text as UTF-8: each invalid byte becomes U+FFFD. Arrow's format "u" must be valid. */
static char *utf8_of(const char *text)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_build_utf8(&b, text, strlen(text));
	return tdat_build_text(&b);
}

static bool is_taken(const struct ArrowSchema *schema, const char *name)
{
	for (int64_t i = 0; i < schema->n_children; i++)
		if (!strcmp(schema->children[i]->name, name))
			return true;
	return false;
}

/*
 * Returns the name, with "trace_" in front as often as the table has a column of that name. NULL:
 * no memory.
 */
static char *free_name(const struct ArrowSchema *schema, const char *name)
{
	char *made = strdup(name);

	while (made && is_taken(schema, made)) {
		char *longer;

		if (asprintf(&longer, "trace_%s", made) < 0)
			longer = NULL;
		free(made);
		made = longer;
	}
	return made;
}

/* The column is a dictionary of one text, with the index 0 in each row: the text is stored once. */
bool cli_constants_add(struct cli_constants *c, const struct ArrowSchema *schema, const char *name,
		       const char *value)
{
	struct cli_constant *k = &c->v[c->count++];

	k->name = free_name(schema, name);
	k->value = utf8_of(value);
	if (!k->name || !k->value)
		return false;
	k->ends[1] = (int32_t)strlen(k->value);
	k->text_schema = (struct ArrowSchema){.format = "u", .name = ""};
	k->schema =
		(struct ArrowSchema){.format = "i", .name = k->name, .dictionary = &k->text_schema};
	k->text[1] = k->ends;
	k->text[2] = k->value;
	k->text_array = (struct ArrowArray){.length = 1, .n_buffers = 3, .buffers = k->text};
	k->array = (struct ArrowArray){
		.n_buffers = 2, .buffers = k->index, .dictionary = &k->text_array};
	return true;
}

void cli_constants_fini(struct cli_constants *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->v[i].name);
		free(c->v[i].value);
	}
	free(c->zeros);
	free(c->schemas);
	free(c->arrays);
	memset(c, 0, sizeof(*c));
}

/* The schema with the further columns; it borrows those of the table. */
const struct ArrowSchema *cli_constants_schema(struct cli_constants *c,
					       const struct ArrowSchema *schema)
{
	const size_t n = (size_t)schema->n_children;

	c->schemas = calloc(n + c->count + 1, sizeof(struct ArrowSchema *));
	if (!c->schemas)
		return NULL;
	c->schema = *schema;
	for (size_t i = 0; i < n; i++)
		c->schemas[i] = schema->children[i];
	for (size_t i = 0; i < c->count; i++)
		c->schemas[n + i] = &c->v[i].schema;
	c->schema.children = c->schemas;
	c->schema.n_children += (int64_t)c->count;
	return &c->schema;
}

/*
 * A batch with the further columns. All share one array of zeros, which grows with the longest
 * batch.
 */
const struct ArrowArray *cli_constants_rows(struct cli_constants *c, const struct ArrowArray *rows)
{
	/* Children of a struct with an offset need its rows, too. */
	const size_t n = (size_t)rows->n_children, need = (size_t)(rows->offset + rows->length);

	if (!c->arrays)
		c->arrays = calloc(n + c->count + 1, sizeof(struct ArrowArray *));
	if (c->zero_count < need) {
		free(c->zeros);
		c->zeros = calloc(need, sizeof(*c->zeros));
		c->zero_count = c->zeros ? need : 0;
	}
	if (!c->arrays || c->zero_count < need)
		return NULL;
	c->rows = *rows;
	for (size_t i = 0; i < n; i++)
		c->arrays[i] = rows->children[i];
	for (size_t i = 0; i < c->count; i++) {
		c->v[i].index[1] = c->zeros;
		c->v[i].array.length = (int64_t)need;
		c->arrays[n + i] = &c->v[i].array;
	}
	c->rows.children = c->arrays;
	c->rows.n_children += (int64_t)c->count;
	return &c->rows;
}
