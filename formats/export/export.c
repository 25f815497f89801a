/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs an export: one exporter, its state, and what comes before and behind the events. It is
 * the public interface of <tdat/export.h> above all exporters: options are checked against the
 * exporter's table, events are counted, the exporter's pack step gets batches in order. A
 * failure of any step ends the export with its sentence.
 */
#include <tdat/export.h>

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/opts.h"

/* An export between begin and end. */
struct tdat_export {
	const struct tdat_exporter *exporter;
	void *state; /* NULL: it has ended */
	/* From begin and end of the exporter, for the caller to write. */
	struct tdat_build head, tail;
};

/* True if the exporter's table has the option. */
static bool has_option(const struct tdat_exporter *x, const char *key)
{
	const struct tdat_keyed_option_desc *o;

	for (o = x->options; o && o->key; o++)
		if (!strcmp(o->key, key))
			return true;
	return false;
}

/* Refuses options that the exporter does not have. */
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

/*
 * Checks that an exporter and its functions have all required members: they may be a caller's,
 * compiled against another version.
 */
static enum tdat_status check_sizes(const struct tdat_exporter *x, struct tdat_error *err)
{
	enum tdat_status st =
		tdat_ops_check(x, offsetof(struct tdat_exporter, pack), "tdat_exporter", err);

	if (st == TDAT_OK && x->events)
		st = tdat_ops_check(x->events, offsetof(struct tdat_sink_ops, in_order),
				    "tdat_sink_ops", err);
	if (st == TDAT_OK && x->columns)
		st = tdat_ops_check(x->columns, offsetof(struct tdat_columns_ops, share),
				    "tdat_columns_ops", err);
	return st;
}

/*
 * Begins an export. The head is ready when this returns; the caller frees the export also after a
 * failed run.
 */
enum tdat_status tdat_export_new(struct tdat_export **out, const struct tdat_exporter *exporter,
				 const struct tdat_export_request *request, struct tdat_error *err)
{
	struct tdat_export_request own = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_export *e;
	enum tdat_status st;

	*out = NULL;
	/* The request may be shorter or longer than ours, by version. */
	tdat_opts_copy(&own, sizeof(own), request);
	st = check_sizes(exporter, err);
	if (st == TDAT_OK)
		st = check_options(exporter, &own, err);
	if (st != TDAT_OK)
		return st;
	e = calloc(1, sizeof(*e));
	if (!e)
		return tdat_error_no_memory(err, "an export");
	tdat_build_init(&e->head, false);
	tdat_build_init(&e->tail, false);
	e->exporter = exporter;
	st = exporter->begin(&e->state, &own, &e->head, err);
	if (st == TDAT_OK && e->head.failed)
		st = tdat_error_no_memory(err, "an export");
	if (st != TDAT_OK) {
		tdat_export_free(e);
		return st;
	}
	*out = e;
	return TDAT_OK;
}

/* Gives up the export if it has not ended: end without a tail only frees. */
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

/* For callers that pump events themselves; they must then call the exporter's pack, too. */
const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e)
{
	return e->exporter->events;
}

void *tdat_export_ctx(const struct tdat_export *e)
{
	return e->state;
}

/*
 * Ends the export and returns what goes behind the events. The export stays until
 * tdat_export_free(), as it owns the tail.
 */
enum tdat_status tdat_export_end(struct tdat_export *e, struct tdat_span *tail,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (e->state)
		st = e->exporter->end(e->state, &e->tail, err);
	e->state = NULL;
	*tail = (struct tdat_span){e->tail.ptr, e->tail.len};
	return st == TDAT_OK && e->tail.failed ? tdat_error_no_memory(err, "an export") : st;
}

/* ---- all at once ---- */

/* State of tdat_export_run(). */
struct running {
	struct tdat_export *e;
	tdat_write_fn write;
	void *write_ctx;
	struct tdat_build out;
};

/* Takes output in order: through pack, if the exporter has one, and then to the writer. */
static enum tdat_status take_pieces(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct running *r = ctx;
	enum tdat_status st;

	if (!TDAT_HAS(r->e->exporter, pack))
		return r->write(r->write_ctx, data, len, err);
	r->out.len = 0;
	st = r->e->exporter->pack(r->e->state, (struct tdat_span){data, len}, &r->out, err);
	if (st == TDAT_OK && r->out.failed)
		st = tdat_error_no_memory(err, "an export");
	if (st == TDAT_OK && r->out.len)
		st = r->write(r->write_ctx, r->out.ptr, r->out.len, err);
	return st;
}

/*
 * Exports all events of an iterator: head, events, tail. *events (may be NULL): those exported,
 * also after a failure.
 */
enum tdat_status tdat_export_run(struct tdat_export *e, struct tdat_iter *iter,
				 const struct tdat_pump_opts *opts, tdat_write_fn write,
				 void *write_ctx, uint64_t *events, struct tdat_error *err)
{
	struct running r = {.e = e, .write = write, .write_ctx = write_ctx};
	struct tdat_pump_opts own = TDAT_PUMP_OPTS_INIT;
	enum tdat_status st = TDAT_OK;
	struct tdat_span tail;

	tdat_opts_copy(&own, sizeof(own), opts);
	if (events)
		*events = 0;
	own.events = events;
	tdat_build_init(&r.out, false);
	if (e->head.len)
		st = write(write_ctx, e->head.ptr, e->head.len, err);
	if (st == TDAT_OK)
		st = tdat_pump(iter, e->exporter->events, e->state, &own, take_pieces, &r, err);
	tdat_build_fini(&r.out);
	if (st == TDAT_OK)
		st = tdat_export_end(e, &tail, err);
	if (st == TDAT_OK && tail.len)
		st = write(write_ctx, tail.ptr, tail.len, err);
	return st;
}
