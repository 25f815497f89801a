/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers with sums of a span of time: events by type and CPU, tasks by time on a CPU. */
#include <stdlib.h>
#include <string.h>

#include <tdat/stat.h>

#include "answer.h"
#include "core/grow.h"

enum { TASKS_MOST = 100 };

/* What a task ran in the span. */
struct sum {
	uint32_t task;
	uint64_t time, count;
};

struct stats {
	struct view_question *q;
	struct view_span span;
	struct tdat_stat *stat;
	struct sum *sums; /* by number of the task, as far as there are */
	size_t sum_cap;
	struct lane_sum {
		uint64_t busy, known;
	} * lanes;
	size_t lane;
	bool failed, latency;
};

/* ---- tasks ---- */

static bool add_run(void *ctx, const struct view_run *run)
{
	struct stats *s = ctx;
	const uint64_t from = run->from > s->span.from ? run->from : s->span.from;
	const uint64_t to = run->to < s->span.to ? run->to : s->span.to;
	const uint64_t time = to > from ? to - from : 0;

	s->lanes[s->lane].known += time;
	if (run->pid)
		s->lanes[s->lane].busy += time;
	if (run->task >= VIEW_OTHER_TASKS)
		return true;
	if (run->task >= s->sum_cap) {
		size_t cap = s->sum_cap;
		struct sum *grown =
			tdat_grown(s->sums, &cap, (size_t)run->task + 1, sizeof(*grown));

		if (!grown) {
			s->failed = true;
			return false;
		}
		for (size_t i = s->sum_cap; i < cap; i++)
			grown[i] = (struct sum){(uint32_t)i, 0, 0};
		s->sums = grown;
		s->sum_cap = cap;
	}
	s->sums[run->task].time += time;
	s->sums[run->task].count++;
	return true;
}

static enum tdat_status sum_lanes(struct stats *s)
{
	const struct view_index *ix = s->q->api->index;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && !s->failed && i < ix->trace->lane_count; i++) {
		s->lane = i;
		st = view_lane_runs(ix, i, &s->span, add_run, s, s->q->err);
	}
	return st == TDAT_OK && s->failed ? tdat_error_no_memory(s->q->err, "sums") : st;
}

static int by_time(const void *a, const void *b, void *ctx)
{
	const struct view_tasks *tasks = ctx;
	const struct sum *x = a, *y = b;
	const struct view_task *t = view_task(tasks, x->task), *u = view_task(tasks, y->task);

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (t->rec != u->rec)
		return t->rec < u->rec ? -1 : 1;
	if (t->pid != u->pid)
		return t->pid < u->pid ? -1 : 1;
	return strcmp(t->comm, u->comm);
}

static void put_tasks(struct stats *s)
{
	struct view_tasks *tasks = (struct view_tasks *)&s->q->api->index->tasks;
	struct view_json *j = &s->q->json;
	size_t count = 0;

	for (size_t i = 0; i < s->sum_cap; i++)
		if (s->sums[i].count && view_task(tasks, s->sums[i].task)->pid)
			s->sums[count++] = s->sums[i];
	if (count)
		qsort_r(s->sums, count, sizeof(*s->sums), by_time, tasks);
	view_json_u64(j, "tasks_total", count);
	view_json_array(j, "tasks");
	for (size_t i = 0; i < count && i < TASKS_MOST; i++) {
		const struct view_task *t = view_task(tasks, s->sums[i].task);

		view_json_object(j, NULL);
		view_json_u64(j, "rec", t->rec);
		view_json_i64(j, "pid", t->pid);
		view_json_text(j, "comm", t->comm);
		view_json_u64(j, "time", s->sums[i].time);
		view_json_u64(j, "n", s->sums[i].count);
		view_json_object_end(j);
	}
	view_json_array_end(j);
}

/* ---- events ---- */

static enum tdat_status count_events(struct stats *s)
{
	const struct view_trace *t = s->q->api->trace;
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	struct tdat_filter *filter;
	enum tdat_status st = view_read_filter(t, &s->span, NULL, &filter, s->q->err);

