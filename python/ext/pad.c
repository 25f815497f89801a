/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts columns of nulls where a table has columns that nobody reads, so that a reader finds
 * each name at its place. DuckDB binds a query by all columns of a table, and reads few of
 * them. Null columns share no memory with those that are read. Only streams that the SQL layer
 * asks for are padded.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

/*
 * Finds the place of each column of the layout among the columns that are read; -1: it is not read.
 */
bool ext_pad_init(struct ext_pad *p, const struct ext_choice *c)
{
	p->count = c->layout_count;
	p->names = c->layout;
	p->places = calloc(p->count + 1, sizeof(*p->places));
	if (!p->places)
		return false;
	for (size_t i = 0; i < p->count; i++) {
		p->places[i] = -1;
		for (size_t k = 0; k < c->column_count; k++)
			if (!strcmp(c->columns[k], c->layout[i]))
				p->places[i] = (int)k;
	}
	return true;
}

/* ---- schemas ---- */

/*
 * The padded schema, the schema that it was made from, and its columns of nulls in one allocation.
 * Members of the outer schema other than the columns still belong to the inner one.
 */
struct padded_schema {
	struct ArrowSchema inner, **children;
	struct ArrowSchema nulls[];
};

/* The name is the only memory that a null column owns. */
static void release_null_schema(struct ArrowSchema *s)
{
	free(s->private_data);
	s->release = NULL;
}

/*
 * Runs with the outer schema. Columns that the consumer has moved out have release NULL, by Arrow's
 * C data interface.
 */
static void release_schema(struct ArrowSchema *s)
{
	struct padded_schema *own = s->private_data;

	/* Columns that were read are children of the inner schema, which releases them. */
	for (int64_t i = 0; i < s->n_children; i++)
		if (own->nulls[i].release)
			own->nulls[i].release(&own->nulls[i]);
	own->inner.release(&own->inner);
	free(own->children);
	free(own);
	s->release = NULL;
}

/*
 * Wraps a schema in place: the caller's struct becomes the outer one, and the inner moves to the
 * heap.
 */
bool ext_pad_schema(const struct ext_pad *p, struct ArrowSchema *schema)
{
	struct padded_schema *own = calloc(1, sizeof(*own) + p->count * sizeof(own->nulls[0]));

	if (own)
		own->children = calloc(p->count + 1, sizeof(struct ArrowSchema *));
	if (!own || !own->children) {
		free(own);
		schema->release(schema);
		return false;
	}
	/* From here on release_schema frees all of it, also after a failure below. */
	own->inner = *schema;
	schema->children = own->children;
	schema->n_children = (int64_t)p->count;
	schema->private_data = own;
	schema->release = release_schema;
	for (size_t i = 0; i < p->count; i++) {
		struct ArrowSchema *null = &own->nulls[i];

		own->children[i] = p->places[i] < 0 ? null : own->inner.children[p->places[i]];
		if (p->places[i] >= 0)
			continue;
		/* The name is its own, as a consumer may move the column out. */
		null->private_data = strdup(p->names[i]);
		null->name = null->private_data;
		/*
		 * "n" is Arrow's null type: it has no buffers, so a column of any length takes no
		 * memory.
		 */
		null->format = "n";
		null->flags = ARROW_FLAG_NULLABLE;
		null->release = release_null_schema;
		if (!null->name) {
			schema->release(schema);
			return false;
		}
	}
	return true;
}

/* ---- batches ---- */

/* The same for a batch. A null array owns nothing, hence its release only marks it as released. */
struct padded_array {
	struct ArrowArray inner, **children;
	struct ArrowArray nulls[];
};

/*
 * Arrow requires a release callback on each live array; NULL would mean an array already released.
 */
static void release_null_array(struct ArrowArray *a)
{
	a->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
	struct padded_array *own = a->private_data;

	own->inner.release(&own->inner);
	free(own->children);
	free(own);
	a->release = NULL;
}

/* Needs no copy of values: columns that were read are borrowed from the inner batch. */
bool ext_pad_array(const struct ext_pad *p, struct ArrowArray *rows)
{
	struct padded_array *own = calloc(1, sizeof(*own) + p->count * sizeof(own->nulls[0]));

	if (own)
		own->children = calloc(p->count + 1, sizeof(struct ArrowArray *));
	if (!own || !own->children) {
		free(own);
		rows->release(rows);
		return false;
	}
	own->inner = *rows;
	rows->children = own->children;
	rows->n_children = (int64_t)p->count;
	rows->private_data = own;
	rows->release = release_array;
	for (size_t i = 0; i < p->count; i++) {
		struct ArrowArray *null = &own->nulls[i];

		own->children[i] = p->places[i] < 0 ? null : own->inner.children[p->places[i]];
		/* Written for columns that were read as well: nobody sees those null arrays. */
		null->length = rows->length;
		null->null_count = rows->length;
		null->release = release_null_array;
	}
	return true;
}
