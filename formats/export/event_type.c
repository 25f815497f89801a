/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the texts around the values of an event type. These are the head of each line and the
 * keys of each field, escaped once; export_cell() then writes only values. If the output has
 * one list of columns (CSV), the columns of a further format are matched by name.
 */
#include "event_type.h"

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/json_text.h"

/* Takes the bytes out of b, which is freed; NULL: no memory. */
static char *take(struct tdat_build *b, size_t *len)
{
	char *p = NULL;

	tdat_build_u8(b, '\0');
	if (!b->failed) {
		p = (char *)b->ptr;
		*len = b->len - 1;
		b->ptr = NULL;
	}
	tdat_build_fini(b);
	return p;
}

/* Makes the text with system and event that each line of the type has. False: no memory. */
static bool make_head(struct export_type *t)
{
	const char *system = tdat_event_format_system(t->cells->format);
	const char *name = tdat_event_format_name(t->cells->format);
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_build_str(&b, ",\"system\":");
	tdat_json_quoted(&b, system, strlen(system));
	tdat_build_str(&b, ",\"event\":");
	tdat_json_quoted(&b, name, strlen(name));
	t->head = take(&b, &t->head_len);
	return t->head;
}

/* Makes the keys of all fields in one text; key_ends[i] is where the key of field i ends. */
static bool make_keys(struct export_type *t)
{
	struct tdat_build b;
	size_t len;

	t->key_ends = calloc(t->cells->column_count + 1, sizeof(*t->key_ends));
	if (!t->key_ends)
		return false;
	tdat_build_init(&b, false);
	for (size_t i = 0; i < t->cells->column_count; i++) {
		const char *name = t->cells->columns[i];

		tdat_build_str(&b, i ? "," : "");
		tdat_json_quoted(&b, name, strlen(name));
		tdat_build_u8(&b, ':');
		t->key_ends[i] = b.len;
	}
	/* Keys are copied EXPORT_KEY_COPY bytes at a time, which may read past the last one. */
	tdat_build_fill(&b, 0, EXPORT_KEY_COPY);
	t->keys = take(&b, &len);
	return t->keys;
}

/* Makes the texts of an event type; cells must live as long as it. */
enum tdat_status export_type_new(struct export_type **out, const struct tdat_cell_type *cells,
				 struct tdat_error *err)
{
	struct export_type *t = calloc(1, sizeof(*t));

	*out = NULL;
	if (!t)
		return tdat_error_no_memory(err, "an event");
	t->cells = cells;
	if (!make_head(t) || !make_keys(t)) {
		export_type_free(t);
		return tdat_error_no_memory(err, "an event");
	}
	*out = t;
	return TDAT_OK;
}

void export_type_free(void *type)
{
	struct export_type *t = type;

	if (!t)
		return;
	free(t->columns);
	free(t->key_ends);
	free(t->keys);
	free(t->head);
	free(t);
}

/* ---- columns of another format ---- */

/* Column of a format by name; at: its index. */
struct named {
	const char *name;
	size_t at;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * Matches the columns of another format to those of the output, by name. t->columns: index + 1 for
 * each output column; 0: missing.
 */
enum tdat_status export_type_match(struct export_type *t, const struct tdat_cell_type *output,
				   struct tdat_error *err)
{
	const size_t count = t->cells->column_count;
	struct named *sorted = calloc(count + 1, sizeof(*sorted));

	t->columns = calloc(output->column_count + 1, sizeof(*t->columns));
	if (!sorted || !t->columns) {
		free(sorted);
		return tdat_error_no_memory(err, "an event");
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct named){t->cells->columns[i], i};
	qsort(sorted, count, sizeof(*sorted), by_name);
	for (size_t i = 0; i < output->column_count; i++) {
		const struct named key = {output->columns[i], 0};
		const struct named *found = bsearch(&key, sorted, count, sizeof(key), by_name);

		t->columns[i] = found ? found->at + 1 : 0;
	}
	free(sorted);
	return TDAT_OK;
}
