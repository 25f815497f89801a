/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes traces, and the schemas of their tables. A trace is a list of tables over one or
 * several files. Making it looks only at the heads of formats; schemas are made when they are
 * first asked for, under the trace's lock. Derived tables come in as an argument (derived.h),
 * since they stand above this folder.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "derived.h"
#include "env.h"
#include "meta.h"
#include "model/event_header.h"
#include "core/opts.h"
#include "core/text.h"
#include "read/cuts.h"
#include "read/select.h"
#include "read/select_span.h"
#include "schema.h"
#include "shapes.h"

/* ---- inputs ---- */

/* Finds the fields of the state of a CPU in the first sound format: all formats have them alike. */
static void find_common(struct table_input *in)
{
	const size_t count = tdat_file_format_count(in->file);
	const struct tdat_event_format *format;

	for (size_t i = 0; i < count; i++) {
		if (tdat_file_format(in->file, i, &format, NULL) != TDAT_OK)
			continue;
		in->flags = tdat_event_format_field(format, "common_flags");
		in->preempt = tdat_event_format_field(format, "common_preempt_count");
		in->migrate = tdat_event_format_field(format, "common_migrate_disable");
		return;
	}
}

/*
 * Adds up the dropped events that the recorder counted (option CPUSTAT, a text for each CPU). A
 * sum that would overflow stays at the maximum.
 */
static void add_drops(struct tdat_trace *t, const struct tdat_file *file)
{
	static const char *const names[TRACE_DROPS] = {
		"overrun:", "commit overrun:", "dropped events:"};
	size_t count;
	const struct tdat_file_option *options = tdat_file_options(file, &count);

	for (size_t i = 0; i < count; i++) {
		if (options[i].id != TDAT_OPTION_CPUSTAT)
			continue;
		t->has_drops = true;
		for (size_t k = 0; k < TRACE_DROPS; k++) {
			uint64_t v;

			tdat_line_number(options[i].data, names[k], &v);
			t->drops[k] = v > UINT64_MAX - t->drops[k] ? UINT64_MAX : t->drops[k] + v;
		}
	}
}

/* Takes the facts of one input that all its tables need. */
static enum tdat_status open_input(struct tdat_trace *t, size_t i, struct tdat_error *err)
{
	struct tdat_file *file = t->iter_inputs[i].file;
	struct table_input *in = &t->inputs[i];
	const struct clock_facts *clock = &file->clock;
	enum tdat_status st;

	in->file = file;
	in->big = file->layout.big;
	in->buffers = tdat_file_buffers(file, &in->buffer_count);
	for (size_t k = 0; k < in->buffer_count; k++)
		in->ranks |= !strcmp(in->buffers[k].clock, "counter");
	in->groups = &t->groups[i];
	st = table_env_init(&t->envs[i], file, err);
	if (st != TDAT_OK)
		return st;
	in->symbols = t->envs[i].symbols;
	in->text_max = tdat_file_text_max(file, &in->text_per_byte);
	find_common(in);
	add_drops(t, file);
	/* Wall time only if every input has it: one column cannot mix both. */
	t->wall &= (clock->ns || clock->tick_ns) && clock->date_ns && !t->opts.no_date &&
		   !t->opts.raw_ts;
	return tdat_task_groups_init(&t->groups[i], tdat_file_part(file, TDAT_PART_TGIDS))
		       ? TDAT_OK
		       : tdat_error_no_memory(err, "thread groups");
}

/* input_count rises with each input, so that tdat_trace_free() frees those that were opened. */
static enum tdat_status open_inputs(struct tdat_trace *t, const struct tdat_iter_input *inputs,
				    size_t count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	t->iter_inputs = calloc(count + 1, sizeof(*t->iter_inputs));
	t->inputs = calloc(count + 1, sizeof(*t->inputs));
	t->groups = calloc(count + 1, sizeof(*t->groups));
	t->envs = calloc(count + 1, sizeof(*t->envs));
	if (!t->iter_inputs || !t->inputs || !t->groups || !t->envs)
		return tdat_error_no_memory(err, "inputs");
	t->wall = count > 0;
	for (size_t i = 0; i < count && st == TDAT_OK; i++) {
		t->iter_inputs[i] = inputs[i];
		t->input_count++;
		st = open_input(t, i, err);
	}
	return st;
}

/* ---- the list of tables ---- */

