/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums up the times of tasks and CPUs. Sums of the whole trace come from the index, which made them
 * while it read the lanes; for a part of the trace all events of the span are read. The order of
 * the result does not depend on threads.
 */
#include "task_sums.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"

/* The lane that is being read. */
struct reading {
	struct view_task_sums *s;
	const struct view_span *span;
	struct view_lane_sum *lane;
	uint64_t done; /* the end of what was added: time that goes back adds nothing */
};

/* Adds the part of an interval that lies in the span. */
static bool add_run(void *ctx, const struct view_run *run)
{
	struct reading *r = ctx;
	const uint64_t from = run->from > r->done ? run->from : r->done;
	const uint64_t to = run->to < r->span->to ? run->to : r->span->to;
	const uint64_t time = to > from ? to - from : 0;

	r->done = to > r->done ? to : r->done;
	r->lane->known += time;
	if (run->pid)
		r->lane->busy += time;
	/* The complete index has all tasks; a run without one has no room in it. */
	if (run->task < r->s->count) {
		r->s->v[run->task].time += time;
		r->s->v[run->task].count++;
	}
	return true;
}

/* Other threads may be adding to the sums of the index; each is read once. */
static void take_sums(struct view_task_sums *s, const struct view_index *ix)
{
	const size_t lanes = view_index_complete(ix) ? ix->trace->lane_count : 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct view_task *t = view_task(&ix->tasks, i);

		s->v[i].count = __atomic_load_n(&t->count, __ATOMIC_RELAXED);
		s->v[i].time = __atomic_load_n(&t->time, __ATOMIC_RELAXED);
		s->v[i].first = __atomic_load_n(&t->first, __ATOMIC_RELAXED);
		s->v[i].last = __atomic_load_n(&t->last, __ATOMIC_RELAXED);
	}
	for (size_t i = 0; i < lanes; i++)
		s->lanes[i] = (struct view_lane_sum){ix->lanes[i].busy, ix->lanes[i].known};
}

static int by_pid(const void *a, const void *b)
{
	const struct view_task_sum *x = a, *y = b;

	return TDAT_ORDER(x->rec, y->rec, TDAT_ORDER(x->pid, y->pid, 0));
}

/*
 * The most time first. Ties are broken by what users see, not by the index's numbers, which depend
 * on threads.
 */
static int by_time(const void *a, const void *b)
{
	const struct view_task_sum *x = a, *y = b;
	const int order = by_pid(a, b);

	return TDAT_ORDER(y->time, x->time, order ? order : strcmp(x->comm, y->comm));
}

static int by_pid_and_time(const void *a, const void *b)
{
	const int order = by_pid(a, b);

	return order ? order : by_time(a, b);
}

/* A span that is wider than the trace is the whole trace, too. */
enum tdat_status view_task_sums_make(struct view_task_sums *s, const struct view_index *ix,
				     const struct view_span *span, struct tdat_error *err)
{
	const struct view_trace *t = ix->trace;
	const size_t count = __atomic_load_n(&ix->tasks.count, __ATOMIC_ACQUIRE);
	struct reading r = {.s = s, .span = span};
	enum tdat_status st = TDAT_OK;

	*s = (struct view_task_sums){.v = calloc(count + 1, sizeof(*s->v)),
				     .lanes = calloc(t->lane_count + 1, sizeof(*s->lanes))};
	if (!s->v || !s->lanes)
		return tdat_error_no_memory(err, "sums");
	s->count = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct view_task *task = view_task(&ix->tasks, i);

		s->v[i] = (struct view_task_sum){
			.rec = task->rec, .pid = task->pid, .comm = task->comm};
	}
	if (!span || (span->from <= t->from && span->to >= t->to))
		take_sums(s, ix);
	else
		for (size_t i = 0; st == TDAT_OK && i < t->lane_count; i++) {
			r.lane = &s->lanes[i];
			r.done = span->from;
			st = view_lane_runs(ix, i, span, add_run, &r, err);
		}
	s->count = 0;
	for (size_t i = 0; i < count; i++)
		if (s->v[i].count)
			s->v[s->count++] = s->v[i];
	qsort(s->v, s->count, sizeof(*s->v), by_time);
	return st;
}

void view_task_sums_fini(struct view_task_sums *s)
{
	free(s->v);
	free(s->lanes);
}

void view_task_sums_join(struct view_task_sums *s)
{
	size_t kept = 0;

	if (!s->count)
		return;
	qsort(s->v, s->count, sizeof(*s->v), by_pid_and_time);
	for (size_t i = 0; i < s->count; i++) {
		const struct view_task_sum *one = &s->v[i];
		struct view_task_sum *last = &s->v[kept ? kept - 1 : 0];

		if (!kept || by_pid(last, one)) {
			s->v[kept++] = *one;
			continue;
		}
		last->time += one->time;
		last->count += one->count;
		if (one->first < last->first)
			last->first = one->first;
		if (one->last > last->last)
			last->last = one->last;
	}
	s->count = kept;
	qsort(s->v, kept, sizeof(*s->v), by_time);
}
