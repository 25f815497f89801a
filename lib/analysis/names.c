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
#include "model/print.h"

enum { KNOWN_MAX = 1 << 16 };

struct known_name {
	struct map_key key; /* type and field, number; for printed ones that of the other field */
	const char *text;
};

enum tdat_status names_init(struct names *n, struct derived_out *out, struct tdat_error *err)
{
	n->out = out;
	tdat_build_init(&n->text, false);
	map_init(&n->known, sizeof(struct known_name), KNOWN_MAX);
	n->views = calloc((size_t)derived_type_count(out) + 1, sizeof(struct model_views *));
	n->prints = calloc((size_t)derived_type_count(out) + 1, sizeof(struct model_print *));
	if (!n->views || !n->prints)
		return tdat_error_no_memory(err, "names of numbers");
	return model_scratch_new(&n->scratch, err);
}

void names_fini(struct names *n)
{
	for (uint32_t i = 0; n->views && i < derived_type_count(n->out); i++)
		model_views_free(n->views[i]);
	for (uint32_t i = 0; n->prints && i < derived_type_count(n->out); i++)
		model_print_free(n->prints[i]);
	free(n->views);
	free(n->prints);
	map_fini(&n->known);
	model_scratch_free(n->scratch);
	tdat_build_fini(&n->text);
}

static const char *print_number(struct names *n, const struct derived_type *type,
				const struct derived_field *f, struct tdat_span record)
{
	struct model_views **views = &n->views[type->index];
	const struct model_view *view;

	if (!*views && model_views_new(views, type->format, type->env, NULL) != TDAT_OK) {
		derived_fail(n->out);
		return NULL;
	}
	view = model_views_find(*views, f->field, MODEL_VIEW_NAME);
	if (!view)
		return NULL;
	n->text.len = 0;
	model_view_run(*views, view, record, n->scratch, &n->text);
	if (n->text.failed) {
		derived_fail(n->out);
		return NULL;
	}
	return n->text.len ? derived_intern(n->out, (struct tdat_span){n->text.ptr, n->text.len})
			   : NULL;
}

const char *names_of(struct names *n, const struct derived_type *type, uint32_t field,
		     struct tdat_span record)
{
	const struct derived_field *f = &type->fields[field];
	struct known_name *k;
	uint64_t number;

	if (!f->len)
		return derived_intern(n->out, derived_text(f, record));
	number = derived_u64(f, record);
	k = map_find(&n->known, (uint64_t)type->index << 8 | field, number);
	if (k)
		return k->text;
	k = map_get(&n->known, (uint64_t)type->index << 8 | field, number);
	if (!k)
		return print_number(n, type, f, record);
	k->text = print_number(n, type, f, record);
	return k->text;
}

static const char *print_between(struct names *n, const struct derived_type *type,
				 const struct names_printed *what, const struct tdat_event *ev)
{
	struct model_event e = {.record = ev->record, .cpu = ev->cpu, .ts = ev->ts};
	struct model_print **print = &n->prints[type->index];
	const char *start, *end;

	if (!*print && model_print_new(print, type->format, type->env, MODEL_PRINT_NO_PLUGINS,
				       NULL) != TDAT_OK) {
		derived_fail(n->out);
		return NULL;
	}
	n->text.len = 0;
	model_print_run(*print, &e, n->scratch, &n->text);
	tdat_build_u8(&n->text, '\0');
	if (n->text.failed) {
		derived_fail(n->out);
		return NULL;
	}
	start = strstr((const char *)n->text.ptr, what->before);
	start = start ? start + strlen(what->before) : NULL;
	end = start ? strstr(start, what->behind) : NULL;
	if (!end || end == start)
		return NULL;
	return derived_intern(n->out,
			      (struct tdat_span){(const uint8_t *)start, (size_t)(end - start)});
}

const char *names_find_printed(struct names *n, const struct derived_type *type,
			       const struct names_printed *what, const struct tdat_event *ev)
{
	const uint64_t key[4] = {(uint64_t)type->index << 8 | what->field,
				 derived_u64(&type->fields[what->field], ev->record),
				 derived_u64(&type->fields[what->with], ev->record), 1};
	struct known_name *k = map_find4(&n->known, key);

	if (k)
		return k->text;
	k = map_get4(&n->known, key);
	if (!k)
		return print_between(n, type, what, ev);
	k->text = print_between(n, type, what, ev);
	return k->text;
}
