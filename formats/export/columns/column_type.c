/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the columns of a table from its Arrow schema. The formats of the Arrow C data interface
 * that lib/table makes become a struct column_type with physical size, unit and dictionary;
 * anything else is refused by name. Names and metadata are copied, as the schema may be
 * released.
 */
#include "column_type.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/utf8.h"

/* ---- metadata ---- */

/* Metadata is not aligned. */
static int32_t load_i32(const uint8_t *p)
{
	int32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * Length of metadata; 0: a count or a length in it is negative. The format has no length of its
 * own.
 */
static size_t metadata_len(const uint8_t *p)
{
	const int32_t pairs = load_i32(p);
	size_t len = sizeof(int32_t), i;

	if (pairs < 0)
		return 0;
	for (i = 0; i < 2 * (size_t)pairs; i++) {
		const int32_t n = load_i32(p + len);

		if (n < 0 || !tdat_add_size(len, sizeof(int32_t) + (size_t)n, &len))
			return 0;
	}
	return len;
}

/* Begins to read the pairs of metadata; NULL has none. */
struct metadata_reader metadata_read(const struct column_metadata *m)
{
	const uint8_t *p = m->ptr;

	if (!p)
		return (struct metadata_reader){NULL, 0};
	return (struct metadata_reader){p + sizeof(int32_t), (uint32_t)load_i32(p)};
}

/* Next length and its bytes; metadata_len() has checked all lengths. */
static struct tdat_span next_text(struct metadata_reader *r)
{
	struct tdat_span s = {r->p + sizeof(int32_t), (size_t)load_i32(r->p)};

	r->p += sizeof(int32_t) + s.len;
	return s;
}

/* Returns the next pair; the spans point into the metadata. */
bool metadata_next(struct metadata_reader *r, struct tdat_span *key, struct tdat_span *value)
{
	if (!r->left)
		return false;
	r->left--;
	*key = next_text(r);
	*value = next_text(r);
	return true;
}

/* Copies metadata after checking it; from NULL: there is none. */
static enum tdat_status copy_metadata(struct column_metadata *to, const char *from,
				      struct tdat_error *err)
{
	if (!from)
		return TDAT_OK;
	to->len = metadata_len((const uint8_t *)from);
	if (!to->len)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "metadata of a schema has a negative length");
	to->ptr = malloc(to->len);
	if (!to->ptr)
		return tdat_error_no_memory(err, "the metadata of a table");
	memcpy(to->ptr, from, to->len);
	return TDAT_OK;
}

/* ---- types ---- */

/* Sets the kind; true always, so that calls can be chained. */
static bool set_number(struct column_type *t, enum column_kind kind, uint8_t width, bool is_signed)
{
	t->kind = kind;
	t->width = width;
	t->is_signed = is_signed;
	return true;
}

/* Takes a format of integers: lower case is signed, and letters come by width. */
static bool set_int(struct column_type *t, const char *format)
{
	static const char letters[] = "cCsSiIlL";
	const char *at = format[0] && !format[1] ? strchr(letters, format[0]) : NULL;

	if (!at)
		return false;
	return set_number(t, COLUMN_INT, (uint8_t)(1u << ((at - letters) / 2)),
			  (at - letters) % 2 == 0);
}

/* Takes a format that needs no child. False: another format, or no memory for its zone. */
static bool set_flat(struct column_type *t, const char *format)
{
	if (!strcmp(format, "b"))
		return set_number(t, COLUMN_BOOL, 0, false);
	if (!strcmp(format, "g"))
		return set_number(t, COLUMN_DOUBLE, 8, true);
	if (!strcmp(format, "u"))
		return set_number(t, COLUMN_TEXT, 0, false);
	if (!strcmp(format, "z"))
		return set_number(t, COLUMN_BYTES, 0, false);
	if (!strcmp(format, "tDn"))
		return set_number(t, COLUMN_DURATION, 8, true);
	/* Timestamps in ns; the time zone follows the colon and may be empty. */
	if (!strncmp(format, "tsn:", 4)) {
		if (format[4])
			t->zone = strdup(format + 4);
		return set_number(t, COLUMN_TIMESTAMP, 8, true) && (!format[4] || t->zone);
	}
	return set_int(t, format);
}

