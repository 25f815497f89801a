/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs an export: one exporter, its state, and what comes before and behind the events. */
#include <tdat/export.h>

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/opts.h"

struct tdat_export {
	const struct tdat_exporter *exporter;
	void *state; /* NULL: it has ended */
	struct tdat_build head, tail;
};

static enum tdat_status no_memory(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to export");
}

static bool has_option(const struct tdat_exporter *x, const char *key)
{
	const struct tdat_keyed_option_desc *o;

	for (o = x->options; o && o->key; o++)
		if (!strcmp(o->key, key))
			return true;
	return false;
}

static enum tdat_status check_options(const struct tdat_exporter *x,
				      const struct tdat_export_request *request,
				      struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < request->option_count; i++)
		if (!has_option(x, request->options[i].key))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "exporter %s has no option '%s'", x->name,
					      request->options[i].key);
	return TDAT_OK;
}

enum tdat_status tdat_export_new(struct tdat_export **out, const struct tdat_exporter *exporter,
				 const struct tdat_export_request *request, struct tdat_error *err)
{
	struct tdat_export_request own = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_export *e;
	enum tdat_status st;

	*out = NULL;
	tdat_opts_copy(&own, sizeof(own), request);
	st = check_options(exporter, &own, err);
	if (st != TDAT_OK)
		return st;
	e = calloc(1, sizeof(*e));
	if (!e)
		return no_memory(err);
	tdat_build_init(&e->head, false);
	tdat_build_init(&e->tail, false);
	e->exporter = exporter;
	st = exporter->begin(&e->state, &own, &e->head, err);
	if (st == TDAT_OK && e->head.failed)
		st = no_memory(err);
	if (st != TDAT_OK) {
		tdat_export_free(e);
		return st;
	}
	*out = e;
	return TDAT_OK;
}

void tdat_export_free(struct tdat_export *e)
{
	if (!e)
		return;
	if (e->state)
		e->exporter->end(e->state, NULL, NULL);
	tdat_build_fini(&e->head);
	tdat_build_fini(&e->tail);
	free(e);
}

struct tdat_span tdat_export_head(const struct tdat_export *e)
{
	return (struct tdat_span){e->head.ptr, e->head.len};
}

const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e)
{
	return e->exporter->events;
}

void *tdat_export_ctx(const struct tdat_export *e)
{
	return e->state;
}

enum tdat_status tdat_export_end(struct tdat_export *e, struct tdat_span *tail,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (e->state)
		st = e->exporter->end(e->state, &e->tail, err);
	e->state = NULL;
	*tail = (struct tdat_span){e->tail.ptr, e->tail.len};
	return st == TDAT_OK && e->tail.failed ? no_memory(err) : st;
}
