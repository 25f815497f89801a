/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Distributes events to tables, and gives out batches of their rows. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "arrow_array.h"
#include "derived_pass.h"
#include "meta.h"

/* Events that are taken at once; fewer where each may have a long text. */
enum { TAKE = 2048, TAKE_LINES = 64 };

/* Rows of a batch by default, and the bytes at which a batch ends before. */
enum { BATCH_ROWS = 65536, BATCH_LEN = 4 << 20 };

/* Bytes that the rows of all tables may take before all of them are given out. */
enum { ROWS_LEN = 16 << 20 };

/* Bytes of pages that may be held while events are taken. */
enum { HELD_LEN = 4 << 20 };

/*
 * Where events of one format go: a table, and how it decodes them. All formats of a table, of
 * several inputs or of one, have one list of events, that of the table's first route, so that its
 * rows stay in order.
 */
struct route {
	struct reader_table *table;
	uint32_t input, id;
	const struct table_variant *variant; /* NULL: no event came yet, or the format is broken */
	uint32_t list;			     /* the route that has the list */
	bool has_others;	     /* of the one with the list: the table has further formats */
	uint32_t first, last, count; /* the events that were taken: a list */
};

struct reader {
	const struct tdat_trace *trace;
	const struct tdat_table_opts *opts;
	struct reader_table *tables;
	size_t table_count;
	struct tdat_iter *iter;
	struct table_decoder decoder;
	size_t take, batch_rows;
	_Atomic(uint32_t) *expected; /* as in struct reader_span, as is holds */
	void (*holds)(void *ctx, size_t size);
	void *holds_ctx;

	struct route *routes;
	size_t route_count;
	uint32_t **by_id; /* by input and id: index of the route + 1; NULL: of no input */
	int32_t *pids;	  /* those of the options, in rising order */
	struct model_pid_set pid_set;
	uint8_t **ids; /* the same as bits, for the iterator; NULL: all ids are wanted */
	struct reader_table *events, *lost; /* NULL: not wanted */
	struct derived_pass *derived;	    /* NULL: no derived table is wanted */

	struct tdat_event *taken;
	const struct tdat_event **rows;
	uint32_t *next;	   /* of the lists of routes */
	uint32_t *touched; /* routes that got events */
	struct read_block *released;
	size_t released_len;

	size_t flush_at; /* tables up to here were given out of those that are to be */
	bool any_full;	 /* a table may have a batch */
	size_t rows_len; /* bytes of the rows of all tables */
	size_t size;	 /* bytes of memory of all tables */
	bool flushing, ended;
	struct reader_table *given; /* its rows are cleared at the next call */
	size_t next_meta;
	bool metas, only_derived;
	bool names; /* of tasks are needed */
};

/* ---- rows ---- */

bool reader_start_table(struct reader_table *t)
{
	const struct reader_choice *c = t->choice;

	t->builders = calloc(c->column_count + 1, sizeof(*t->builders));
	if (!t->builders)
		return false;
	for (size_t i = 0; i < c->column_count; i++)
		if (!table_builder_init(&t->builders[i], &c->all[c->columns[i]]))
			return false;
	return true;
}

static void free_builders(struct reader_table *t)
{
	for (size_t i = 0; t->builders && i < t->choice->column_count; i++)
		table_builder_fini(&t->builders[i]);
	free(t->builders);
	t->builders = NULL;
}

static enum tdat_status no_memory(const struct reader_table *t, struct tdat_error *err)
{
	return tdat_error_no_memory(err, t->choice->table->name);
}

/* Bytes of the rows, and in *size those of memory with the builders. */
static size_t builders_len(const struct reader_table *t, size_t *size)
{
	size_t n = 0;

	*size = 0;
	for (size_t i = 0; t->builders && i < t->choice->column_count; i++) {
		n += table_builder_len(&t->builders[i]);
		*size += sizeof(t->builders[i]) + table_builder_size(&t->builders[i]);
	}
	return n;
}

