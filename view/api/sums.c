/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with sums of the derived tables in a span: states of threads, slices, calls, functions,
 * interrupts and disk requests, by name. One pass over the events of a file reads up to
 * TDAT_ROWS_TABLES tables. Time is counted inside of the span only. The answer is made in the
 * background (made.c).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/rows.h>

#include "answer.h"
#include "core/grow.h"
#include "core/search.h"

/* Names of one table that are counted, and those in the answer. */
enum { NAMES_MOST = 100000, NAMES_SHOWN = 500 };

/* Places of the columns that all tables have. */
enum { TS, DUR, OPEN, FIRST_OWN };
#define COMMON "ts", "dur", "open"

/* How the name of a row is made of its own columns. */
enum naming { ONE, TWO, OR_NUMBER, OR_ADDRESS };

static const struct source {
	const char *table;
	const char *columns[FIRST_OWN + 3];
	enum naming naming;
} sources[] = {
	{"thread_state", {COMMON, "state"}, ONE},
	{"slice", {COMMON, "name"}, ONE},
	{"syscall", {COMMON, "name", "nr"}, OR_NUMBER},
	{"function", {COMMON, "func", "func_addr"}, OR_ADDRESS},
	{"irq", {COMMON, "name"}, ONE},
	{"softirq", {COMMON, "name"}, ONE},
	{"block_io", {COMMON, "dev", "rwbs"}, TWO},
};
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* The rows of a name. */
struct sum {
	uint64_t n, time, longest;
	uint32_t name;
};

struct sums {
	struct view_names names;
	struct sum *v; /* by the number of their name */
	size_t count, cap;
	uint64_t left_out; /* rows whose name had no room */
};

/* A pass over one file. */
struct pass {
	struct sums *sums; /* by source */
	const struct source *read[TDAT_ROWS_TABLES];
	size_t count;
	struct view_span span;
	uint64_t end; /* of the file */
	bool failed;
};

static void name_row(const struct source *s, const struct tdat_value *own, char *out, size_t len)
{
	const bool is_null = own[0].is_null;

	if (is_null && s->naming == OR_ADDRESS)
		snprintf(out, len, "0x%" PRIx64, (uint64_t)own[1].number);
	else if (is_null && s->naming == OR_NUMBER)
		snprintf(out, len, "%" PRId64, own[1].number);
	else
		snprintf(out, len, "%.*s%s%.*s", (int)own[0].text.len,
			 is_null ? "" : (const char *)own[0].text.ptr, s->naming == TWO ? " " : "",
			 s->naming == TWO ? (int)own[1].text.len : 0,
			 s->naming == TWO && !own[1].is_null ? (const char *)own[1].text.ptr : "");
}

/* Returns the sum of a name. NULL: it has no room, or there is no memory. */
static struct sum *sum_of(struct pass *p, struct sums *s, const char *name)
{
	uint32_t number;

	if (view_names_count(&s->names) >= NAMES_MOST &&
	    !tdat_byte_set_find(&s->names.set, name, strlen(name) + 1)) {
		s->left_out++;
		return NULL;
	}
	if (!view_names_number(&s->names, name, strlen(name), &number) ||
	    !TDAT_GROW_ZERO(s->v, &s->cap, (size_t)number + 1)) {
		p->failed = true;
		return NULL;
	}
	s->count = view_names_count(&s->names);
	s->v[number].name = number;
	return &s->v[number];
}

