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

enum { MOST_BUFFERS = 3 };

/* Memory that an array owns. */
struct array_private {
	const void *buffers[MOST_BUFFERS];
	void *own[MOST_BUFFERS];
	struct ArrowArray dictionary;
	struct ArrowArray **children;
	struct ArrowArray *list; /* of the children, which consumers may have moved */
};

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

void table_array_own(struct ArrowArray *a, int i, void *buffer)
{
	struct array_private *p = a->private_data;

	p->own[i] = buffer;
	p->buffers[i] = buffer;
}

void table_array_borrow(struct ArrowArray *a, int i, const void *buffer)
{
	struct array_private *p = a->private_data;

	p->buffers[i] = buffer;
}

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
		if (s->children[i]->release)
			s->children[i]->release(s->children[i]);
	if (s->dictionary && s->dictionary->release)
		s->dictionary->release(s->dictionary);
	free_schema(s->private_data);
	s->release = NULL;
}

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