static bool is_full(const struct reader *r, const struct reader_table *t)
{
	return t->rows >= r->batch_rows || t->len >= BATCH_LEN;
}

/* Keeps account of rows that a table got. */
static void count_rows(struct reader *r, struct reader_table *t)
{
	r->rows_len -= t->len;
	r->size -= t->size;
	t->len = builders_len(t, &t->size);
	r->rows_len += t->len;
	r->size += t->size;
	r->any_full |= is_full(r, t);
}

/* Gives a table builders that make room for as many rows as the table had elsewhere. */
static bool start_expected(struct reader *r, struct reader_table *t)
{
	if (!reader_start_table(t))
		return false;
	for (size_t i = 0; r->expected && i < t->choice->column_count; i++)
		t->builders[i].expected =
			atomic_load_explicit(&r->expected[t - r->tables], memory_order_relaxed);
	return true;
}

/* Adds rows of events of one input and one format. */
static enum tdat_status add_rows(struct reader *r, struct reader_table *t,
				 const struct table_variant *v,
				 const struct tdat_event *const *events, size_t count,
				 struct tdat_error *err)
{
	if (!t->builders && !start_expected(r, t))
		return no_memory(t, err);
	for (size_t at = 0, n; at < count; at += n) {
		n = count - at < TABLE_RUN ? count - at : TABLE_RUN;
		table_decode_begin(&r->decoder, events + at, n);
		for (size_t i = 0; i < t->choice->column_count; i++)
			table_decode(&r->decoder, &t->builders[i], v,
				     table_variant_source(v, t->choice->columns[i]));
	}
	t->rows += count;
	count_rows(r, t);
	if (r->decoder.status != TDAT_OK && err)
		*err = r->decoder.err;
	return r->decoder.status;
}

/* ---- events ---- */

static void take_released(void *ctx, struct read_block *b)
{
	struct reader *r = ctx;

	b->next = r->released;
	r->released = b;
	r->released_len += b->len;
}

static void put_released(struct reader *r)
{
	struct read_block *b;

	while ((b = r->released)) {
		r->released = b->next;
		read_block_put(b);
	}
	r->released_len = 0;
}

/* Takes events up to the size of a batch; *count is 0 at the end. */
static enum tdat_status take(struct reader *r, size_t *count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t n = 0, got = 1;

	while (n < r->take && got && r->released_len < HELD_LEN && st == TDAT_OK) {
		st = read_iter_take_some(r->iter, &r->taken[n], r->take - n < 64 ? r->take - n : 64,
					 &got, err);
		n += st == TDAT_OK ? got : 0;
	}
	if (r->names)
		read_iter_name_some(r->iter, r->taken, n);
	*count = n;
	return st;
}

static void add_to_route(struct reader *r, struct route *route, uint32_t event, size_t *touched)
{
	if (!route->count) {
		route->first = event;
		r->touched[(*touched)++] = (uint32_t)(route - r->routes);
	} else {
		r->next[route->last] = event;
	}
	route->last = event;
	route->count++;
}

/* How an event that a route has taken is decoded. */
static const struct table_variant *variant_of(const struct reader *r, const struct route *route,
					      const struct tdat_event *ev)
{
	if (!route->has_others)
		return route->variant;
	return r->routes[r->by_id[ev->input][ev->id & (FILE_ID_COUNT - 1)] - 1].variant;
}

/* Finds the columns of an event type. */
static enum tdat_status choose_now(struct reader *r, struct reader_table *t, struct tdat_error *err)
{
	enum tdat_status st;

	if (!t->choice->later || t->own)
		return TDAT_OK;
	t->own = calloc(1, sizeof(*t->own));
	if (!t->own)
		return no_memory(t, err);
	st = reader_choose(t->own, r->trace, t->choice->table, r->opts, err);
	if (st == TDAT_OK)
		t->choice = t->own;
	return st;
}

