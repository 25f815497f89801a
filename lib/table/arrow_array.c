/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes and frees the structs of the Arrow C data interface. Consumers free what they get by
 * calling its release, perhaps on another thread and after the trace is gone. So an array owns
 * its memory, and children can be moved out of it. Nothing here knows columns: builder.c and
 * stream.c fill the structs.
 */
#include "arrow_array.h"

#include <stdlib.h>
#include <string.h>

/* The layouts with the most buffers are text and bytes: validity, offsets, data. */
enum { MOST_BUFFERS = 3 };

/* Memory that an array owns. */
struct array_private {
	/* As consumers see them; those that are NULL in own are borrowed from a builder. */
	const void *buffers[MOST_BUFFERS];
	void *own[MOST_BUFFERS];
	/* Used only if the array has one; its own release frees its memory. */
	struct ArrowArray dictionary;
	struct ArrowArray **children;
	struct ArrowArray *list; /* of the children, which consumers may have moved */
};

/*
 * Frees children first: those that a consumer moved out have no release any more, and are its own.
 * The array's struct belongs to the consumer; only the memory behind it is freed here.
 */
static void release_array(struct ArrowArray *a)
{
	struct array_private *p = a->private_data;

	for (int64_t i = 0; i < a->n_children; i++)
		if (a->children[i]->release)
			a->children[i]->release(a->children[i]);
	if (a->dictionary && a->dictionary->release)
		a->dictionary->release(a->dictionary);
	for (int i = 0; i < MOST_BUFFERS; i++)
		free(p->own[i]);
	free(p->children);
	free(p->list);
	free(p);
	a->release = NULL;
}

/*
 * Makes an array without rows, whose buffers the caller sets with table_array_own() or
 * table_array_borrow(). Children and dictionary are zeroed structs that the caller fills. False:
 * no memory; *a then has no release, as the interface asks of a released array.
 */
bool table_array_init(struct ArrowArray *a, int buffers, int64_t children, bool dictionary)
{
	struct array_private *p = calloc(1, sizeof(*p));

	memset(a, 0, sizeof(*a));
	if (!p)
		return false;
	if (children) {
		p->children = calloc((size_t)children, sizeof(*p->children));
		p->list = calloc((size_t)children, sizeof(*p->list));
		if (!p->children || !p->list) {
			free(p->children);
			free(p->list);
			free(p);
			return false;
		}
		/*
		 * The list stays allocated when consumers move children: a move copies the struct.
		 */
		for (int64_t i = 0; i < children; i++)
			p->children[i] = &p->list[i];
	}
	a->n_buffers = buffers;
	a->buffers = p->buffers;
	a->n_children = children;
	a->children = p->children;
	a->dictionary = dictionary ? &p->dictionary : NULL;
	a->release = release_array;
	a->private_data = p;
	return true;
}

/* Gives the array a buffer of malloc, which its release frees. */
void table_array_own(struct ArrowArray *a, int i, void *buffer)
{
	struct array_private *p = a->private_data;

	p->own[i] = buffer;
	p->buffers[i] = buffer;
}

/* Lends the array a buffer, which must outlive it: its release leaves the buffer alone. */
void table_array_borrow(struct ArrowArray *a, int i, const void *buffer)
{
	struct array_private *p = a->private_data;

	p->buffers[i] = buffer;
}

/* Memory that a schema owns; the lists have one element more than needed, so none has size 0. */
struct schema_private {
	char *format, *name, *metadata;
	struct ArrowSchema dictionary;
	struct ArrowSchema **children;
	struct ArrowSchema *list;
};

static void free_schema(struct schema_private *p)
{
	free(p->format);
	free(p->name);
	free(p->metadata);
	free(p->children);
	free(p->list);
	free(p);
}

static void release_schema(struct ArrowSchema *s)
{
	for (int64_t i = 0; i < s->n_children; i++)
		/* Mirrors release_array(): children that were moved out have no release. */
		if (s->children[i]->release)
			s->children[i]->release(s->children[i]);
	if (s->dictionary && s->dictionary->release)
		s->dictionary->release(s->dictionary);
	free_schema(s->private_data);
	s->release = NULL;
}

/*
 * Copies all texts, so the schema outlives the trace. children and dictionary are zeroed structs
 * that the caller fills. False: no memory.
 */
bool table_schema_struct(struct ArrowSchema *s, const char *format, const char *name,
			 const void *metadata, size_t metadata_len, int64_t children,
			 bool dictionary)
{
	struct schema_private *p = calloc(1, sizeof(*p));

	memset(s, 0, sizeof(*s));
	if (!p)
		return false;
	p->format = strdup(format);
	p->name = strdup(name);
	p->metadata = metadata ? malloc(metadata_len) : NULL;
	p->children = calloc((size_t)children + 1, sizeof(*p->children));
	p->list = calloc((size_t)children + 1, sizeof(*p->list));
	if (!p->format || !p->name || (metadata && !p->metadata) || !p->children || !p->list) {
		free_schema(p);
		return false;
	}
	if (metadata)
		memcpy(p->metadata, metadata, metadata_len);
	for (int64_t i = 0; i < children; i++)
		p->children[i] = &p->list[i];
	s->format = p->format;
	s->name = p->name;
	s->metadata = p->metadata;
	s->n_children = children;
	s->children = p->children;
	s->dictionary = dictionary ? &p->dictionary : NULL;
	s->release = release_schema;
	s->private_data = p;
	return true;
}