/* A format with the name of its table. */
struct named {
	const char *system, *event;
	struct trace_format format;
};

/* Order of system and event, so that formats of one table are neighbors. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->system, y->system);

	if (!order)
		order = strcmp(x->event, y->event);
	if (!order)
		order = (x->format.input > y->format.input) - (x->format.input < y->format.input);
	return order ? order
		     : (x->format.index > y->format.index) - (x->format.index < y->format.index);
}

/* Formats without a name have no table; their events are in the table of all events. */
static bool name_formats(struct tdat_trace *t, struct named *list, size_t *n)
{
	for (size_t i = 0; i < t->input_count; i++) {
		const size_t count = tdat_file_format_count(t->inputs[i].file);

		for (size_t k = 0; k < count; k++) {
			struct named *to = &list[*n];
			struct tdat_span text, name;
			uint32_t id;

			text = tdat_file_format_text(t->inputs[i].file, k, &to->system);
			/*
			 * Only the head is parsed: thousands of formats would delay the first
			 * table.
			 */
			if (!model_format_head(text, &name, &id))
				continue;
			to->event = tdat_arena_strndup(&t->arena, name.ptr, name.len);
			to->format = (struct trace_format){(uint32_t)i, id, k};
			if (!to->event)
				return false;
			++*n;
		}
	}
	qsort(list, *n, sizeof(*list), by_name);
	return true;
}

/* Appends a table; the list has room for all (list_tables). */
static void add_table(struct tdat_trace *t, const char *name, enum tdat_table_kind kind,
		      struct tdat_table_about about)
{
	struct tdat_table *table = &t->tables[t->table_count];

	*table = (struct tdat_table){
		.name = name, .kind = kind, .index = t->table_count, .about = about};
	t->table_count++;
}

/* Makes a table "system/event" for each run of equal names. */
static bool add_event_tables(struct tdat_trace *t, const struct named *list, size_t n)
{
	struct tdat_build name;
	bool ok = true;

	tdat_build_init(&name, false);
	for (size_t i = 0; i < n && ok; i++) {
		const bool same = i && !strcmp(list[i].system, list[i - 1].system) &&
				  !strcmp(list[i].event, list[i - 1].event);
		struct tdat_table *table;
		const char *copy;

		t->formats[i] = list[i].format;
		if (same) {
			t->facts[t->table_count - 1].format_count++;
			continue;
		}
		name.len = 0;
		tdat_build_str(&name, list[i].system);
		tdat_build_u8(&name, '/');
		tdat_build_str(&name, list[i].event);
		copy = name.failed ? NULL : tdat_arena_strndup(&t->arena, name.ptr, name.len);
		ok = copy;
		t->facts[t->table_count] =
			(struct trace_table){.formats = &t->formats[i], .format_count = 1};
		add_table(t, copy, TDAT_TABLE_EVENT, (struct tdat_table_about){0});
		table = &t->tables[t->table_count - 1];
		table->system = list[i].system;
		table->event = list[i].event;
	}
	tdat_build_fini(&name);
	return ok;
}

/* The list of tables: events, lost, facts, derived, then event types by name. */
static bool list_tables(struct tdat_trace *t, const struct trace_extra *extra)
{
	size_t formats = 0, n = 0, metas;
	const struct table_meta *meta = table_metas(&metas);
	struct named *list;
	bool ok;

	for (size_t i = 0; i < t->input_count; i++)
		formats += tdat_file_format_count(t->inputs[i].file);
	list = calloc(formats + 1, sizeof(*list));
	t->formats = calloc(formats + 1, sizeof(*t->formats));
	t->tables = calloc(formats + metas + extra->derived_count + 2, sizeof(*t->tables));
	t->facts = calloc(formats + metas + extra->derived_count + 2, sizeof(*t->facts));
	ok = list && t->formats && t->tables && t->facts && name_formats(t, list, &n);
	if (ok) {
		add_table(t, "events", TDAT_TABLE_EVENTS,
			  (struct tdat_table_about){
				  .summary = "all events, with the columns that all have"});
		add_table(t, "lost", TDAT_TABLE_LOST,
			  (struct tdat_table_about){.summary = "losses of events"});
		for (size_t i = 0; i < metas; i++) {
			t->facts[t->table_count].meta = &meta[i];
			add_table(t, meta[i].name, TDAT_TABLE_META,
				  (struct tdat_table_about){.summary = meta[i].summary});
		}
		for (size_t i = 0; i < extra->derived_count; i++) {
			t->facts[t->table_count].derived = extra->derived[i];
			add_table(t, extra->derived[i]->name, TDAT_TABLE_DERIVED,
				  extra->derived[i]->about);
			t->tables[t->table_count - 1].is_dear = extra->derived[i]->is_dear;
		}
		ok = add_event_tables(t, list, n);
	}
	free(list);
	return ok;
}