/*
 * Gives the routes of an event type their variants when its first events come. Both are in the
 * order of the type's formats; those without a variant have a broken format.
 */
static enum tdat_status resolve(struct reader *r, struct reader_table *t, struct tdat_error *err)
{
	const enum tdat_status st = choose_now(r, t, err);
	const struct table_schema *s = t->choice->schema;
	size_t k = 0;

	for (size_t i = t->first_route; st == TDAT_OK && i < t->first_route + t->route_count; i++) {
		struct route *route = &r->routes[i];

		if (k < s->variant_count && s->variants[k].format &&
		    s->variants[k].input == route->input && s->variants[k].id == route->id)
			route->variant = &s->variants[k++];
	}
	t->resolved = st == TDAT_OK;
	return st;
}

/* Decodes the events of a list: those that follow each other in one format at once. */
static enum tdat_status decode_route(struct reader *r, const struct route *route,
				     struct tdat_error *err)
{
	enum tdat_status st = route->table->resolved ? TDAT_OK : resolve(r, route->table, err);
	uint32_t at = route->first, k = 0;

	while (st == TDAT_OK && k < route->count) {
		const struct tdat_event *first = &r->taken[at];
		const struct table_variant *v = variant_of(r, route, first);
		size_t n = 0;

		for (; k < route->count && variant_of(r, route, &r->taken[at]) == v; k++) {
			r->rows[n++] = &r->taken[at];
			at = r->next[at];
		}
		if (v)
			st = add_rows(r, route->table, v, r->rows, n, err);
		else
			/* Counts the ids that no sound format describes. */
			(void)tdat_file_format_by_id(r->decoder.inputs[first->input].file,
						     first->id);
	}
	return st;
}

static enum tdat_status decode_routes(struct reader *r, size_t touched, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < touched; i++) {
		struct route *route = &r->routes[r->touched[i]];

		if (st == TDAT_OK)
			st = decode_route(r, route, err);
		route->count = 0;
	}
	return st;
}

/* The table of all events, or of losses: runs of events of one input. */
static enum tdat_status decode_all(struct reader *r, struct reader_table *t, size_t count,
				   struct tdat_error *err)
{
	const struct table_variant *v = t->choice->schema->variants;
	const bool lost = t == r->lost;
	enum tdat_status st = TDAT_OK;
	size_t i = 0;

	while (i < count && st == TDAT_OK) {
		const uint32_t input = r->taken[i].input;
		size_t n = 0;

		for (; i < count && r->taken[i].input == input; i++)
			if (!lost || r->taken[i].lost_before)
				r->rows[n++] = &r->taken[i];
		if (n)
			st = add_rows(r, t, v, r->rows, n, err);
	}
	return st;
}

static enum tdat_status read_some(struct reader *r, struct tdat_error *err)
{
	size_t count, touched = 0;
	bool lost = false;
	enum tdat_status st = take(r, &count, err);

	r->ended = st == TDAT_OK && !count;
	for (size_t i = 0; r->by_id && i < count; i++) {
		const struct tdat_event *ev = &r->taken[i];
		const uint32_t *by_id = r->by_id[ev->input];
		const uint32_t route = by_id ? by_id[ev->id & (FILE_ID_COUNT - 1)] : 0;

		lost |= ev->lost_before != 0;
		if (route)
			add_to_route(r, &r->routes[r->routes[route - 1].list], (uint32_t)i,
				     &touched);
		else if (!r->ids)
			/* Counts the ids that no sound format describes. */
			(void)tdat_file_format_by_id(r->decoder.inputs[ev->input].file, ev->id);
	}
	if (st == TDAT_OK)
		st = decode_routes(r, touched, err);
	if (st == TDAT_OK && r->events)
		st = decode_all(r, r->events, count, err);
	if (st == TDAT_OK && r->lost && lost)
		st = decode_all(r, r->lost, count, err);
	if (st == TDAT_OK && r->derived)
		st = derived_pass_feed(r->derived, r->taken, count, err);
	if (st == TDAT_OK && r->only_derived && !r->ended)
		r->ended = derived_pass_done(r->derived);
	if (st == TDAT_OK && r->derived && r->ended)
		st = derived_pass_end(r->derived, err);
	for (size_t i = 0; r->derived && i < r->table_count; i++)
		if (r->tables[i].choice->derived)
			count_rows(r, &r->tables[i]);
	put_released(r);
	return st;
}

