/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives events to derived tables. One iterator serves all derived tables of a read; for each event
 * id there is a list of the tables that take it. Rows, not events, are chosen by time, CPU and
 * task, because an earlier event may decide a later row. Only events that none of the tables needs
 * are left out (derived_pass_need). It runs on one thread.
 */
#include "derived_pass.h"

#include <stdlib.h>
#include <string.h>

#include "derived_out.h"
#include "derived_state.h"
#include "core/heap.h"
#include "read/iter.h"
#include "read/select_span.h"
#include "read/summary.h"
#include "trace_data.h"

/* A type of events of one input that a table takes. */
struct taker {
	struct derived_type type;
	struct derived_one *table;
	uint32_t next; /* of the same id: index + 1; 0: none */
};

/* One derived table of the pass: where its rows go, and its state machine. */
struct derived_one {
	struct derived_out out;
	struct derived_state *state;
};

struct derived_pass {
	const struct tdat_trace *trace;
	struct derived_one *ones;
	size_t count;
	struct taker *takers;
	size_t taker_count, taker_cap;
	uint32_t **by_id; /* by input and id: the first taker + 1 */
	struct derived_rec *recs;
	uint32_t *rec_base; /* by input */
	struct derived_choice choice;
	struct tdat_filter own_filter;
	const struct tdat_table_opts *of_events; /* choose events, not rows; NULL: they do not */
	struct derived_texts texts;
	struct tdat_arena arena; /* fields of takers */

	struct tdat_heap gaps; /* those that begin later: key is the time, tie recording and CPU */
	size_t gap_cap;
	bool gap_failed; /* no memory for one */

	bool stops; /* rows that begin behind stop_at are not wanted */
	uint64_t stop_at;
	uint64_t last_ts;      /* of the events so far */
	uint64_t fed, look_at; /* events so far; at which to look whether something is open */
	uint64_t step;
};

/* ---- which events ---- */

/* A pattern may end with '*': "syscalls/sys_enter_*" takes all events of that prefix. */
static bool is_named(const char *pattern, const struct tdat_table *table)
{
	const size_t n = strlen(pattern);

	if (n && pattern[n - 1] == '*')
		return !strncmp(table->name, pattern, n - 1);
	return !strcmp(table->name, pattern);
}

bool derived_has_events(const struct tdat_trace *trace, const struct tdat_table *table)
{
	const struct table_derived *def = trace->facts[table->index].derived;

	for (size_t i = 0; i < trace->table_count; i++)
		for (size_t k = 0; k < def->event_count; k++)
			if (trace->tables[i].kind == TDAT_TABLE_EVENT &&
			    is_named(def->events[k].name, &trace->tables[i]))
				return true;
	return false;
}

/*
 * Adds an event type of one input to the list of its id, with the places of its fields. False: no
 * memory.
 */
static bool add_taker(struct derived_pass *p, struct derived_one *one,
		      const struct derived_event *event, uint32_t input,
		      const struct tdat_event_format *format)
{
	const uint32_t id = tdat_event_format_id(format);
	struct derived_field *fields;
	struct taker *t;
	size_t n = 0;

	if (!TDAT_GROW(p->takers, &p->taker_cap, p->taker_count + 1))
		return false;
	/* Only a damaged file has an id of more than 16 bits; no record can name it. */
	if (id >= FILE_ID_COUNT)
		return true;
	while (event->fields && event->fields[n])
		n++;
	fields = tdat_arena_array(&p->arena, n + 1, sizeof(*fields));
	if (!p->by_id[input])
		p->by_id[input] = calloc(FILE_ID_COUNT, sizeof(**p->by_id));
	if (!fields || !p->by_id[input])
		return false;
	for (size_t i = 0; i < n; i++)
		fields[i] = derived_field_of(format, event->fields[i]);
	/* The new taker comes first in the list of its id: see add_events(). */
	t = &p->takers[p->taker_count++];
	*t = (struct taker){.type = {.kind = event->kind,
				     .index = one->out.type_count++,
				     .event = event,
				     .format = format,
				     .in = &p->trace->inputs[input],
				     .env = &p->trace->envs[input],
				     .fields = fields},
			    .table = one,
			    .next = p->by_id[input][id]};
	p->by_id[input][id] = (uint32_t)p->taker_count;
	return true;
}

