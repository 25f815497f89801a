/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the rows of a table. Conditions become options of its stream: times a span, CPUs and pids
 * lists, names of events patterns. A condition that cannot become an option is left to SQLite. Rows
 * come from a tdat_trace stream, batch by batch.
 */
#include "rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "span.h"

/* Rows of a batch: few, so that the first row comes soon and all stay in the cache. */
enum { BATCH_ROWS = 16384 };

/* Numbers that a condition names: a list for the reader. */
struct numbers {
	uint32_t *v; /* also those of pids, by their bits */
	size_t count, room;
};

/* The conditions of a plan with their values, as options of the reader. */
struct choice {
	struct sql_span ts;
	struct numbers cpus, pids;
	bool by_cpu, by_pid;
	struct tdat_build system, event; /* texts, each with its NUL */
	bool by_system, by_event;
	uint64_t rows; /* of a batch: LIMIT and OFFSET together, or BATCH_ROWS */
	bool failed;   /* there was no memory */
};

/* ---- values ---- */

/*
 * Finds the integer from least to most that a value equals. *unknown: only SQLite can decide, as it
 * takes some texts for numbers.
 */
static bool integer_of(sqlite3_value *value, int64_t least, int64_t most, int64_t *v, bool *unknown)
{
	struct sql_span s = {least, most};

	sql_span_narrow(&s, PLAN_EQ, value);
	*unknown = s.from < s.to;
	*v = s.from;
	return s.from == s.to;
}

static bool add_number(struct numbers *n, uint32_t v)
{
	if (!TDAT_GROW(n->v, &n->room, n->count + 1))
		return false;
	n->v[n->count++] = v;
	return true;
}

/* Calls fn for the value of a condition, or for each value of an IN. False: fn returned false. */
static bool for_values(const struct plan_condition *c, sqlite3_value *value,
		       bool (*fn)(void *ctx, sqlite3_value *value), void *ctx)
{
	sqlite3_value *one;
	int rc;

	if (c->compare != PLAN_IN)
		return fn(ctx, value);
	for (rc = sqlite3_vtab_in_first(value, &one); rc == SQLITE_OK && one;
	     rc = sqlite3_vtab_in_next(value, &one))
		if (!fn(ctx, one))
			return false;
	return rc == SQLITE_OK || rc == SQLITE_DONE;
}

/* The context of take_number(). unknown: the condition cannot go into the reader. */
struct number_list {
	struct numbers *to;
	int64_t least, most;
	bool unknown, failed;
};

/* A value that no CPU or pid can have adds nothing: no row can match it. */
static bool take_number(void *ctx, sqlite3_value *value)
{
	struct number_list *l = ctx;
	int64_t v;

	if (integer_of(value, l->least, l->most, &v, &l->unknown))
		l->failed |= !add_number(l->to, (uint32_t)v);
	return !l->unknown && !l->failed;
}

/* Collects the numbers of a condition. False: the condition cannot go into the reader. */
static bool take_numbers(struct choice *k, const struct plan_condition *c, sqlite3_value *value,
			 struct numbers *to, int64_t least, int64_t most)
{
	struct number_list l = {to, least, most, false, false};
	const bool whole = for_values(c, value, take_number, &l);

	k->failed |= l.failed;
	return whole;
}

/*
 * The most texts of a condition, and the most patterns, that go into the reader's filter. It
 * compares each pattern with each event type, and a query can take the texts from the file itself.
 */
enum { TEXTS_MOST = 256 };

/* The context of take_text(). */
struct text_list {
	struct tdat_build *to;
	size_t count;
};

static bool take_text(void *ctx, sqlite3_value *value)
{
	struct text_list *l = ctx;
	const void *text;

	/* NULL equals nothing. */
	if (sqlite3_value_type(value) == SQLITE_NULL)
		return true;
	/* Numbers and bytes are left to SQLite, which may compare them as texts. */
	if (sqlite3_value_type(value) != SQLITE_TEXT)
		return false;
	text = sqlite3_value_text(value);
	if (!text || ++l->count > TEXTS_MOST)
		return false;
	tdat_build_cstr(l->to, text);
	return true;
}

static bool take_texts(const struct plan_condition *c, sqlite3_value *value, struct tdat_build *to)
{
	struct text_list l = {to, 0};

	return for_values(c, value, take_text, &l);
}

/* Adds LIMIT or OFFSET to the rows of a batch, up to BATCH_ROWS. */
static void take_limit(struct choice *k, sqlite3_value *value)
{
	const int64_t n = sqlite3_value_int64(value);

	/* A negative LIMIT means no limit. */
	if (n < 0 || n > BATCH_ROWS || k->rows + (uint64_t)n > BATCH_ROWS)
		k->rows = BATCH_ROWS;
	else
		k->rows += (uint64_t)n;
}