/* ---- batches ---- */

/* The next table with rows from *at on that are to be given out; NULL: none. */
static struct reader_table *find_full(struct reader *r, size_t *at, bool all)
{
	for (; *at < r->table_count; ++*at) {
		struct reader_table *t = &r->tables[*at];

		if (t->rows && (all || is_full(r, t))) {
			t->last = all;
			return &r->tables[(*at)++];
		}
	}
	return NULL;
}

static void clear_given(struct reader *r)
{
	struct reader_table *t = r->given;

	r->given = NULL;
	if (!t)
		return;
	if (r->expected && t->rows <= UINT32_MAX)
		atomic_store_explicit(&r->expected[t - r->tables], (uint32_t)t->rows,
				      memory_order_relaxed);
	t->rows = 0;
	r->rows_len -= t->len;
	t->len = 0;
	r->size -= t->size;
	t->size = 0;
	/* Of many tables that were flushed for their memory none keeps any. */
	if (r->flushing) {
		free_builders(t);
		return;
	}
	for (size_t i = 0; i < t->choice->column_count; i++)
		table_builder_clear(&t->builders[i]);
}

static enum tdat_status next_meta(struct reader *r, const struct reader_table **full,
				  struct tdat_error *err)
{
	for (; r->metas && r->next_meta < r->table_count; r->next_meta++) {
		struct reader_table *t = &r->tables[r->next_meta];

		if (t->choice->table->kind != TDAT_TABLE_META || t->builders)
			continue;
		if (!reader_start_table(t) ||
		    !meta_fill(r->trace, t->choice, t->builders, &t->rows))
			return no_memory(t, err);
		if (t->rows) {
			*full = r->given = t;
			return TDAT_OK;
		}
	}
	return TDAT_OK;
}

enum tdat_status reader_next(struct reader *r, const struct reader_table **full,
			     struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	clear_given(r);
	*full = NULL;
	st = next_meta(r, full, err);
	while (st == TDAT_OK && !*full) {
		if (r->flushing || r->any_full)
			*full = r->given = find_full(r, &r->flush_at, r->flushing);
		if (*full || (r->flushing && r->ended) || !r->iter)
			break;
		r->flush_at = 0;
		r->flushing = r->any_full = false;
		if (!r->ended)
			st = read_some(r, err);
		if (r->holds)
			r->holds(r->holds_ctx, r->size);
		r->flushing = r->ended || r->rows_len >= ROWS_LEN;
	}
	return st;
}

enum tdat_status reader_array(const struct reader_table *t, struct ArrowArray *out, bool move,
			      struct tdat_error *err)
{
	const enum table_give give = !move ? TABLE_LEND : t->last ? TABLE_MOVE_ALL : TABLE_MOVE;
	const size_t count = t->choice->column_count;

	if (!table_array_init(out, 1, (int64_t)count, false))
		return no_memory(t, err);
	out->length = (int64_t)t->rows;
	for (size_t i = 0; i < count; i++) {
		if (table_builder_array(&t->builders[i], out->children[i], give))
			continue;
		out->release(out);
		return no_memory(t, err);
	}
	return TDAT_OK;
}

void reader_notes(const struct reader *r, const struct tdat_table_opts *opts)
{
	if (r->derived)
		derived_pass_notes(r->derived, opts);
}

const struct tdat_stream_damage *reader_damage(struct reader *r, size_t *count)
{
	*count = 0;
	return r->iter ? tdat_iter_damage(r->iter, count) : NULL;
}

