/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Distributes events to tables, and returns batches of their rows. It takes some thousand
 * events from its iterator, sorts them by format, and adds to each table column by column. A
 * table gives a batch when it has enough rows, or when all tables together hold too much. A
 * reader belongs to one thread; several readers share a trace.
 */
#include "reader.h"

#include <stdlib.h>

#include "derived_pass.h"
#include "meta.h"
#include "core/grow.h"
#include "reader_state.h"

/* Bytes of the rows at which a batch ends, however few there are. */
enum { BATCH_LEN = 4 << 20 };

/* Bytes that the rows of all tables may take before all of them are returned. */
enum { ROWS_LEN = 16 << 20 };

/* Bytes of pages that may be held while events are taken. */
enum { HELD_LEN = 4 << 20 };

/* ---- rows ---- */

/* A batch is full by rows or by bytes, whichever comes first. */
static bool is_full(const struct reader *r, const struct reader_table *t)
{
	return t->rows >= r->batch_rows || t->len >= BATCH_LEN;
}

/* Keeps account of rows that a table got. */
static void count_rows(struct reader *r, struct reader_table *t)
{
	r->rows_len -= t->len;
	r->size -= t->size;
	t->len = reader_table_len(t, &t->size);
	r->rows_len += t->len;
	r->size += t->size;
	r->any_full |= is_full(r, t);
}

/* Makes a table's builders, with room for the number of rows that its last batch had elsewhere. */
static bool start_expected(struct reader *r, struct reader_table *t)
{
	if (!reader_start_table(t))
		return false;
	for (size_t i = 0; r->expected && i < t->choice->column_count; i++)
		t->builders[i].expected =
			atomic_load_explicit(&r->expected[t - r->tables], memory_order_relaxed);
	return true;
}

/*
 * Adds rows of events of one input and one format. TABLE_RUN events at a time: each run is decoded
 * for all columns before the next, while its records are still in the CPU's cache.
 */
static enum tdat_status add_rows(struct reader *r, struct reader_table *t,
				 const struct table_variant *v,
				 const struct tdat_event *const *events, size_t count,
				 struct tdat_error *err)
{
	if (!t->builders && !start_expected(r, t))
		return reader_no_memory(t, err);
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

/*
 * Called by the iterator when it is done with a page: events that are taken still point into it,
 * so it is kept until they are decoded.
 */
void reader_take_released(void *ctx, struct read_block *b)
{
	struct reader *r = ctx;

	b->next = r->released;
	r->released = b;
	r->released_len += b->len;
}

/* Gives back the pages whose events have become rows. */
void reader_put_released(struct reader *r)
{
	struct read_block *b;

	while ((b = r->released)) {
		r->released = b->next;
		read_block_put(b);
	}
	r->released_len = 0;
}

/*
 * Takes events up to the size of a batch, or until pages of HELD_LEN wait; *count is 0 at the end.
 */
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

/*
 * Appends an event to the list of its route. Lists are links of indices, so that sorting by format
 * needs no moves of events.
 */
static void add_to_route(struct reader *r, struct reader_route *route, uint32_t event,
			 size_t *touched)
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

/*
 * How an event that a route has taken is decoded. A type whose name has several formats keeps one
 * list, in order of time; the variant is then found event by event.
 */
static const struct table_variant *
variant_of(const struct reader *r, const struct reader_route *route, const struct tdat_event *ev)
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
		return reader_no_memory(t, err);
	st = reader_choose(t->own, r->trace, t->choice->table, r->opts, err);
	if (st == TDAT_OK)
		t->choice = t->own;
	return st;
}

/*
 * Gives the routes of an event type their variants when its first events come. Both are in the
 * order of the type's formats, so one walk suffices; those without a variant have a broken format.
 */
static enum tdat_status resolve(struct reader *r, struct reader_table *t, struct tdat_error *err)
{
	const enum tdat_status st = choose_now(r, t, err);
	const struct table_schema *s = t->choice->schema;
	size_t k = 0;

	for (size_t i = t->first_route; st == TDAT_OK && i < t->first_route + t->route_count; i++) {
		struct reader_route *route = &r->routes[i];

		if (k < s->variant_count && s->variants[k].format &&
		    s->variants[k].input == route->input && s->variants[k].id == route->id)
			route->variant = &s->variants[k++];
	}
	t->resolved = st == TDAT_OK;
	return st;
}