	if (st != TDAT_OK)
		return st;
	opts.threads = 2;
	opts.iter.filter = filter;
	st = tdat_stat_new(&s->stat, t->inputs, t->input_count, &opts, s->q->err);
	tdat_filter_free(filter);
	return st;
}

static void put_cpus(struct stats *s)
{
	const struct view_trace *t = s->q->api->trace;
	struct view_json *j = &s->q->json;
	size_t count;
	const struct tdat_stat_stream *streams = tdat_stat_streams(s->stat, &count);
	uint64_t events = 0, lost = 0, marks = 0;

	for (size_t i = 0; i < count; i++) {
		events += streams[i].event_count;
		lost += streams[i].lost_count;
		marks += streams[i].lost_marks;
	}
	view_json_u64(j, "events", events);
	view_json_u64(j, "lost", lost);
	view_json_u64(j, "lost_marks", marks);
	view_json_array(j, "cpus");
	for (size_t i = 0; i < count; i++) {
		const uint32_t rec = view_trace_rec(t, streams[i].input, streams[i].buffer);
		const struct view_lane *lane = view_trace_lane(t, rec, streams[i].cpu);

		if (!lane)
			continue;
		view_json_object(j, NULL);
		view_json_u64(j, "rec", rec);
		view_json_u64(j, "cpu", streams[i].cpu);
		view_json_u64(j, "events", streams[i].event_count);
		view_json_u64(j, "busy", s->lanes[lane - t->lanes].busy);
		view_json_u64(j, "known", s->lanes[lane - t->lanes].known);
		view_json_object_end(j);
	}
	view_json_array_end(j);
}

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

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->name, y->name);
}

static enum tdat_status put_types(struct stats *s)
{
	struct view_json *j = &s->q->json;
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
	view_json_array(j, "types");
	for (size_t i = 0; i < kept; i++) {
		view_json_object(j, NULL);
		view_json_text(j, "event", types[i].name);
		view_json_u64(j, "n", types[i].count);
		view_json_object_end(j);
	}
	view_json_array_end(j);
	free(types);
	return TDAT_OK;
}

/* ---- wakeups ---- */

enum { WORST = 20 };

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Returns a percentile by the nearest rank. */
static uint64_t percentile(const uint64_t *v, size_t count, unsigned part)
{
	const size_t rank = (count * part + 99) / 100;

	return v[rank ? rank - 1 : 0];
}

struct worst_wakeup {
	uint32_t rec;
	const struct view_mark *mark;
	const char *comm;
};

/* Keeps the longest latencies, the longest first; of equal ones the earlier. */
static void keep_worst(struct worst_wakeup *worst, size_t *count, struct worst_wakeup one)
{
	const uint64_t dur = one.mark->to - one.mark->from;
	size_t at = *count;

	while (at && dur > worst[at - 1].mark->to - worst[at - 1].mark->from)
		at--;
	if (at == WORST)
		return;
	if (*count < WORST)
		++*count;
	memmove(&worst[at + 1], &worst[at], (*count - at - 1) * sizeof(*worst));
	worst[at] = one;
}

static void put_worst(struct view_json *j, const struct worst_wakeup *worst, size_t count)
{
	view_json_array(j, "worst");
	for (size_t i = 0; i < count; i++) {
		const struct view_mark *m = worst[i].mark;

		view_json_object(j, NULL);
		view_json_u64(j, "rec", worst[i].rec);
		view_json_i64(j, "pid", m->depth);
		view_json_text(j, "comm", worst[i].comm);
		view_json_i64(j, "cpu", m->cpu);
		view_json_time(j, "waking", m->from);
		view_json_time(j, "end", m->to);
		view_json_u64(j, "dur", m->to - m->from);
		view_json_object_end(j);
	}
	view_json_array_end(j);
}

/* Puts the distribution of latencies; tracks holds the wakeups of each recording. */
static enum tdat_status put_wakeups(struct stats *s, const struct view_track *const *tracks)
{
	const size_t recs = s->q->api->trace->rec_count;
	struct view_json *j = &s->q->json;
	struct worst_wakeup worst[WORST + 1];
	size_t all = 0, n = 0, worst_count = 0;
	uint64_t *v, sum = 0;