static bool take(void *ctx, size_t table, const struct tdat_value *v)
{
	struct pass *p = ctx;
	const struct source *source = p->read[table];
	const uint64_t from = (uint64_t)v[TS].number;
	const bool is_open = v[DUR].is_null && !v[OPEN].is_null && v[OPEN].text.len == 3;
	uint64_t to = from, a, b;
	char name[300];
	struct sum *sum;

	/* What is open at the end of the file lasts until then, but for the last call of a task. */
	if (!v[DUR].is_null)
		to += (uint64_t)v[DUR].number;
	else if (is_open && p->end > from &&
		 !(source->naming == OR_NUMBER && view_call_is_last(v + FIRST_OWN)))
		to = p->end;
	if (from > p->span.to || to < p->span.from)
		return true;
	name_row(source, v + FIRST_OWN, name, sizeof(name));
	sum = sum_of(p, &p->sums[source - sources], name);
	if (!sum)
		return !p->failed;
	a = from > p->span.from ? from : p->span.from;
	b = to < p->span.to ? to : p->span.to;
	sum->n++;
	sum->time = b - a > UINT64_MAX - sum->time ? UINT64_MAX : sum->time + (b - a);
	sum->longest = to - from > sum->longest ? to - from : sum->longest;
	return true;
}

static enum tdat_status read_file(struct view_question *q, struct sums *sums, uint32_t input,
				  const struct view_span *span)
{
	const struct view_trace *t = q->api->trace;
	const struct tdat_trace *trace = t->by_input[input];
	const struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	struct pass p = {sums, {NULL}, 0, *span, t->recs[t->first_rec[input]].to, false};
	struct tdat_rows_table tables[TDAT_ROWS_TABLES];
	struct tdat_filter *filter = NULL;
	enum tdat_status st = view_read_filter(t, span, &s, NULL, &filter, q->err);
	const struct tdat_table_opts read = view_read_opts(q, filter);

	for (size_t i = 0; st == TDAT_OK && i < SOURCES; i++) {
		const struct tdat_table *table = tdat_trace_find(trace, sources[i].table);

		if (table) {
			tables[p.count] = (struct tdat_rows_table){table, sources[i].columns};
			p.read[p.count++] = &sources[i];
		}
		if (p.count && (p.count == TDAT_ROWS_TABLES || i + 1 == SOURCES)) {
			st = tdat_trace_rows(trace, tables, p.count, &read, take, &p, q->err);
			p.count = 0;
		}
	}
	tdat_filter_free(filter);
	return st == TDAT_OK && p.failed ? tdat_error_no_memory(q->err, "sums") : st;
}

/* The longest time first; of equal ones the name that came first. */
static int by_time(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	return TDAT_ORDER(y->time, x->time, TDAT_ORDER(x->name, y->name, 0));
}

static void put_sums(struct tdat_json *j, const struct source *source, struct sums *s)
{
	static const char *const columns[] = {"name", "n", "time", "longest", NULL};

	if (!s->count)
		return;
	qsort(s->v, s->count, sizeof(*s->v), by_time);
	tdat_json_object(j, NULL);
	tdat_json_str(j, "table", source->table);
	tdat_json_u64(j, "total", s->count);
	tdat_json_u64(j, "left_out", s->left_out);
	view_json_columns(j, columns);
	for (size_t i = 0; i < s->count && i < NAMES_SHOWN; i++) {
		tdat_json_array(j, NULL);
		tdat_json_str(j, NULL, view_names_text(&s->names, s->v[i].name));
		tdat_json_u64(j, NULL, s->v[i].n);
		tdat_json_u64(j, NULL, s->v[i].time);
		tdat_json_u64(j, NULL, s->v[i].longest);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

enum tdat_status view_answer_sums(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	struct sums sums[SOURCES] = {0};
	struct tdat_json *j = &q->json;
	struct view_span span;
	enum tdat_status st = view_query_span(q->query, t, &span, q->err);

	/* A damaged file may have no recording. */
	for (uint32_t i = 0; st == TDAT_OK && i < t->input_count; i++)
		if (t->first_rec[i] < t->rec_count)
			st = read_file(q, sums, i, &span);
	if (st == TDAT_OK) {
		view_json_time(j, "from", span.from);
		view_json_time(j, "to", span.to);
		tdat_json_array(j, "tables");
		for (size_t i = 0; i < SOURCES; i++)
			put_sums(j, &sources[i], &sums[i]);
		tdat_json_array_end(j);
	}
	for (size_t i = 0; i < SOURCES; i++) {
		view_names_fini(&sums[i].names);
		free(sums[i].v);
	}
	return st;
}
