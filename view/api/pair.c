/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the latencies from one event to another, as tdat latency --pair does: their
 * quantiles, how many there are by powers of two, and for each pixel the least and the greatest.
 * The pair is a table of a trace of its own, which is read twice: for sums, and for the pixels.
 */
#include <stdlib.h>

#include <tdat/rows.h>
#include <tdat/summary.h>

#include "answer.h"

/* The latencies that begin in a pixel. */
struct pixel {
	uint64_t ts, count; /* ts: when the greatest began */
	int64_t least, most;
};

struct points {
	struct view_span span;
	struct pixel *v;
	uint64_t width;
};

static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	struct points *p = ctx;
	const uint64_t ts = (uint64_t)v[0].number;
	const uint64_t len = p->span.to - p->span.from;
	struct pixel *at;

	(void)table;
	if (v[1].is_null || ts < p->span.from || ts > p->span.to)
		return true;
	at = &p->v[(uint64_t)((double)(ts - p->span.from) / ((double)len + 1) * (double)p->width)];
	if (!at->count || v[1].number < at->least)
		at->least = v[1].number;
	if (!at->count || v[1].number > at->most) {
		at->most = v[1].number;
		at->ts = ts;
	}
	at->count++;
	return true;
}

static void put_points(struct tdat_json *j, const struct points *p)
{
	static const char *const columns[] = {"t", "n", "min", "max", NULL};

	tdat_json_object(j, "points");
	view_json_columns(j, columns);
	for (uint64_t i = 0; i < p->width; i++) {
		if (!p->v[i].count)
			continue;
		tdat_json_array(j, NULL);
		view_json_offset(j, NULL, p->v[i].ts, p->span.from);
		tdat_json_u64(j, NULL, p->v[i].count);
		tdat_json_i64(j, NULL, p->v[i].least);
		tdat_json_i64(j, NULL, p->v[i].most);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* buckets[i] has the values from 2^(i-1) to below 2^i; those behind the last one are left out. */
static enum tdat_status put_sums(struct view_question *q, const struct tdat_summary *s)
{
	static const char *const names[TDAT_GROUP_QUANTILES] = {"p50", "p90", "p99", "p99_9"};
	struct tdat_json *j = &q->json;
	uint64_t log2[TDAT_GROUP_LOG2];
	size_t used = TDAT_GROUP_LOG2;
	struct tdat_group all;
	const enum tdat_status st = tdat_group(s, TDAT_ALL_GROUPS, &all, q->err);

	if (st != TDAT_OK)
		return st;
	tdat_json_u64(j, "n", all.value_count);
	tdat_json_u64(j, "not_counted", tdat_groups_facts(s)->rows_without_value);
	if (all.value_count) {
		tdat_json_i64(j, "min", all.least);
		tdat_json_i64(j, "max", all.greatest);
		tdat_json_i64(j, "mean", all.mean);
		for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
			tdat_json_i64(j, names[i], all.quantiles[i]);
	}
	tdat_group_log2(s, TDAT_ALL_GROUPS, log2);
	while (used && !log2[used - 1])
		used--;
	tdat_json_array(j, "buckets");
	for (size_t i = 0; i < used; i++)
		tdat_json_u64(j, NULL, log2[i]);
	tdat_json_array_end(j);
	return TDAT_OK;
}

static enum tdat_status put_pairs(struct view_question *q, const struct tdat_trace *trace,
				  const struct tdat_table_opts *read, struct points *p)
{
	static const char *const columns[] = {"ts", "dur", NULL};
	const struct tdat_rows_table table = {tdat_trace_find(trace, "pair"), columns};
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;
	struct tdat_summary *s = NULL;
	enum tdat_status st;

	opts.table = "pair";
	st = tdat_summary_groups(&s, trace, &opts, q->err);
	if (st == TDAT_OK)
		st = tdat_summary_run(s, read, q->err);
	if (st == TDAT_OK)
		st = put_sums(q, s);
	if (st == TDAT_OK)
		st = tdat_trace_rows(trace, &table, 1, read, take_row, p, q->err);
	if (st == TDAT_OK)
		put_points(&q->json, p);
	tdat_summary_free(s);
	return st;
}

enum tdat_status view_answer_pair(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	const char *text = view_query_get(q->query, "pair");
	struct tdat_table_opts read;
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	struct points p = {.width = 1000};
	struct tdat_trace *trace = NULL;
	struct tdat_filter *filter = NULL;
	const char *pair = text ? text : "";
	enum tdat_status st = view_query_span(q->query, t, &p.span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "width", 1, 16384, &p.width, q->err);
	if (st == TDAT_OK)
		st = view_read_filter(t, &p.span, NULL, NULL, &filter, q->err);
	if (st != TDAT_OK)
		return st;
	p.v = calloc((size_t)p.width + 1, sizeof(*p.v));
	opts.pairs = &pair;
	opts.pair_count = 1;
	read = view_read_opts(q, filter);
	st = p.v ? tdat_trace_new(&trace, t->inputs, t->input_count, &opts, q->err)
		 : tdat_error_no_memory(q->err, "latencies");
	if (st == TDAT_OK)
		st = put_pairs(q, trace, &read, &p);
	tdat_trace_free(trace);
	tdat_filter_free(filter);
	free(p.v);
	return st;
}
