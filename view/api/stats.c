/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with sums of a span of time: events by type and CPU, tasks by time on a CPU. Sums of the
 * whole trace come from the index, those of a part from the file. The library (tdat_stat) counts
 * the event types.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/stat.h>

#include "core/search.h"

#include "answer.h"
#include "data/task_sums.h"

/* Tasks and CPUs in the answer; tasks_total and cpus_total have the numbers of all. */
enum { TASKS_MOST = 100, CPUS_MOST = 256 };

/* State of one answer. */
struct stats {
	struct view_question *q;
	struct view_span span;
	struct tdat_stat *stat;
	struct view_task_sums sums;
	bool latency, pending;
};

/* ---- tasks ---- */

/* Only tasks that ran; the idle task is not one. */
static void put_tasks(struct stats *s)
{
	struct tdat_json *j = &s->q->json;
	size_t count = 0;

	for (size_t i = 0; i < s->sums.count; i++)
		if (s->sums.v[i].pid)
			s->sums.v[count++] = s->sums.v[i];
	tdat_json_u64(j, "tasks_total", count);
	tdat_json_array(j, "tasks");
	for (size_t i = 0; i < count && i < TASKS_MOST; i++) {
		const struct view_task_sum *t = &s->sums.v[i];

		tdat_json_object(j, NULL);
		tdat_json_u64(j, "rec", t->rec);
		tdat_json_i64(j, "pid", t->pid);
		tdat_json_str(j, "comm", t->comm);
		tdat_json_u64(j, "time", t->time);
		tdat_json_u64(j, "n", t->count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* ---- events ---- */

/* Counts by event type, on two threads. */
static enum tdat_status count_events(struct stats *s)
{
	const struct view_trace *t = s->q->api->trace;
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	struct tdat_iter_opts iter = TDAT_ITER_OPTS_INIT;
	struct tdat_filter *filter;
	enum tdat_status st = view_read_filter(t, &s->span, NULL, NULL, &filter, s->q->err);

	if (st != TDAT_OK)
		return st;
	opts.threads = 2;
	opts.iter = &iter;
	iter.filter = filter;
	st = tdat_stat_new(&s->stat, t->inputs, t->input_count, &opts, s->q->err);
	tdat_filter_free(filter);
	return st;
}

/* A CPU in the answer. */
struct cpu {
	const struct tdat_stat_stream *stream;
	uint32_t rec;
	struct view_lane_sum sum;
};

static int by_busy(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	return TDAT_ORDER(y->sum.busy, x->sum.busy,
			  TDAT_ORDER(y->stream->event_count, x->stream->event_count,
				     TDAT_ORDER(x->stream, y->stream, 0)));
}

/* Of more CPUs than the answer has, those are told that were busiest. */
static void put_cpu_list(struct stats *s, struct cpu *cpus, size_t count)
{
	struct tdat_json *j = &s->q->json;

	if (count > CPUS_MOST)
		qsort(cpus, count, sizeof(*cpus), by_busy);
	tdat_json_u64(j, "cpus_total", count);
	tdat_json_array(j, "cpus");
	for (size_t i = 0; i < count && i < CPUS_MOST; i++) {
		tdat_json_object(j, NULL);
		tdat_json_u64(j, "rec", cpus[i].rec);
		tdat_json_u64(j, "cpu", cpus[i].stream->cpu);
		tdat_json_u64(j, "events", cpus[i].stream->event_count);
		tdat_json_u64(j, "busy", cpus[i].sum.busy);
		tdat_json_u64(j, "known", cpus[i].sum.known);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* Counts by CPU. A stream without a lane is left out of the list, but not of the sums. */
static enum tdat_status put_cpus(struct stats *s)
{
	const struct view_trace *t = s->q->api->trace;
	struct tdat_json *j = &s->q->json;
	size_t count, kept = 0;
	const struct tdat_stat_stream *streams = tdat_stat_streams(s->stat, &count);
	struct cpu *cpus = calloc(count + 1, sizeof(*cpus));
	uint64_t events = 0, lost = 0, marks = 0;

	if (!cpus)
		return tdat_error_no_memory(s->q->err, "CPUs");
	for (size_t i = 0; i < count; i++) {
		const uint32_t rec = view_trace_rec(t, streams[i].input, streams[i].buffer);
		const struct view_lane *lane = view_trace_lane(t, rec, streams[i].cpu);

		events += streams[i].event_count;
		lost += streams[i].lost_count;
		marks += streams[i].losses;
		if (lane)
			cpus[kept++] =
				(struct cpu){&streams[i], rec, s->sums.lanes[lane - t->lanes]};
	}
	tdat_json_u64(j, "events", events);
	tdat_json_u64(j, "lost", lost);
	tdat_json_u64(j, "lost_marks", marks);
	put_cpu_list(s, cpus, kept);
	free(cpus);
	return TDAT_OK;
}

/* An event type by name, since its id may differ between files. */
struct type {
	char name[300];
	uint64_t count;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct type *)a)->name, ((const struct type *)b)->name);
}

static int by_count(const void *a, const void *b)
{
	const struct type *x = a, *y = b;

	return TDAT_ORDER(y->count, x->count, strcmp(x->name, y->name));
}

/* The number of events by type, types of the same name in several files added up. */
static enum tdat_status put_types(struct stats *s)
{
	struct tdat_json *j = &s->q->json;
	size_t count, kept = 0;
	const struct tdat_stat_event *events = tdat_stat_events(s->stat, &count);
	struct type *types = calloc(count + 1, sizeof(*types));

	if (!types)
		return tdat_error_no_memory(s->q->err, "event types");
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event event = {.input = events[i].input, .id = events[i].id};

		view_event_name(s->q->api->trace, &event, types[i].name, sizeof(types[i].name));
		types[i].count = events[i].count;
	}
	qsort(types, count, sizeof(*types), by_name);
	for (size_t i = 0; i < count; i++)
		if (kept && !strcmp(types[kept - 1].name, types[i].name))
			types[kept - 1].count += types[i].count;
		else
			types[kept++] = types[i];
	qsort(types, kept, sizeof(*types), by_count);
	tdat_json_array(j, "types");
	for (size_t i = 0; i < kept; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "event", types[i].name);
		tdat_json_u64(j, "n", types[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	free(types);
	return TDAT_OK;
}

/* ---- all ---- */

/* Writes the members of the answer; it ends the object. */
static enum tdat_status put_sums(struct stats *s)
{
	enum tdat_status st = view_task_sums_make(&s->sums, s->q->api->index, &s->span, s->q->err);

	if (st == TDAT_OK)
		st = count_events(s);
	if (st != TDAT_OK)
		return st;
	st = put_cpus(s);
	if (st == TDAT_OK)
		st = put_types(s);
	put_tasks(s);
	if (st == TDAT_OK && s->latency)
		st = view_put_latencies(s->q, &s->span, &s->pending);
	return st;
}

/* Repeats the answer for the whole trace, if it was made before. False: it was not. */
static bool repeat(struct stats *s)
{
	struct view_api *api = s->q->api;
	const struct view_whole *kept = &api->whole[s->latency];
	bool is_there;

	pthread_mutex_lock(&api->lock);
	is_there = kept->json.len && kept->span.from == s->span.from && kept->span.to == s->span.to;
	if (is_there)
		tdat_build_bytes(s->q->json.out, kept->json.ptr, kept->json.len);
	pthread_mutex_unlock(&api->lock);
	return is_there;
}

/*
 * Keeps the answer for the whole trace. A trace does not change. A pending answer is not kept.
 * Without memory nothing is kept.
 */
static void keep(struct stats *s, size_t begin)
{
	struct view_api *api = s->q->api;
	struct view_whole *kept = &api->whole[s->latency];
	const struct tdat_build *out = s->q->json.out;

	if (s->span.from > api->trace->from || s->span.to < api->trace->to || s->pending)
		return;
	pthread_mutex_lock(&api->lock);
	tdat_build_fini(&kept->json);
	tdat_build_init(&kept->json, false);
	kept->span = s->span;
	tdat_build_bytes(&kept->json, (const uint8_t *)out->ptr + begin, out->len - begin);
	if (kept->json.failed) {
		tdat_build_fini(&kept->json);
		tdat_build_init(&kept->json, false);
	}
	pthread_mutex_unlock(&api->lock);
}

/* Pending until the index is complete: a sum of half of the trace would mislead. */
enum tdat_status view_answer_stats(struct view_question *q)
{
	struct stats s = {.q = q};
	struct tdat_json *j = &q->json;
	const size_t begin = j->out->len;
	uint64_t latency = 0;
	enum tdat_status st = view_query_span(q->query, q->api->trace, &s.span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "latency", 0, 1, &latency, q->err);
	s.latency = latency;
	if (st != TDAT_OK || repeat(&s))
		return st;
	view_json_time(j, "from", s.span.from);
	view_json_time(j, "to", s.span.to);
	if (!view_index_complete(q->api->index)) {
		tdat_json_bool(j, "pending", true);
		return TDAT_OK;
	}
	st = put_sums(&s);
	if (st == TDAT_OK)
		keep(&s, begin);
	tdat_stat_free(s.stat);
	view_task_sums_fini(&s.sums);
	return st;
}
