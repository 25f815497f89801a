/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a reader of tables: where events go, the iterator that gives them, what decodes them.
 * For each event id a route says which tables take it, and in which format. Events that no
 * table takes are dropped in their streams. A type costs one route until its first event comes
 * (reader.c, resolve).
 */
#include <stdlib.h>
#include <string.h>

#include "derived_pass.h"
#include "core/search.h"
#include "reader.h"
#include "reader_state.h"

/* Events that are taken at once; fewer where each may have a long text. */
enum { TAKE = 2048, TAKE_LINES = 64 };

/* Rows of a batch by default. */
enum { BATCH_ROWS = 65536 };

/*
 * Makes a route for each format of the table's event type. All share the list of the first one, so
 * that rows stay in order of time. False: no memory.
 */
static bool add_routes(struct reader *r, struct reader_table *t)
{
	const struct trace_table *facts = &r->trace->facts[t->choice->table->index];

	t->first_route = r->route_count;
	for (size_t i = 0; i < facts->format_count; i++) {
		const uint32_t input = facts->formats[i].input, id = facts->formats[i].id;

		/* If formats share an id, only one of them reads the file's events. */
		if (!file_format_reads(r->trace->inputs[input].file, facts->formats[i].index, id))
			continue;
		if (!r->by_id[input]) {
			r->by_id[input] = calloc(FILE_ID_COUNT, sizeof(**r->by_id));
			if (!r->by_id[input])
				return false;
		}
		r->routes[r->route_count] = (struct reader_route){
			.table = t, .input = input, .id = id, .list = (uint32_t)t->first_route};
		r->routes[t->first_route].has_others = t->route_count++ > 0;
		r->by_id[input][id] = (uint32_t)++r->route_count;
		r->ids[input][id / 8] |= (uint8_t)(1u << (id & 7));
	}
	return true;
}

/* Makes the routes of all tables, and bit sets of the ids that they take. False: no memory. */
static bool make_routes(struct reader *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->table_count; i++)
		n += r->trace->facts[r->tables[i].choice->table->index].format_count;
	r->routes = calloc(n + 1, sizeof(*r->routes));
	r->touched = calloc(n + 1, sizeof(*r->touched));
	r->by_id = calloc(r->trace->input_count + 1, sizeof(*r->by_id));
	r->ids = calloc(r->trace->input_count + 1, sizeof(*r->ids));
	if (!r->routes || !r->touched || !r->by_id || !r->ids)
		return false;
	for (size_t i = 0; i < r->trace->input_count; i++) {
		r->ids[i] = calloc(1, FILE_ID_COUNT / 8);
		if (!r->ids[i])
			return false;
	}
	for (size_t i = 0; i < r->table_count; i++) {
		struct reader_table *t = &r->tables[i];

		if (t->choice->table->kind == TDAT_TABLE_EVENT && !add_routes(r, t))
			return false;
		if (t->choice->table->kind == TDAT_TABLE_EVENTS)
			r->events = t;
		if (t->choice->table->kind == TDAT_TABLE_LOST)
			r->lost = t;
	}
	return true;
}

static void free_ids(struct reader *r)
{
	for (size_t i = 0; r->ids && i < r->trace->input_count; i++)
		free(r->ids[i]);
	free(r->ids);
	r->ids = NULL;
}

/* True if events of all types are wanted: then no stream need check ids. */
static bool wants_all(const struct reader *r)
{
	size_t n = 0;

	if (r->derived)
		return false;

	for (size_t i = 0; i < r->table_count; i++)
		n += r->tables[i].choice->table->kind == TDAT_TABLE_EVENT;
	for (size_t i = 0; i < r->trace->table_count; i++)
		n -= r->trace->tables[i].kind == TDAT_TABLE_EVENT;
	return !n || r->events || r->lost;
}

/* Copies and sorts the pids, since filters search them for each event. */
static enum tdat_status sort_pids(struct reader *r, const struct tdat_table_opts *opts,
				  struct tdat_error *err)
{
	if (!opts->pids)
		return TDAT_OK;
	r->pids = calloc(opts->pid_count + 1, sizeof(*r->pids));
	if (!r->pids)
		return tdat_error_no_memory(err, "a list of pids");
	memcpy(r->pids, opts->pids, opts->pid_count * sizeof(*r->pids));
	qsort(r->pids, opts->pid_count, sizeof(*r->pids), tdat_by_s32);
	r->pid_set = (struct model_pid_set){r->pids, opts->pid_count};
	return TDAT_OK;
}

/* Derived tables choose rows themselves: only what no row of them needs is left out. */
static void narrow_derived(struct reader *r, struct tdat_iter_opts *opts,
			   struct read_iter_extra *extra)
{
	const struct derived_need need = derived_pass_need(r->derived);

	/* Without other tables reading may end early (derived_pass_done). */
	r->only_derived = !r->route_count && !r->events && !r->lost;
	derived_pass_ids(r->derived, r->ids);
	opts->filter = derived_pass_filter(r->derived);
	opts->cpus = need.cpus;
	opts->cpu_count = need.cpus ? need.cpu_count : 0;
	extra->ask_format = true;
	/* A loss matters to intervals even if the event behind it is not wanted. */
	extra->on_gap = derived_pass_gap;
	extra->gap_ctx = r->derived;
	extra->span = (struct read_span){need.has_from, need.from, INT64_MAX};
	/* The span only skips pages: it is the earliest time that some row may need. */
	extra->span_of_pages = true;
	extra->pids = need.pids;
}

/*
 * Makes the iterator with all restrictions that no table forbids. None is made if no table needs
 * events.
 */