	for (size_t r = 0; r < recs; r++)
		all += tracks[r]->count;
	v = calloc(all + 1, sizeof(*v));
	if (!v)
		return tdat_error_no_memory(s->q->err, "wakeups");
	for (size_t r = 0; r < recs; r++)
		for (size_t i = 0; i < tracks[r]->count; i++) {
			const struct view_mark *m = &tracks[r]->v[i];

			if (m->from > s->span.to || m->to < s->span.from)
				continue;
			v[n++] = m->to - m->from;
			sum += m->to - m->from;
			keep_worst(
				worst, &worst_count,
				(struct worst_wakeup){(uint32_t)r, m, tracks[r]->names.v[m->name]});
		}
	qsort(v, n, sizeof(*v), by_value);
	view_json_object(j, "wakeups");
	view_json_u64(j, "n", n);
	if (n) {
		view_json_u64(j, "min", v[0]);
		view_json_u64(j, "p50", percentile(v, n, 50));
		view_json_u64(j, "p90", percentile(v, n, 90));
		view_json_u64(j, "p99", percentile(v, n, 99));
		view_json_u64(j, "max", v[n - 1]);
		view_json_u64(j, "sum", sum);
	}
	put_worst(j, worst, worst_count);
	view_json_object_end(j);
	free(v);
	return TDAT_OK;
}

static enum tdat_status answer_wakeups(struct stats *s)
{
	const size_t recs = s->q->api->trace->rec_count;
	const struct view_track **tracks = calloc(recs + 1, sizeof(struct view_track *));
	enum tdat_status st = tracks ? TDAT_OK : tdat_error_no_memory(s->q->err, "wakeups");
	bool pending = false;

	for (size_t r = 0; st == TDAT_OK && r < recs; r++) {
		const struct view_track_key key = {VIEW_TRACK_WAKEUP_TIMES, (uint32_t)r, -1, "",
						   ""};

		st = view_track_get(s->q->api->tracks, &key, &tracks[r], s->q->err);
		pending = pending || !tracks[r];
	}
	if (st == TDAT_OK && pending)
		view_json_bool(&s->q->json, "pending", true);
	else if (st == TDAT_OK)
		st = put_wakeups(s, tracks);
	for (size_t r = 0; tracks && r < recs; r++)
		view_track_put(s->q->api->tracks, tracks[r]);
	free(tracks);
	return st;
}

static enum tdat_status put_sums(struct stats *s)
{
	struct view_json *j = &s->q->json;
	enum tdat_status st = sum_lanes(s);

	if (st == TDAT_OK)
		st = count_events(s);
	if (st != TDAT_OK)
		return st;
	put_cpus(s);
	st = put_types(s);
	put_tasks(s);
	if (st == TDAT_OK && s->latency)
		st = answer_wakeups(s);
	view_json_object_end(j);
	return st;
}

enum tdat_status view_answer_stats(struct view_question *q)
{
	struct stats s = {.q = q};
	struct view_json *j = &q->json;
	uint64_t latency = 0;
	enum tdat_status st = view_query_span(q->query, q->api->trace, &s.span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "latency", 0, 1, &latency, q->err);
	s.latency = latency;
	if (st != TDAT_OK)
		return st;
	view_json_object(j, NULL);
	view_json_time(j, "from", s.span.from);
	view_json_time(j, "to", s.span.to);
	if (!view_index_complete(q->api->index)) {
		view_json_bool(j, "pending", true);
		view_json_object_end(j);
		return TDAT_OK;
	}
	s.lanes = calloc(q->api->trace->lane_count + 1, sizeof(*s.lanes));
	st = s.lanes ? put_sums(&s) : tdat_error_no_memory(q->err, "sums");
	if (st == TDAT_OK)
		st = view_answer_fits(q, "the trace has too many CPUs");
	tdat_stat_free(s.stat);
	free(s.lanes);
	free(s.sums);
	return st;
}
