/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds texts of fields, and remembers those of numbers. A name is asked of the print fmt of
 * the event's own format, so that the numbers of each kernel get its own words. Each number is
 * printed once and remembered in a map; texts are shared by the whole pass (derived_intern) and
 * live as long as it.
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "model/field_view.h"

/* Numbers that are remembered; others are printed each time. */
enum { KNOWN_MAX = 1 << 16 };

struct known_name {
	struct tdat_entry head;
	uint64_t key[4]; /* type and field, number, and 1 and that of the other of printed ones */
	const char *text;
};

/*
 * Views are made when the first number of a type comes. names_fini() is needed after a failure,
 * too.
 */
enum tdat_status names_init(struct names *n, struct derived_out *out, struct tdat_error *err)
{
	tdat_entries_init(&n->known, sizeof(struct known_name), 4, KNOWN_MAX);
	n->views = calloc((size_t)derived_type_count(out) + 1, sizeof(struct model_views *));
	if (!n->views)
		return tdat_error_no_memory(err, "names of numbers");
	return prints_init(&n->prints, out, err);
}

void names_fini(struct names *n)
{
	for (uint32_t i = 0; n->views && i < derived_type_count(n->prints.out); i++)
		model_views_free(n->views[i]);
	free(n->views);
	tdat_entries_fini(&n->known);
	prints_fini(&n->prints);
}

/* Prints the name of a number by the print fmt; NULL: it has none. */
static const char *print_number(struct names *n, const struct derived_type *type,
				const struct derived_field *f, struct tdat_span record)
{
	struct model_views **views = &n->views[type->index];
	struct tdat_build *text = &n->prints.text;
	const struct model_view *view;

	if (!*views && model_views_new(views, type->format, type->env, NULL) != TDAT_OK) {
		derived_fail(n->prints.out);
		return NULL;
	}
	view = model_views_find(*views, f->field, MODEL_VIEW_NAME);
	if (!view)
		return NULL;
	text->len = 0;
	model_view_run(*views, view, record, n->prints.scratch, text);
	if (text->failed) {
		derived_fail(n->prints.out);
		return NULL;
	}
	return text->len ? derived_intern(n->prints.out, (struct tdat_span){text->ptr, text->len})
			 : NULL;
}

/* The part of an event's text between two words, for names that no view has. */
static const char *print_between(struct names *n, const struct derived_type *type,
				 const struct names_printed *what, const struct tdat_event *ev)
{
	const struct model_event e = {.record = ev->record, .cpu = ev->cpu, .ts = ev->ts};
	const struct tdat_span text =
		prints_between(&n->prints, type, &e, what->before, what->behind);

	return text.len ? derived_intern(n->prints.out, text) : NULL;
}

/* The name in a field: its text, or the word of its number, which is printed once. */
const char *names_of(struct names *n, const struct derived_type *type, uint32_t field,
		     const struct names_printed *what, const struct tdat_event *ev)
{
	const struct derived_field *f = &type->fields[field];
	const uint64_t key[4] = {(uint64_t)type->index << 8 | field, derived_u64(f, ev->record),
				 what ? derived_u64(&type->fields[what->with], ev->record) : 0,
				 what != NULL};
	struct known_name *k;
	const char *text;

	if (!what && !f->len)
		return derived_intern(n->prints.out, derived_text(f, ev->record));
	k = tdat_entry_find(&n->known, key);
	if (k)
		return k->text;
	text = what ? print_between(n, type, what, ev) : print_number(n, type, f, ev->record);
	k = tdat_entry_get(&n->known, key);
	if (k)
		k->text = text;
	return text;
}