static enum tdat_status make_iter(struct reader *r, const struct reader_span *span,
				  struct tdat_error *err)
{
	struct tdat_iter_opts opts = trace_iter_opts(r->trace);
	struct read_iter_extra extra = {.cuts = span->cuts,
					.first = span->first,
					.end = span->end,
					.is_cancelled = span->opts->is_cancelled,
					.cancel_ctx = span->opts->cancel_ctx};
	enum tdat_status st;

	if (!r->route_count && !r->events && !r->lost && !r->derived)
		return TDAT_OK;
	opts.filter = span->opts->filter;
	opts.cpus = span->opts->cpus;
	opts.cpu_count = span->opts->cpu_count;
	/* No set of ids: all are taken. */
	if (wants_all(r))
		free_ids(r);
	/* The span is empty: without an iterator there are no rows. */
	if (span->opts->has_span && span->opts->from_ts > span->opts->to_ts)
		return TDAT_OK;
	extra.span = (struct read_span){span->opts->has_span, (uint64_t)span->opts->from_ts,
					(uint64_t)span->opts->to_ts};
	extra.pids = r->pids ? &r->pid_set : NULL;
	if (r->derived)
		narrow_derived(r, &opts, &extra);
	extra.ids = (const uint8_t *const *)r->ids;
	st = read_iter_new(&r->iter, r->trace->iter_inputs, r->trace->input_count, &opts, &extra,
			   err);
	if (st != TDAT_OK)
		return st;
	/* Pages are kept until their events are decoded: see reader_take_released(). */
	r->iter->release = reader_take_released;
	r->iter->release_ctx = r;
	return TDAT_OK;
}

/*
 * Whether tasks' names are needed: the column comm is that of all events, in every table that has
 * one of this name; text is the line that dump prints. Names of plugin state are not kept here.
 */
static bool needs_names(const struct reader *r)
{
	bool names = !r->opts->columns || r->derived;

	for (size_t i = 0; r->opts->columns && i < r->opts->column_count; i++)
		names |= !strcmp(r->opts->columns[i], "comm") ||
			 !strcmp(r->opts->columns[i], "text");
	return names;
}

/* Makes the scratch memory of views, and a printer if a table has the column text. */
static enum tdat_status make_decoder(struct reader *r, struct tdat_error *err)
{
	const struct tdat_trace *t = r->trace;
	enum tdat_status st = model_scratch_new(&r->decoder.scratch, err);

	tdat_build_init(&r->decoder.text, false);
	tdat_error_reset(&r->decoder.err);
	r->decoder.inputs = t->inputs;
	r->take = TAKE;
	for (size_t i = 0; i < r->table_count && st == TDAT_OK; i++) {
		if (!r->tables[i].choice->lines || r->decoder.printer)
			continue;
		/* Lines may be long: fewer events are taken at once. */
		r->take = TAKE_LINES;
		st = tdat_printer_new(&r->decoder.printer, t->iter_inputs, t->input_count, NULL,
				      err);
	}
	return st;
}

/*
 * Makes a reader of count tables. Derived tables share one pass; it is made for the first of them.
 */
enum tdat_status reader_new(struct reader **out, const struct tdat_trace *trace,
			    const struct reader_choice *choices, size_t count,
			    const struct reader_span *span, struct tdat_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	enum tdat_status st = TDAT_E_NOMEM;

	*out = NULL;
	if (!r)
		return tdat_error_no_memory(err, "tables");
	r->trace = trace;
	r->opts = span->opts;
	r->metas = span->metas;
	r->expected = span->expected;
	r->holds = span->holds;
	r->holds_ctx = span->holds_ctx;
	r->batch_rows = span->opts->batch_rows ? span->opts->batch_rows : BATCH_ROWS;
	r->tables = calloc(count + 1, sizeof(*r->tables));
	r->table_count = r->tables ? count : 0;
	for (size_t i = 0; i < r->table_count; i++)
		r->tables[i].choice = &choices[i];
	r->taken = calloc(TAKE, sizeof(*r->taken));
	r->rows = calloc(TAKE, sizeof(*r->rows));
	r->next = calloc(TAKE, sizeof(*r->next));
	if (r->tables && r->taken && r->rows && r->next && make_routes(r))
		st = make_decoder(r, err);
	else
		tdat_error_no_memory(err, "tables");
	if (st == TDAT_OK)
		st = sort_pids(r, span->opts, err);
	for (size_t i = 0; i < r->table_count && st == TDAT_OK && !r->derived; i++)
		if (choices[i].derived && span->metas)
			st = derived_pass_new(&r->derived, trace, r->tables, count, span->opts,
					      r->pids ? &r->pid_set : NULL, err);
	r->names = needs_names(r);
	if (st == TDAT_OK)
		st = make_iter(r, span, err);
	if (st != TDAT_OK) {
		reader_free(r);
		return st;
	}
	*out = r;
	return TDAT_OK;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	/* Pages need not be kept any more. */
	if (r->iter)
		r->iter->release = NULL;
	tdat_iter_free(r->iter);
	derived_pass_free(r->derived);
	reader_put_released(r);
	for (size_t i = 0; i < r->table_count; i++) {
		reader_end_table(&r->tables[i]);
		if (r->tables[i].own)
			reader_choice_fini(r->tables[i].own);
		free(r->tables[i].own);
	}
	for (size_t i = 0; r->by_id && i < r->trace->input_count; i++)
		free(r->by_id[i]);
	free(r->by_id);
	free_ids(r);
	tdat_printer_free(r->decoder.printer);
	model_scratch_free(r->decoder.scratch);
	tdat_build_fini(&r->decoder.text);
	free(r->tables);
	free(r->routes);
	free(r->touched);
	free(r->pids);
	free(r->taken);
	free(r->rows);
	free(r->next);
	free(r->damage);
	free(r);
}
