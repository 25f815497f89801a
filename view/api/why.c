/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers why a task waited, as tdat why does: the segments of its critical path, and its causes.
 * Either the wait that has a time in it is explained, or all that the task did in a span. The
 * answer is made in the background (made.c).
 */
#include <inttypes.h>
#include <stdio.h>

#include <tdat/summary.h>

#include "answer.h"

enum { SEGMENTS_MOST = 20000, CAUSES_MOST = 100 };

static void put_task(struct tdat_json *j, bool has, int32_t pid, const char *comm)
{
	if (has)
		tdat_json_i64(j, NULL, pid);
	else
		tdat_json_null(j, NULL);
	tdat_json_str(j, NULL, comm);
}

static void put_segments(struct view_question *q, const struct tdat_why_interval *in)
{
	static const char *const columns[] = {"t0",    "t1",   "depth",	 "pid",	    "comm",
					      "cpu",   "kind", "by_pid", "by_comm", "what",
					      "state", "rec",  NULL};
	struct tdat_json *j = &q->json;

	tdat_json_u64(j, "segments_total", in->segment_count);
	tdat_json_object(j, "segments");
	view_json_columns(j, columns);
	for (size_t i = 0; i < in->segment_count && i < SEGMENTS_MOST; i++) {
		const struct tdat_why_segment *g = &in->segments[i];

		tdat_json_array(j, NULL);
		tdat_json_i64(j, NULL, g->ts - in->from);
		tdat_json_i64(j, NULL, g->ts - in->from + g->dur);
		tdat_json_u64(j, NULL, g->depth);
		put_task(j, true, g->pid, g->comm);
		tdat_json_i64(j, NULL, g->cpu);
		tdat_json_str(j, NULL, g->kind);
		put_task(j, g->has_by, g->by_pid, g->by_comm);
		tdat_json_str(j, NULL, g->what);
		tdat_json_str(j, NULL, g->state);
		tdat_json_u64(j, NULL, view_trace_rec(q->api->trace, g->input, g->buffer));
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

static void put_causes(struct tdat_json *j, const struct tdat_why_interval *in)
{
	tdat_json_u64(j, "causes_total", in->cause_count);
	tdat_json_array(j, "causes");
	for (size_t i = 0; i < in->cause_count && i < CAUSES_MOST; i++) {
		const struct tdat_why_cause *c = &in->causes[i];

		tdat_json_object(j, NULL);
		tdat_json_i64(j, "dur", c->dur);
		tdat_json_u64(j, "count", c->count);
		tdat_json_str(j, "kind", c->kind);
		tdat_json_str(j, "what", c->what);
		if (c->has_by)
			tdat_json_i64(j, "by_pid", c->by_pid);
		tdat_json_str(j, "by_comm", c->by_comm);
		tdat_json_array(j, "via");
		for (size_t k = 0; k < c->via_count; k++) {
			tdat_json_object(j, NULL);
			tdat_json_str(j, "kind", c->via[k].kind);
			tdat_json_str(j, "what", c->via[k].what);
			tdat_json_i64(j, "by_pid", c->via[k].by_pid);
			tdat_json_str(j, "by_comm", c->via[k].by_comm);
			tdat_json_object_end(j);
		}
		tdat_json_array_end(j);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The interval is null where the task was not off its CPU at that time. */
static void put_interval(struct view_question *q, const struct tdat_why_interval *in)
{
	struct tdat_json *j = &q->json;

	if (!in) {
		tdat_json_null(j, "from");
		return;
	}
	view_json_time(j, "from", (uint64_t)in->from);
	view_json_time(j, "to", (uint64_t)in->to);
	tdat_json_i64(j, "dur", in->dur);
	tdat_json_i64(j, "pid", in->pid);
	tdat_json_str(j, "comm", in->comm);
	put_causes(j, in);
	put_segments(q, in);
}

/*
 * The first interval of a task of the recording: others may have tasks of the same pid. Of several
 * waits at one time the longest comes first.
 */
static const struct tdat_why_interval *interval_of(const struct tdat_summary *sum,
						   const struct view_rec *rec)
{
	const struct tdat_why_interval *in;
	size_t i = 0;

	while ((in = tdat_why_interval(sum, i++)))
		if (in->input == rec->input && in->buffer == rec->buffer)
			break;
	return in;
}

/* All files are read: a task of a guest may have waited for what its host did. */
static enum tdat_status explain(struct view_question *q, const struct view_rec *rec, int32_t pid,
				const struct view_span *span, bool is_wait)
{
	const struct view_trace *t = q->api->trace;
	struct tdat_why_opts opts = TDAT_WHY_OPTS_INIT;
	struct tdat_table_opts read;
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	struct tdat_summary *sum = NULL;
	struct tdat_filter *filter;
	enum tdat_status st;

	s.filter.pids = &pid;
	s.filter.pid_count = 1;
	st = view_read_filter(t, span, &s, NULL, &filter, q->err);
	if (st != TDAT_OK)
		return st;
	opts.of = is_wait ? TDAT_EXPLAIN_WAITS : TDAT_EXPLAIN_ALL;
	/* One wait of a task may end at a time at which the next one begins. */
	opts.worst = is_wait ? 2 * (uint32_t)t->rec_count : 0;
	opts.has_from = opts.has_to = !is_wait;
	opts.from_ts = (int64_t)span->from;
	opts.to_ts = (int64_t)span->to;
	read = view_read_opts(q, filter);
	st = tdat_summary_why(&sum, t->tables, &opts, q->err);
	if (st == TDAT_OK)
		st = tdat_summary_run(sum, &read, q->err);
	if (st == TDAT_OK)
		put_interval(q, interval_of(sum, rec));
	tdat_summary_free(sum);
	tdat_filter_free(filter);
	return st;
}

enum tdat_status view_answer_why(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	uint64_t rec = 0, pid = UINT64_MAX, at = UINT64_MAX;
	struct view_span span;
	enum tdat_status st = view_query_span(q->query, t, &span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "rec", 0, UINT32_MAX, &rec, q->err);
	if (st == TDAT_OK)
		st = view_query_u64(q->query, "pid", 0, INT32_MAX, &pid, q->err);
	if (st == TDAT_OK)
		st = view_query_u64(q->query, "at", 0, INT64_MAX, &at, q->err);
	if (st != TDAT_OK)
		return st;
	if (pid == UINT64_MAX)
		return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter pid names the task to explain");
	if (rec >= t->rec_count)
		return tdat_error_set(q->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no recording %" PRIu64, rec);
	if (at != UINT64_MAX)
		span.from = span.to = at;
	return explain(q, &t->recs[rec], (int32_t)pid, &span, at != UINT64_MAX);
}