/* ---- making one ---- */

static bool add_routes(struct reader *r, struct reader_table *t)
{
	const struct trace_table *facts = &r->trace->facts[t->choice->table->index];

	t->first_route = r->route_count;
	for (size_t i = 0; i < facts->format_count; i++) {
		const uint32_t input = facts->formats[i].input, id = facts->formats[i].id;

		if (!file_format_reads(r->trace->inputs[input].file, facts->formats[i].index, id))
			continue;
		if (!r->by_id[input]) {
			r->by_id[input] = calloc(FILE_ID_COUNT, sizeof(**r->by_id));
			r->ids[input] =
				r->ids[input] ? r->ids[input] : calloc(1, FILE_ID_COUNT / 8);
			if (!r->by_id[input] || !r->ids[input])
				return false;
		}
		r->routes[r->route_count] = (struct route){
			.table = t, .input = input, .id = id, .list = (uint32_t)t->first_route};
		r->routes[t->first_route].has_others = t->route_count++ > 0;
		r->by_id[input][id] = (uint32_t)++r->route_count;
		r->ids[input][id / 8] |= (uint8_t)(1u << (id & 7));
	}
	return true;
}

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

/* Whether all tables of events are wanted: then nothing need be dropped. */
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

static int pid_order(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static enum tdat_status sort_pids(struct reader *r, const struct tdat_table_opts *opts,
				  struct tdat_error *err)
{
	if (!opts->pids)
		return TDAT_OK;
	r->pids = calloc(opts->pid_count + 1, sizeof(*r->pids));
	if (!r->pids)
		return tdat_error_no_memory(err, "a list of pids");
	memcpy(r->pids, opts->pids, opts->pid_count * sizeof(*r->pids));
	qsort(r->pids, opts->pid_count, sizeof(*r->pids), pid_order);
	r->pid_set = (struct model_pid_set){r->pids, opts->pid_count};
	return TDAT_OK;
}

/* Derived tables choose rows themselves: only what no row of them needs is left out. */
static void narrow_derived(struct reader *r, struct tdat_iter_opts *opts,
			   struct read_iter_extra *extra)
{
	const struct derived_need need = derived_pass_need(r->derived);

	r->only_derived = !r->route_count && !r->events && !r->lost;
	derived_pass_ids(r->derived, r->ids);
	opts->filter = derived_pass_filter(r->derived);
	opts->cpus = need.cpus;
	opts->cpu_count = need.cpus ? need.cpu_count : 0;
	extra->ask_format = true;
	extra->keep_lost = true;
	extra->span = (struct read_span){need.has_from, need.from, INT64_MAX};
	extra->span_of_pages = true;
	extra->pids = need.pids;
}

static enum tdat_status make_iter(struct reader *r, const struct reader_span *span,
				  struct tdat_error *err)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct read_iter_extra extra = {.cuts = span->cuts, .first = span->first, .end = span->end};
	enum tdat_status st;

	if (!r->route_count && !r->events && !r->lost && !r->derived)
		return TDAT_OK;
	opts.raw_ts = r->trace->opts.raw_ts;
	opts.no_date = r->trace->opts.no_date;
	opts.filter = span->opts->filter;
	opts.cpus = span->opts->cpus;
	opts.cpu_count = span->opts->cpu_count;
	if (wants_all(r))
		free_ids(r);
	/* No time lies in such a span. */
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
	r->iter->release = take_released;
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
		r->take = TAKE_LINES;
		st = tdat_printer_new(&r->decoder.printer, t->iter_inputs, t->input_count, NULL,
				      err);
	}
	return st;
}

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
	if (r->iter)
		r->iter->release = NULL;
	tdat_iter_free(r->iter);
	derived_pass_free(r->derived);
	put_released(r);
	for (size_t i = 0; i < r->table_count; i++) {
		free_builders(&r->tables[i]);
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
	free(r);
}