/* Turns all conditions into options. One that cannot be turned leaves its flag false. */
static void take_values(struct choice *k, const struct sql_plan *p, sqlite3_value **values)
{
	bool limited = false;

	for (size_t i = 0; i < p->condition_count; i++) {
		const struct plan_condition *c = &p->conditions[i];

		switch (c->role) {
		case PLAN_TS:
			sql_span_narrow(&k->ts, c->compare, values[i]);
			break;
		case PLAN_CPU:
			k->by_cpu = take_numbers(k, c, values[i], &k->cpus, 0, UINT32_MAX);
			break;
		case PLAN_PID:
			k->by_pid = take_numbers(k, c, values[i], &k->pids, INT32_MIN, INT32_MAX);
			break;
		case PLAN_SYSTEM:
			k->by_system = take_texts(c, values[i], &k->system);
			break;
		case PLAN_EVENT:
			k->by_event = take_texts(c, values[i], &k->event);
			break;
		case PLAN_LIMIT:
			take_limit(k, values[i]);
			limited = true;
			break;
		case PLAN_KEY:
			break;
		}
	}
	/* LIMIT 0 still needs a batch of one row, as 0 is the default size. */
	if (!limited || !k->rows)
		k->rows = limited ? 1 : BATCH_ROWS;
}

/* ---- event types ---- */

/* list: texts, each with its NUL. */
static bool has_text(const struct tdat_build *list, const char *text)
{
	for (size_t at = 0; at < list->len; at += strlen((const char *)list->ptr + at) + 1)
		if (!strcmp((const char *)list->ptr + at, text))
			return true;
	return false;
}

/* Names up to this length can be patterns of a filter. */
enum { NAME_MOST = 200 };

/* Appends a name as a pattern that matches nothing else: wildcards get a backslash. */
static void put_pattern(struct tdat_build *out, const char *name)
{
	for (; *name; name++) {
		if (strchr("*?[\\", *name))
			tdat_build_u8(out, '\\');
		tdat_build_u8(out, (uint8_t)*name);
	}
}

/*
 * Appends a pattern, with its NUL, for each wanted event type; *n counts them. False: patterns
 * cannot distinguish them from others, so the condition is left to SQLite.
 */
static bool put_patterns(struct tdat_build *out, const struct tdat_trace *trace,
			 const struct choice *k, size_t *n)
{
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);

	for (size_t i = 0; i < count; i++) {
		const struct tdat_table *t = &tables[i];

		if (t->kind != TDAT_TABLE_EVENT ||
		    (k->by_event && !has_text(&k->event, t->event)) ||
		    (k->by_system && !has_text(&k->system, t->system)))
			continue;
		/*
		 * Filters read a ":" as a "/" if they have no other; put_patterns() always writes
		 * one.
		 */
		if (strlen(t->event) > NAME_MOST || strlen(t->system) > NAME_MOST ||
		    *n == TEXTS_MOST)
			return false;
		put_pattern(out, t->system);
		tdat_build_u8(out, '/');
		put_pattern(out, t->event);
		tdat_build_u8(out, 0);
		++*n;
	}
	return true;
}

/* Makes the filter of wanted event types. *empty: no type is wanted, so no row can match. */
static enum tdat_status make_filter(struct sql_rows *r, const struct choice *k, bool *empty,
				    struct tdat_error *err)
{
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	const char **list = NULL;
	enum tdat_status st = TDAT_OK;
	struct tdat_build text;
	size_t n = 0;
	bool told;

	if (!k->by_event && !k->by_system)
		return TDAT_OK;
	tdat_build_init(&text, false);
	told = put_patterns(&text, r->table->trace->def.trace, k, &n);
	*empty = told && !n;
	if (told && n)
		list = calloc(n, sizeof(*list));
	if (text.failed || (told && n && !list))
		st = tdat_error_no_memory(err, "a filter");
	if (st == TDAT_OK && list) {
		const char *p = (const char *)text.ptr;

		for (size_t i = 0; i < n; i++, p += strlen(p) + 1)
			list[i] = p;
		opts.events = list;
		opts.event_count = n;
		/* Stacks are events of their own here, which the types select. */
		opts.stacks = TDAT_STACKS_NONE;
		st = tdat_filter_new(&r->filter, &opts, err);
	}
	free(list);
	tdat_build_fini(&text);
	return st;
}

/* ---- the stream ---- */

/* Chooses the columns that are read; one at least, as a batch needs it to have rows. */
static size_t choose_columns(struct sql_rows *r, const struct sql_plan *p, const char **names)
{
	const struct sql_table *t = r->table;
	size_t n = 0;

	for (size_t i = 0; i < t->column_count; i++) {
		r->places[i] = SQL_NO_COLUMN;
		if (!sql_plan_uses(p, i))
			continue;
		r->places[i] = n;
		names[n++] = sql_table_column(t, i)->name;
	}
	if (n)
		return n;
	names[0] = sql_table_column(t, t->ts == SQL_NO_COLUMN ? 0 : t->ts)->name;
	return 1;
}

