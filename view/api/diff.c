/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two windows of the trace, or of two of its files, as tdat diff does: the changes beyond
 * noise. A side is a file, or all of them, and a span of time. The answer is made in the background
 * (made.c), with the changes in the order of the library: the worst first.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tdat/summary.h>

#include "answer.h"

enum { CHANGES_MOST = 500 };

/* The parameters of a side. */
static const struct side {
	const char *from, *to, *file;
} sides[TDAT_DIFF_SIDES] = {{"a_from", "a_to", "a_file"}, {"b_from", "b_to", "b_file"}};

static enum tdat_status add_side(struct view_question *q, struct tdat_diff *d,
				 enum tdat_diff_side side)
{
	const struct view_trace *t = q->api->trace;
	struct tdat_table_opts read;
	struct view_span span = {t->from, t->to};
	uint64_t file = UINT64_MAX;
	struct tdat_filter *filter = NULL;
	char from[32], to[32];
	enum tdat_status st =
		view_query_u64(q->query, sides[side].from, 0, INT64_MAX, &span.from, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, sides[side].to, span.from, INT64_MAX, &span.to,
				    q->err);
	if (st == TDAT_OK)
		st = view_query_u64(q->query, sides[side].file, 0, t->input_count - 1, &file,
				    q->err);
	if (st == TDAT_OK)
		st = view_read_filter(t, &span, NULL, NULL, &filter, q->err);
	if (st != TDAT_OK)
		return st;
	snprintf(from, sizeof(from), "%" PRIu64 "%s", span.from, t->ns ? "ns" : "");
	snprintf(to, sizeof(to), "%" PRIu64 "%s", span.to, t->ns ? "ns" : "");
	read = view_read_opts(q, filter);
	st = tdat_diff_add(d, side, file == UINT64_MAX ? t->tables : t->by_input[file], &read,
			   span.from > t->from ? from : NULL, span.to < t->to ? to : NULL, q->err);
	tdat_filter_free(filter);
	return st;
}

static void put_change(struct tdat_json *j, const struct tdat_diff_change *c)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "what", c->what);
	tdat_json_strn(j, "key", c->key.ptr ? (const void *)c->key.ptr : "", c->key.len);
	tdat_json_str(j, "metric", tdat_diff_metric_name(c->metric));
	tdat_json_bool(j, "per_cpu", c->per_cpu);
	view_json_real(j, "a", c->a);
	view_json_real(j, "b", c->b);
	view_json_real(j, "change", c->change);
	view_json_real(j, "low", c->low);
	view_json_real(j, "high", c->high);
	view_json_real(j, "p", c->p_adjusted);
	tdat_json_object_end(j);
}

/* What was not compared: members of the same names are those of tdat diff --json. */
static void put_rest(struct tdat_json *j, const struct tdat_diff *d)
{
	static const char *const names[] = {"a", "b"};
	const struct tdat_diff_note *notes;
	enum tdat_diff_side on;
	const char *what;
	size_t count;

	tdat_json_array(j, "one_side");
	for (size_t i = 0; (what = tdat_diff_what(d, i)); i++) {
		if (tdat_diff_compares(d, i, &on) || on == TDAT_DIFF_SIDES)
			continue;
		tdat_json_object(j, NULL);
		tdat_json_str(j, "what", what);
		tdat_json_str(j, "on", names[on]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_array(j, "left_out_rows");
	notes = tdat_diff_notes(d, &count);
	for (size_t i = 0; i < count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "on", names[notes[i].side]);
		tdat_json_str(j, "table", notes[i].table);
		tdat_json_str(j, "what", notes[i].what);
		tdat_json_u64(j, "count", notes[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

static void put_diff(struct view_question *q, const struct tdat_diff *d)
{
	const struct tdat_diff_facts *f = tdat_diff_facts(d);
	const struct tdat_diff_change *c;
	struct tdat_json *j = &q->json;

	tdat_json_array(j, "sides");
	for (size_t i = 0; i < TDAT_DIFF_SIDES; i++) {
		tdat_json_object(j, NULL);
		view_json_real(j, "time", f->sides[i].time);
		view_json_real(j, "cpus", f->sides[i].cpus);
		tdat_json_u64(j, "lost", f->sides[i].lost);
		tdat_json_u64(j, "lost_marks", f->sides[i].lost_marks);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_u64(j, "total", f->change_count);
	tdat_json_u64(j, "unchanged", f->unchanged);
	tdat_json_u64(j, "too_few", f->too_few);
	tdat_json_u64(j, "left_out", f->left_out);
	tdat_json_u64(j, "others", f->others);
	put_rest(j, d);
	tdat_json_array(j, "changes");
	for (size_t i = 0; i < CHANGES_MOST && (c = tdat_diff_change(d, i)); i++)
		put_change(j, c);
	tdat_json_array_end(j);
}

enum tdat_status view_answer_diff(struct view_question *q)
{
	struct tdat_diff_opts opts = TDAT_DIFF_OPTS_INIT;
	struct tdat_diff *d = NULL;
	enum tdat_status st;

	opts.is_cancelled = q->is_cancelled;
	opts.cancel_ctx = q->cancel_ctx;
	st = tdat_diff_new(&d, &opts, q->err);
	for (size_t i = 0; st == TDAT_OK && i < TDAT_DIFF_SIDES; i++)
		st = add_side(q, d, (enum tdat_diff_side)i);
	if (st == TDAT_OK)
		st = tdat_diff_run(d, q->err);
	if (st == TDAT_OK)
		put_diff(q, d);
	tdat_diff_free(d);
	return st;
}