/* True if a name is valid UTF-8: formats refuse other names, or write them as they please. */
static bool is_utf8(const char *s)
{
	size_t left = strlen(s), n;
	uint32_t code;

	for (; left; left -= n, s += n) {
		n = tdat_utf8_len(s, left, &code);
		if (!n)
			return false;
	}
	return true;
}

/* Takes a column with a dictionary: integer indices, and entries of text. */
static bool set_dictionary(struct column_type *t, const struct ArrowSchema *s)
{
	if (!set_int(t, s->format) || strcmp(s->dictionary->format, "u"))
		return false;
	t->index_width = t->width;
	t->index_signed = t->is_signed;
	t->dictionary_ordered = s->flags & ARROW_FLAG_DICTIONARY_ORDERED;
	return set_number(t, COLUMN_TEXT, 0, false);
}

/* Takes a list of values that are no lists. */
static bool set_list(struct column_type *t, const struct ArrowSchema *s)
{
	const struct ArrowSchema *item = s->n_children == 1 ? s->children[0] : NULL;

	if (!item || item->dictionary || item->n_children || !set_flat(t, item->format))
		return false;
	t->is_list = true;
	t->item_nullable = item->flags & ARROW_FLAG_NULLABLE;
	t->item_name = strdup(item->name && is_utf8(item->name) ? item->name : "item");
	return t->item_name;
}

/* Reads the type of one column. what: name of the output, for messages. */
static enum tdat_status read_type(struct column_type *t, const struct ArrowSchema *s,
				  const char *what, struct tdat_error *err)
{
	const char *name = s->name ? s->name : "";
	bool known;

	if (!is_utf8(name))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the name of column '%s' is not valid UTF-8", name);
	t->name = strdup(name);
	if (!t->name)
		return tdat_error_no_memory(err, "the columns of a table");
	t->nullable = s->flags & ARROW_FLAG_NULLABLE;
	if (s->dictionary)
		known = set_dictionary(t, s);
	else if (!strcmp(s->format, "+l"))
		known = set_list(t, s);
	else
		known = !s->n_children && set_flat(t, s->format);
	if (!known)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"column '%s' has the Arrow type '%s'%s, which cannot be written to %s",
			name, s->format, s->dictionary ? " as the index of a dictionary" : "",
			what);
	return copy_metadata(&t->metadata, s->metadata, err);
}

/* Reads the types of all columns of a table. On failure nothing need be freed. */
enum tdat_status column_types_init(struct column_types *types, const struct ArrowSchema *schema,
				   const char *what, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i;

	memset(types, 0, sizeof(*types));
	if (strcmp(schema->format, "+s") || schema->n_children < 1)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a table without columns cannot be written to %s", what);
	types->v = calloc((size_t)schema->n_children, sizeof(*types->v));
	if (!types->v)
		return tdat_error_no_memory(err, "the columns of a table");
	types->count = (size_t)schema->n_children;
	for (i = 0; st == TDAT_OK && i < types->count; i++)
		st = read_type(&types->v[i], schema->children[i], what, err);
	if (st == TDAT_OK)
		st = copy_metadata(&types->metadata, schema->metadata, err);
	if (st != TDAT_OK)
		column_types_fini(types);
	return st;
}

void column_types_fini(struct column_types *types)
{
	size_t i;

	for (i = 0; i < types->count; i++) {
		free(types->v[i].name);
		free(types->v[i].item_name);
		free(types->v[i].zone);
		free(types->v[i].metadata.ptr);
	}
	free(types->v);
	free(types->metadata.ptr);
	memset(types, 0, sizeof(*types));
}