/*
 * Makes a trace over the inputs, which it borrows. extra->owned is freed with the trace, and also
 * after a failure.
 */
enum tdat_status trace_new(struct tdat_trace **out, const struct tdat_iter_input *inputs,
			   size_t input_count, const struct tdat_trace_opts *opts,
			   const struct trace_extra *extra, struct tdat_error *err)
{
	const struct tdat_trace_opts defaults = TDAT_TRACE_OPTS_INIT;
	struct tdat_trace *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*out = NULL;
	if (!t) {
		if (extra->free_owned)
			extra->free_owned(extra->owned);
		return tdat_error_no_memory(err, "a trace");
	}
	t->owned = extra->owned;
	t->free_owned = extra->free_owned;
	t->opts = defaults;
	tdat_opts_copy(&t->opts, sizeof(t->opts), opts);
	pthread_mutex_init(&t->lock, NULL);
	pthread_mutex_init(&t->shapes.lock, NULL);
	st = open_inputs(t, inputs, input_count, err);
	if (st == TDAT_OK && !list_tables(t, extra))
		st = tdat_error_no_memory(err, "a list of tables");
	if (st != TDAT_OK) {
		tdat_trace_free(t);
		return st;
	}
	*out = t;
	return TDAT_OK;
}

void tdat_trace_free(struct tdat_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->facts && i < t->table_count; i++)
		trace_schema_free(atomic_load(&t->facts[i].made));
	for (size_t i = 0; i < t->input_count; i++)
		tdat_task_groups_fini(&t->groups[i]);
	if (t->free_owned)
		t->free_owned(t->owned);
	pthread_mutex_destroy(&t->lock);
	pthread_mutex_destroy(&t->shapes.lock);
	tdat_arena_fini(&t->shapes.arena);
	tdat_arena_fini(&t->arena);
	free(t->iter_inputs);
	free(t->inputs);
	free(t->groups);
	free(t->envs);
	free(t->tables);
	free(t->facts);
	free(t->formats);
	free(t);
}

/* Tables of the trace; borrowed. */
const struct tdat_table *tdat_trace_tables(const struct tdat_trace *trace, size_t *count)
{
	*count = trace->table_count;
	return trace->tables;
}

/* Finds a table by its exact name; NULL: there is none. */
const struct tdat_table *tdat_trace_find(const struct tdat_trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->table_count; i++)
		if (!strcmp(trace->tables[i].name, name))
			return &trace->tables[i];
	return NULL;
}

/* ---- schemas ---- */

/*
 * The formats of a table that its files use: sound ones, and of several with one id the one
 * that the file's events are read with.
 */
static size_t sound_formats(const struct tdat_trace *t, const struct trace_table *facts,
			    struct table_format *list)
{
	size_t n = 0;

	for (size_t i = 0; i < facts->format_count; i++) {
		const struct trace_format *f = &facts->formats[i];
		const struct tdat_file *file = t->inputs[f->input].file;
		const struct tdat_event_format *format;

		if (tdat_file_format(file, f->index, &format, NULL) == TDAT_OK &&
		    file_format_reads(file, f->index, tdat_event_format_id(format)))
			list[n++] = (struct table_format){f->input, format, &t->envs[f->input]};
	}
	return n;
}

/* Makes a schema for the caller. Sound formats only: those that are broken have no fields. */
struct table_schema *trace_schema_new(const struct tdat_trace *t, const struct tdat_table *table,
				      struct tdat_error *err)
{
	const struct trace_table *facts = &t->facts[table->index];
	struct table_schema_def def = {.events = table->kind == TDAT_TABLE_EVENTS,
				       .lost = table->kind == TDAT_TABLE_LOST,
				       .with_file = t->input_count > 1,
				       .wall = t->wall};
	struct table_format *list = calloc(facts->format_count + 1, sizeof(*list));
	struct table_schema *s = calloc(1, sizeof(*s));
	const size_t count = list ? sound_formats(t, facts, list) : 0;
	enum tdat_status st = TDAT_OK;