/* The stream's own sentence; ENOMEM is how Arrow streams report lack of memory. */
static enum tdat_status stream_failed(struct sql_rows *r, int rc, struct tdat_error *err)
{
	const char *sentence = r->stream.get_last_error(&r->stream);

	return tdat_error_set(err, rc == ENOMEM ? TDAT_E_NOMEM : TDAT_E_SYSTEM, TDAT_NO_OFFSET,
			      "%s", sentence ? sentence : "a table cannot be read");
}

/* Opens the stream of the chosen columns, and reads its schema once. */
static enum tdat_status open_stream(struct sql_rows *r, const struct sql_plan *p,
				    struct tdat_table_opts *opts, struct tdat_error *err)
{
	const struct sql_trace *trace = r->table->trace;
	const char **names = calloc(r->table->column_count + 1, sizeof(*names));
	struct ArrowSchema schema;
	enum tdat_status st;
	int rc;

	r->places = calloc(r->table->column_count + 1, sizeof(*r->places));
	if (!names || !r->places) {
		free(names);
		return tdat_error_no_memory(err, "a query");
	}
	opts->column_count = choose_columns(r, p, names);
	opts->columns = names;
	opts->filter = r->filter;
	opts->damage = trace->def.damage;
	opts->damage_ctx = trace->def.ctx;
	opts->note = trace->def.note;
	opts->note_ctx = trace->def.ctx;
	opts->is_cancelled = trace->def.is_cancelled;
	opts->cancel_ctx = trace->def.ctx;
	st = tdat_trace_stream(trace->def.trace, r->table->table, opts, &r->stream, err);
	free(names);
	if (st != TDAT_OK)
		return st;
	rc = r->stream.get_schema(&r->stream, &schema);
	if (rc)
		return stream_failed(r, rc, err);
	st = table_columns_init(&r->columns, &schema, "SQL", err);
	r->has_columns = st == TDAT_OK;
	schema.release(&schema);
	return st;
}

static void choice_fini(struct choice *k)
{
	free(k->cpus.v);
	free(k->pids.v);
	tdat_build_fini(&k->system);
	tdat_build_fini(&k->event);
}

enum tdat_status sql_rows_start(struct sql_rows *r, struct sql_table *t, const struct sql_plan *p,
				sqlite3_value **values, bool *empty, struct tdat_error *err)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct choice k = {.ts = {INT64_MIN, INT64_MAX}};
	enum tdat_status st = TDAT_OK;

	memset(r, 0, sizeof(*r));
	r->table = t;
	/* An empty span or list means that no row can match: nothing is opened. */
	take_values(&k, p, values);
	*empty = k.ts.from > k.ts.to || (k.by_cpu && !k.cpus.count) || (k.by_pid && !k.pids.count);
	if (k.failed || k.system.failed || k.event.failed)
		st = tdat_error_no_memory(err, "the values of a query");
	if (st == TDAT_OK && !*empty)
		st = make_filter(r, &k, empty, err);
	/* The reader treats NULL lists as "all". */
	opts.batch_rows = (uint32_t)k.rows;
	opts.has_span = k.ts.from > INT64_MIN || k.ts.to < INT64_MAX;
	opts.from_ts = k.ts.from;
	opts.to_ts = k.ts.to;
	opts.cpus = k.by_cpu ? k.cpus.v : NULL;
	opts.cpu_count = k.cpus.count;
	opts.pids = k.by_pid ? (const int32_t *)k.pids.v : NULL;
	opts.pid_count = k.pids.count;
	if (st == TDAT_OK && !*empty)
		st = open_stream(r, p, &opts, err);
	choice_fini(&k);
	return st;
}

/* Returns the batch to its owner; the stream stays open. */
static void release_batch(struct sql_rows *r)
{
	if (r->batch.release)
		r->batch.release(&r->batch);
	r->row = r->count = 0;
}

void sql_rows_end(struct sql_rows *r)
{
	release_batch(r);
	if (r->stream.release)
		r->stream.release(&r->stream);
	if (r->has_columns)
		table_columns_fini(&r->columns);
	tdat_filter_free(r->filter);
	free(r->places);
	memset(r, 0, sizeof(*r));
}

bool sql_rows_batch(struct sql_rows *r, struct tdat_error *err)
{
	const struct sql_trace_def *def = &r->table->trace->def;

	/* Batches without rows are skipped, so that each call has a row or is the end. */
	do {
		int rc;

		release_batch(r);
		rc = r->stream.get_next(&r->stream, &r->batch);
		if (rc) {
			stream_failed(r, rc, err);
			return false;
		}
		if (!r->batch.release && !r->any && def->empty && !r->table->quiet)
			def->empty(def->ctx, r->table->table);
		if (!r->batch.release ||
		    table_columns_batch(&r->columns, &r->batch, err) != TDAT_OK)
			return false;
		r->count = (size_t)r->batch.length;
		r->any |= r->count;
		r->table->trace->rows += r->count;
	} while (!r->count);
	return true;
}