/* The formats of a table of events that its files use, as in the schema of that table. */
static bool add_formats(struct derived_pass *p, struct derived_one *one,
			const struct derived_event *event, const struct trace_table *facts)
{
	for (size_t i = 0; i < facts->format_count; i++) {
		const struct trace_format *f = &facts->formats[i];
		const struct tdat_file *file = p->trace->inputs[f->input].file;
		const struct tdat_event_format *format;

		if (tdat_file_format(file, f->index, &format, NULL) == TDAT_OK &&
		    file_format_reads(file, f->index, tdat_event_format_id(format)) &&
		    !add_taker(p, one, event, f->input, format))
			return false;
	}
	return true;
}

/* Whether the event behind is the same: of a pair of one type. */
static bool is_twice(const struct table_derived *def, size_t k)
{
	return k + 1 < def->event_count && !strcmp(def->events[k].name, def->events[k + 1].name);
}

/*
 * The last table that names an event type takes it first. A table takes each id once, and twice
 * where two events behind one another have its name: the second is taken first.
 */
static bool add_events(struct derived_pass *p, struct derived_one *one)
{
	const struct table_derived *def = one->out.def;

	for (size_t i = 0; i < p->trace->table_count; i++) {
		const struct tdat_table *table = &p->trace->tables[i];

		if (table->kind != TDAT_TABLE_EVENT)
			continue;
		for (size_t k = 0; k < def->event_count; k++) {
			if (!is_named(def->events[k].name, table))
				continue;
			if (!add_formats(p, one, &def->events[k], &p->trace->facts[i]))
				return false;
			if (!is_twice(def, k))
				break;
		}
	}
	return true;
}

/* ---- making one ---- */

/*
 * Numbers the recordings: each buffer of each input is one, plus one for events of a buffer that
 * the input does not list. State machines see only these numbers.
 */
static bool list_recs(struct derived_pass *p)
{
	const struct tdat_trace *t = p->trace;
	size_t n = 0;

	p->rec_base = calloc(t->input_count + 1, sizeof(*p->rec_base));
	if (!p->rec_base)
		return false;
	for (size_t i = 0; i < t->input_count; i++) {
		p->rec_base[i] = (uint32_t)n;
		n += t->inputs[i].buffer_count + 1;
	}
	p->rec_base[t->input_count] = (uint32_t)n;
	p->recs = n < UINT32_MAX ? calloc(n + 1, sizeof(*p->recs)) : NULL;
	for (size_t i = 0; p->recs && i < t->input_count; i++)
		for (size_t k = 0; k <= t->inputs[i].buffer_count; k++)
			p->recs[p->rec_base[i] + k] = (struct derived_rec){
				(uint32_t)i,
				k < t->inputs[i].buffer_count ? t->inputs[i].buffers[k].name : ""};
	return p->recs;
}

/* Of CPUs whose data was not found, events are missing from the beginning. */
static void lose_cpus(struct derived_pass *p)
{
	for (uint32_t i = 0; i < p->trace->input_count; i++)
		for (uint32_t b = 0; b < p->trace->inputs[i].buffer_count; b++)
			if (p->trace->inputs[i].buffers[b].lost_cpu_count)
				derived_pass_gap(p, i, b, UINT32_MAX, 0);
}

/* The filter's times choose rows; the filter of events goes without them, and without tasks. */
static enum tdat_status choose_rows(struct derived_pass *p, const struct tdat_table_opts *opts,
				    struct tdat_error *err)
{
	const struct tdat_iter_opts iter = trace_iter_opts(p->trace);
	struct read_times span;
	enum tdat_status st;

