/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends the reading of a track: its marks get their order, depths and ends. Runs that the index
 * knows are added before, calls end when their task died. Called by track_read.c when all rows were
 * read.
 */
#include <stdlib.h>

#include "core/search.h"
#include "track_merge.h"
#include "track_reading.h"

/* Orders by depth, then by time; of equal beginnings the longer first, as it contains the other. */
static int by_time(const void *a, const void *b)
{
	const struct view_mark *x = a, *y = b;

	return TDAT_ORDER(x->depth, y->depth,
			  TDAT_ORDER(x->from, y->from,
				     TDAT_ORDER(y->to, x->to, TDAT_ORDER(x->name, y->name, 0))));
}

/*
 * Intervals of tables without nesting get the lowest depth that is free; beyond DEPTHS_MOST they
 * overlap.
 */
enum { DEPTHS_MOST = 64 };

static void set_depths(struct view_track *t)
{
	uint64_t ends[DEPTHS_MOST] = {0};
	size_t used = 0;

	for (size_t i = 0; i < t->count; i++) {
		size_t depth = 0;

		while (depth < used && ends[depth] > t->v[i].from)
			depth++;
		if (depth == used && used < DEPTHS_MOST)
			used++;
		if (depth == DEPTHS_MOST)
			depth--;
		ends[depth] = t->v[i].to;
		t->v[i].depth = (int32_t)depth;
	}
}

/* Shrinks the array to its marks: tracks stay in the cache for long. */
static void give_back(struct view_reading *r)
{
	struct view_track *t = r->track;
	struct view_mark *less = t->count ? realloc(t->v, t->count * sizeof(*t->v)) : NULL;

	if (less) {
		t->v = less;
		r->cap = t->count;
	}
}

/*
 * Adds the runs that the index knows besides those of the table: before the first switch of a CPU,
 * and behind losses.
 */
void view_reading_early(struct view_reading *r, const int32_t *pids, size_t pid_count)
{
	static const char running[] = "running";
	const struct view_rec *rec = &r->t->recs[r->key->rec];

	for (size_t i = rec->first_lane; i < rec->first_lane + rec->lane_count; i++) {
		const struct view_lane_index *l = &r->ix->lanes[i];
		const bool complete = __atomic_load_n(&l->complete, __ATOMIC_ACQUIRE);

		for (size_t k = 0; complete && k < l->early_count; k++) {
			const struct view_run *run = &l->early[k];
			struct view_mark *m = NULL;
			size_t p = 0;

			while (p < pid_count && pids[p] != run->pid)
				p++;
			if (p < pid_count)
				m = view_reading_mark(r);
			if (!m)
				continue;
			m->from = run->from;
			m->to = run->to;
			m->open = run->open;
			m->cpu = (int32_t)r->t->lanes[i].cpu;
			if (!view_names_number(&r->track->names, running, sizeof(running) - 1,
					       &m->name))
				r->failed = true;
		}
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct view_mark *x = a, *y = b;

	return TDAT_ORDER(x->from, y->from, TDAT_ORDER(x->depth, y->depth, 0));
}

/*
 * The last calls of a task that died ended then: exit_group and its functions never return. A call
 * that another one of its depth, or of its caller's, follows ended before.
 */
static void end_at_death(const struct view_reading *r)
{
	struct view_track *t = r->track;
	size_t death = r->death_count;
	int32_t lowest = INT32_MAX; /* depth of later marks before this death */

	if (!r->death_count || !t->count)
		return;
	qsort(t->v, t->count, sizeof(*t->v), by_begin);
	for (size_t i = t->count; i > 0; i--) {
		struct view_mark *m = &t->v[i - 1];
		size_t k = 0;

		while (k < r->death_count && r->deaths[k] < m->from)
			k++;
		if (k != death)
			lowest = INT32_MAX;
		death = k;
		if (m->count == 1 && k < r->death_count && m->depth < lowest &&
		    (m->open == VIEW_OPEN_END || m->open == VIEW_OPEN_UNENDED ||
		     (m->open == VIEW_OPEN_LOST && m->to > r->deaths[k]))) {
			m->to = r->deaths[k];
			m->open = VIEW_CLOSED;
		}
		if (m->depth < lowest)
			lowest = m->depth;
	}
}

static bool finish(struct view_reading *r)
{
	const enum view_track_kind kind = r->key->kind;
	struct view_track *t = r->track;

	if (kind != VIEW_TRACK_WAKEUP_TIMES && t->count > VIEW_MARKS_MOST &&
	    !view_track_merge(t, kind, r->t->from, r->t->to, VIEW_MARKS_MOST))
		return false;
	give_back(r);
	if (view_track_is_of_calls(kind))
		end_at_death(r);
	/* In these tracks depth means something else, and they are in the order of the table. */
	if (kind == VIEW_TRACK_WAKEUP || kind == VIEW_TRACK_WAKEUP_TIMES)
		return true;
	if (t->count)
		qsort(t->v, t->count, sizeof(*t->v), by_time);
	if (kind == VIEW_TRACK_IRQ || kind == VIEW_TRACK_SOFTIRQ || kind == VIEW_TRACK_BLOCK ||
	    kind == VIEW_TRACK_SYSCALL) {
		set_depths(t);
		if (t->count)
			qsort(t->v, t->count, sizeof(*t->v), by_time);
	}
	/* A counter has its value until it gets the next one. */
	if (kind == VIEW_TRACK_COUNTER)
		for (size_t i = 0; i < t->count; i++)
			t->v[i].to = i + 1 < t->count ? t->v[i + 1].from : view_reading_end(r);
	for (size_t i = 0; i < t->count; i++)
		if (t->v[i].depth > t->depth_most)
			t->depth_most = t->v[i].depth;
	return true;
}

enum tdat_status view_reading_finish(struct view_reading *r)
{
	struct tdat_error *err = &r->track->head.err;

	if (r->failed)
		return tdat_error_no_memory(err, "a row");
	if (r->full)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			r->key->kind == VIEW_TRACK_WAKEUP_TIMES
				? "there are more than %d wakeups, too many to compare"
				: "the row has more than %d intervals that cannot be merged",
			r->key->kind == VIEW_TRACK_WAKEUP_TIMES ? TRACK_WAKEUPS_MOST
								: VIEW_MARKS_MOST);
	return finish(r) ? TDAT_OK : tdat_error_no_memory(err, "a row");
}