/* Decodes the events of a list: those that follow each other in one format at once. */
static enum tdat_status decode_route(struct reader *r, const struct reader_route *route,
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

/* Decodes the lists that got events, and empties them for the next round. */
static enum tdat_status decode_routes(struct reader *r, size_t touched, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < touched; i++) {
		struct reader_route *route = &r->routes[r->touched[i]];

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

/* Counts the ids that no sound format describes; ids that were asked for lately are counted. */
static void ask_format(struct reader *r, const struct tdat_event *ev)
{
	const uint64_t key = ((uint64_t)ev->input << 32 | ev->id) + 1;
	uint64_t *asked = &r->asked[ev->id % READER_ASKED];

	if (*asked == key)
		return;
	*asked = key;
	(void)tdat_file_format_by_id(r->decoder.inputs[ev->input].file, ev->id);
}

/*
 * One round: takes events, sorts them by route, decodes them, and feeds derived tables. At the end
 * of events derived tables put what is open.
 */
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
			ask_format(r, ev);
	}
	if (st == TDAT_OK)
		st = decode_routes(r, touched, err);
	if (st == TDAT_OK && r->events)
		st = decode_all(r, r->events, count, err);
	if (st == TDAT_OK && r->lost && lost)
		st = decode_all(r, r->lost, count, err);
	if (st == TDAT_OK && r->derived)
		st = derived_pass_feed(r->derived, r->taken, count, err);
	/* No later event can make a wanted row: reading may stop early. */
	if (st == TDAT_OK && r->only_derived && !r->ended)
		r->ended = derived_pass_done(r->derived);
	if (st == TDAT_OK && r->derived && r->ended)
		st = derived_pass_end(r->derived, err);
	for (size_t i = 0; r->derived && i < r->table_count; i++)
		if (r->tables[i].choice->derived)
			count_rows(r, &r->tables[i]);
	reader_put_released(r);
	return st;
}

/* ---- batches ---- */

/* The next table from *at on whose rows are to be returned; NULL: none. */
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

/* Empties the table whose rows were returned by the last call: its arrays may have been lent. */
static void clear_given(struct reader *r)
{
	struct reader_table *t = r->given;

	r->given = NULL;
	if (!t)
		return;
	/* Readers of later pieces make room for this number of rows at once. */
	if (r->expected && t->rows <= UINT32_MAX)
		atomic_store_explicit(&r->expected[t - r->tables], (uint32_t)t->rows,
				      memory_order_relaxed);
	t->rows = 0;
	r->rows_len -= t->len;
	t->len = 0;
	r->size -= t->size;
	t->size = 0;
	/* Tables that were flushed for their memory keep none. */
	if (r->flushing) {
		reader_end_table(t);
		return;
	}
	for (size_t i = 0; i < t->choice->column_count; i++)
		table_builder_clear(&t->builders[i]);
}

/* Keeps one damage for each CPU; a later one says more. */
static bool add_damage(void *reader, const struct tdat_stream_damage *d)
{
	struct reader *r = reader;

	for (size_t i = 0; i < r->damage_count; i++) {
		struct tdat_stream_damage *had = &r->damage[i];

		if (had->input != d->input || had->buffer != d->buffer || had->cpu != d->cpu)
			continue;
		*had = *d;
		return true;
	}
	if (!TDAT_GROW(r->damage, &r->damage_cap, r->damage_count + 1))
		return false;
	r->damage[r->damage_count++] = *d;
	return true;
}
/* Makes all rows of a table of facts. */
static enum tdat_status fill_meta(struct reader *r, struct reader_table *t, struct tdat_error *err)
{
	const struct reader_choice *c = t->choice;
	struct meta_rows rows = {
		.trace = r->trace, .damaged = add_damage, .ctx = r, .error = TDAT_ERROR_INIT};
	enum tdat_status st;

	rows.row.builders = calloc(c->all_count + 1, sizeof(*rows.row.builders));
	if (!rows.row.builders)
		return tdat_error_no_memory(err, c->table->name);
	for (size_t i = 0; i < c->column_count; i++)
		rows.row.builders[c->columns[i]] = &t->builders[i];
	st = meta_fill(&rows, r->trace->facts[c->table->index].meta, err);
	free(rows.row.builders);
	t->rows = rows.count;
	return st;
}

/* Tables of facts are returned first, each as one batch. */
static enum tdat_status next_meta(struct reader *r, const struct reader_table **full,
				  struct tdat_error *err)
{
	for (; r->metas && r->next_meta < r->table_count; r->next_meta++) {
		struct reader_table *t = &r->tables[r->next_meta];
		enum tdat_status st;

		if (t->choice->table->kind != TDAT_TABLE_META || t->builders)
			continue;
		if (!reader_start_table(t))
			return reader_no_memory(t, err);
		st = fill_meta(r, t, err);
		if (st != TDAT_OK)
			return st;
		if (t->rows) {
			*full = r->given = t;
			return TDAT_OK;
		}
	}
	return TDAT_OK;
}

/*
 * Returns the next table with rows in *full; they stay until the next call. NULL: all was read.
 * Flushing returns all tables in turn: at the end, or when rows of many small tables take ROWS_LEN
 * together.
 */
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

void reader_notes(const struct reader *r, const struct tdat_table_opts *opts)
{
	if (r->derived)
		derived_pass_notes(r->derived, opts);
}

/* Joins damage of events with that of tables of facts. Without memory for both: that of events. */
const struct tdat_stream_damage *reader_damage(struct reader *r, size_t *count)
{
	const struct tdat_stream_damage *list = NULL;

	*count = 0;
	if (r->iter)
		list = tdat_iter_damage(r->iter, count);
	if (!r->damage_count)
		return list;
	for (size_t i = 0; i < *count; i++)
		if (!add_damage(r, &list[i]))
			return list;
	*count = r->damage_count;
	return r->damage;
}