	/* With of_events the caller chooses events, so rows of them are all wanted. */
	if (!read_cpus_init(&p->choice.cpus, opts->of_events ? NULL : opts->cpus, opts->cpu_count))
		return tdat_error_no_memory(err, "derived tables");
	p->choice.explain = opts->explain;
	p->of_events = opts->of_events ? opts : NULL;
	if (p->of_events)
		return TDAT_OK;
	p->choice.has_span = opts->has_span;
	p->choice.from_ts = opts->from_ts;
	p->choice.to_ts = opts->to_ts;
	if (!opts->filter)
		return TDAT_OK;
	st = read_select_times(&span, &opts->filter->from, &opts->filter->to, p->trace->iter_inputs,
			       p->trace->input_count, &iter, err);
	p->choice.timed = span.set;
	p->choice.from = span.from;
	p->choice.to = span.to;
	if (opts->filter->pid_count || opts->filter->comm_count)
		p->choice.filter = opts->filter;
	/* The rest of the filter still applies to events: which types, buffers and expressions. */
	p->own_filter = *opts->filter;
	p->own_filter.from.kind = p->own_filter.to.kind = SELECT_TIME_NONE;
	p->own_filter.pid_count = p->own_filter.comm_count = 0;
	return st;
}

/*
 * Whether the times of an input rise up to 2^63 at most: not where clocks of CPUs are corrected
 * piece by piece, as in seek.c. Failures are reported by those who read the events.
 */
static bool is_rising(const struct derived_pass *p, const struct tdat_iter_input *in)
{
	const struct tdat_iter_opts iter = trace_iter_opts(p->trace);
	const struct dat_index *ix = &in->file->ix;

	/* Clocks synchronized per CPU (guests) are corrected piecewise, so times may step back. */
	if (in->file->clock.sync_cpu_count)
		return false;
	for (size_t b = 0; b < ix->buffer_count; b++)
		for (size_t c = 0; c < ix->buffers[b].cpu_count && !ix->buffers[b].latency; c++) {
			struct tdat_cpu_summary cpu;

			if (read_summary_ends(in, &iter, b, c, &cpu, NULL, NULL) != TDAT_OK ||
			    (cpu.has_events && cpu.last_ts > INT64_MAX / 2))
				return false;
		}
	return true;
}

/* Finds the time behind which reading may end. */
static void find_stop(struct derived_pass *p)
{
	const struct derived_choice *c = &p->choice;

	p->stop_at = UINT64_MAX;
	if (c->timed)
		p->stop_at = c->to;
	if (c->has_span && c->to_ts >= 0 && (uint64_t)c->to_ts < p->stop_at)
		p->stop_at = (uint64_t)c->to_ts;
	p->stops = p->stop_at <= INT64_MAX / 2;
	for (size_t i = 0; i < p->trace->input_count && p->stops; i++)
		p->stops = is_rising(p, &p->trace->iter_inputs[i]);
}

/*
 * Prepares one table: its outputs, the events that it takes and its state. After a failure
 * derived_pass_free() still frees all of it.
 */
static enum tdat_status begin_one(struct derived_pass *p, struct derived_one *one,
				  struct reader_table *table, struct tdat_error *err)
{
	const struct table_derived *def = table->choice->derived;

	one->out = (struct derived_out){.table = table,
					.trace = p->trace,
					.def = def,
					.recs = p->recs,
					.rec_count = p->rec_base[p->trace->input_count],
					.choice = &p->choice,
					.texts = &p->texts};
	tdat_build_init(&one->out.text, false);
	one->out.row.builders =
		calloc(table->choice->all_count + 1, sizeof(*one->out.row.builders));
	if (!one->out.row.builders || !add_events(p, one))
		return tdat_error_no_memory(err, def->name);
	return derived_state_new(&one->state, def, &one->out, err);
}

/*
 * Makes the pass for those of the tables that are derived. *out is set also after a failure, and
 * must then be freed.
 */