	if (!list || !s)
		st = tdat_error_no_memory(err, table->name);
	/* EventHeader records describe themselves: their columns are found in the records. */
	if (st == TDAT_OK && count && event_header_is(list[0].format))
		st = table_shapes_parts(t, table, &def.parts, &def.part_count, err);
	if (st == TDAT_OK)
		st = table_schema_init(s, &def, list, count, err);
	free(list);
	if (st == TDAT_OK)
		return s;
	trace_schema_free(s);
	return NULL;
}

void trace_schema_free(struct table_schema *s)
{
	if (s)
		table_schema_fini(s);
	free(s);
}

/*
 * Returns the schema of a table, made at most once. The first check needs no lock: most calls find
 * the schema there.
 */
const struct table_schema *trace_schema(const struct tdat_trace *t, const struct tdat_table *table,
					struct tdat_error *err)
{
	/* Only the slot changes, under the lock: a trace is const to those who share it. */
	struct trace_table *facts = &((struct tdat_trace *)t)->facts[table->index];
	pthread_mutex_t *lock = &((struct tdat_trace *)t)->lock;
	struct table_schema *s = atomic_load_explicit(&facts->made, memory_order_acquire);

	if (s)
		return s;
	pthread_mutex_lock(lock);
	/* Another thread may have made it while this one waited for the lock. */
	s = atomic_load(&facts->made);
	if (!s) {
		s = trace_schema_new(t, table, err);
		atomic_store_explicit(&facts->made, s, memory_order_release);
	}
	pthread_mutex_unlock(lock);
	return s;
}

/* Copies the caller's options, whose struct may be shorter or longer than ours. */
enum tdat_status trace_take_opts(struct tdat_table_opts *out, const struct tdat_table_opts *opts,
				 struct tdat_error *err)
{
	const struct tdat_table_opts defaults = TDAT_TABLE_OPTS_INIT;

	*out = defaults;
	tdat_opts_copy(out, sizeof(*out), opts);
	if (out->split_count ? out->split >= out->split_count : out->split > 0)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "there is no piece %u of %u: pieces are numbered from 0",
				      out->split, out->split_count);
	return TDAT_OK;
}

/* Reads a time in the syntax of filters (select_time.c); *ts is in the unit of the column ts. */
enum tdat_status tdat_trace_time(const struct tdat_trace *t, const char *text, int64_t *ts,
				 struct tdat_error *err)
{
	const struct tdat_iter_opts opts = trace_iter_opts(t);
	uint64_t v = 0;
	enum tdat_status st;

	st = read_select_time(&v, text, t->iter_inputs, t->input_count, &opts, err);
	if (st == TDAT_OK && v > INT64_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the time '%.80s' is beyond 2^63 - 1", text);
	*ts = (int64_t)v;
	return st;
}

/* Stored bytes of a piece, and the most pieces of a split. */
enum { PIECE_LEN = 2 << 20, MOST_PIECES = 4096 };

/*
 * Cuts the trace by its stored size, not by threads, so that pieces and their rows are the same on
 * any machine.
 */
enum tdat_status trace_cuts(struct read_cuts **out, const struct tdat_trace *t,
			    const struct tdat_table_opts *opts, uint32_t *first, uint32_t *each,
			    struct tdat_error *err)
{
	const uint32_t most = read_cuts_most(t->iter_inputs, t->input_count);
	const uint32_t splits = !opts->split_count	   ? 1
				: opts->split_count > most ? most
							   : opts->split_count;
	const uint64_t stored = read_stored_len(t->iter_inputs, t->input_count);
	uint64_t pieces = stored / splits / PIECE_LEN + 1;
	const struct tdat_iter_opts iter = trace_iter_opts(t);

	pieces = pieces < MOST_PIECES ? pieces : MOST_PIECES;
	pieces = pieces < most / splits ? pieces : most / splits;
	/* A stack's event may lie before the piece, which is read from the beginning then. */
	if (opts->filter && read_select_owns(opts->filter))
		pieces = 1;
	*each = (uint32_t)pieces;
	*first = (opts->split < splits ? opts->split : splits) * *each;
	return read_cuts_new(out, t->iter_inputs, t->input_count, &iter, splits * *each, err);
}