enum tdat_status derived_pass_new(struct derived_pass **out, const struct tdat_trace *trace,
				  struct reader_table *tables, size_t count,
				  const struct tdat_table_opts *opts,
				  const struct model_pid_set *pids, struct tdat_error *err)
{
	struct derived_pass *p = calloc(1, sizeof(*p));
	enum tdat_status st = TDAT_OK;

	*out = p;
	if (!p)
		return tdat_error_no_memory(err, "derived tables");
	p->trace = trace;
	p->ones = calloc(count + 1, sizeof(*p->ones));
	p->by_id = calloc(trace->input_count + 1, sizeof(*p->by_id));
	if (!p->ones || !p->by_id || !list_recs(p))
		st = tdat_error_no_memory(err, "derived tables");
	p->choice.pids = pids;
	if (st == TDAT_OK)
		st = choose_rows(p, opts, err);
	if (st == TDAT_OK) {
		lose_cpus(p);
		find_stop(p);
	}
	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		if (tables[i].choice->derived)
			st = begin_one(p, &p->ones[p->count++], &tables[i], err);
	return st;
}

void derived_pass_free(struct derived_pass *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		derived_state_free(p->ones[i].state);
		derived_out_fini(&p->ones[i].out);
	}
	for (size_t i = 0; p->by_id && i < p->trace->input_count; i++)
		free(p->by_id[i]);
	read_cpus_fini(&p->choice.cpus);
	derived_texts_fini(&p->texts);
	tdat_arena_fini(&p->arena);
	free(p->by_id);
	free(p->takers);
	free(p->ones);
	free(p->recs);
	free(p->rec_base);
	free(p->gaps.items);
	free(p);
}

/* Adds the ids that any table takes to bit sets, by which streams drop all other records. */
void derived_pass_ids(const struct derived_pass *p, uint8_t *const *ids)
{
	for (size_t i = 0; i < p->taker_count; i++) {
		const struct derived_type *t = &p->takers[i].type;
		const uint32_t id = tdat_event_format_id(t->format);

		ids[t->in - p->trace->inputs][id / 8] |= (uint8_t)(1u << (id & 7));
	}
}

/* The filter that the iterator applies: all of it, or only its parts that choose events. */
const struct tdat_filter *derived_pass_filter(const struct derived_pass *p)
{
	const struct tdat_filter *f = &p->own_filter;

	if (p->of_events)
		return p->of_events->filter;
	return f->expr_count || f->event_count || f->buffer_count ? f : NULL;
}

/*
 * Tells which events the iterator must read. A restriction to CPUs, tasks or a start is passed on
 * only if every table allows it: see fresh, per_cpu and per_task in derived.h.
 */
struct derived_need derived_pass_need(const struct derived_pass *p)
{
	const struct derived_choice *c = &p->choice;
	struct derived_need need = {.cpus = c->cpus.list,
				    .cpu_count = c->cpus.count,
				    .pids = c->pids,
				    .has_from = c->has_span && c->from_ts > 0,
				    .from = (uint64_t)c->from_ts};

	if (p->of_events)
		return (struct derived_need){.cpus = p->of_events->cpus,
					     .cpu_count = p->of_events->cpu_count,
					     .pids = c->pids};
	for (size_t i = 0; i < p->count; i++) {
		const struct table_derived *def = p->ones[i].out.def;

		if (!def->per_cpu)
			need.cpus = NULL;
		if (!def->per_task)
			need.pids = NULL;
		need.has_from &= def->fresh;
	}
	return need;
}

/*
 * True once no wanted row can come any more. The check walks over all open intervals, so the
 * distance between checks doubles.
 */
bool derived_pass_done(struct derived_pass *p)
{
	if (!p->stops || p->last_ts <= p->stop_at || p->fed < p->look_at)
		return false;
	for (size_t i = 0; i < p->count; i++) {
		if (!derived_state_awaits(p->ones[i].state))
			continue;
		p->step = p->step ? p->step * 2 : 2048;
		p->look_at = p->fed + p->step;
		return false;
	}
	return true;
}

/* ---- events ---- */

void derived_pass_gap(void *ctx, uint32_t input, uint32_t buffer, uint32_t cpu, uint64_t from)
{
	struct derived_pass *p = ctx;
	const uint64_t rec = p->rec_base[input] + buffer;

	if (!TDAT_GROW(p->gaps.items, &p->gap_cap, p->gaps.count + 1))
		p->gap_failed = true;
	else
		tdat_heap_push(&p->gaps, (struct tdat_heap_item){from, rec << 32 | cpu});
}

/* All tables hear of the gaps that begin before a time. */
static void begin_gaps(struct derived_pass *p, uint64_t ts)
{
	while (p->gaps.count && p->gaps.items[0].key < ts) {
		const uint64_t at = p->gaps.items[0].tie;

		tdat_heap_drop_top(&p->gaps);
		for (size_t i = 0; i < p->count; i++)
			derived_state_gap(p->ones[i].state, (uint32_t)(at >> 32), (uint32_t)at,
					  true);
	}
}

/* The first event behind a gap ends it. */
static void end_gap(struct derived_pass *p, const struct tdat_event *ev, uint32_t rec)
{
	/* The gap may have begun at the same time. */
	begin_gaps(p, ev->ts < UINT64_MAX ? ev->ts + 1 : ev->ts);
	for (size_t i = 0; i < p->count; i++)
		derived_state_gap(p->ones[i].state, rec, ev->cpu, false);
}

/* Failures of memory are flags of the rows; this turns the first one into a status. */
static enum tdat_status memory(const struct derived_pass *p, struct tdat_error *err)
{
	if (p->gap_failed)
		return tdat_error_no_memory(err, "losses of events");
	for (size_t i = 0; i < p->count; i++)
		if (p->ones[i].out.row.failed)
			return tdat_error_no_memory(err, p->ones[i].out.def->name);
	return TDAT_OK;
}

/*
 * Gives a batch of events, in order of time, to the tables that take their ids. Events without
 * takers still report their losses.
 */
enum tdat_status derived_pass_feed(struct derived_pass *p, const struct tdat_event *events,
				   size_t count, struct tdat_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event *ev = &events[i];
		const uint32_t *by_id = p->by_id[ev->input];
		const uint32_t rec = p->rec_base[ev->input] + ev->buffer;
		uint32_t at;

		if (__builtin_expect(p->gaps.count && p->gaps.items[0].key < ev->ts, 0))
			begin_gaps(p, ev->ts);
		if (__builtin_expect(ev->lost_before != 0, 0))
			end_gap(p, ev, rec);
		/* Unwanted events are kept only for the losses that they carry. */
		if (!by_id || ev->flags & READ_EVENT_UNWANTED)
			continue;
		for (at = by_id[ev->id & (FILE_ID_COUNT - 1)]; at; at = p->takers[at - 1].next) {
			const struct taker *t = &p->takers[at - 1];

			t->table->out.def->event(t->table->state, &t->type, ev, rec);
		}
	}
	p->fed += count;
	p->last_ts = count ? events[count - 1].ts : p->last_ts;
	return memory(p, err);
}

/* Ends the pass: tables put rows of the intervals that are still open. */
enum tdat_status derived_pass_end(struct derived_pass *p, struct tdat_error *err)
{
	begin_gaps(p, UINT64_MAX);
	for (size_t i = 0; i < p->count; i++)
		derived_state_end(p->ones[i].state);
	return memory(p, err);
}

/* Reports how many events or intervals each table left out, and why. */
void derived_pass_notes(const struct derived_pass *p, const struct tdat_table_opts *opts)
{
	for (size_t i = 0; opts->note && i < p->count; i++) {
		const struct derived_out *o = &p->ones[i].out;

		for (size_t k = 0; k < DERIVED_NOTES && o->notes[k].what; k++)
			opts->note(opts->note_ctx, o->table->choice->table, o->notes[k].what,
				   o->notes[k].count);
	}
}
