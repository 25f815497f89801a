/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the times of a task on all CPUs of its recording, from the index or from few events. It
 * serves the row of a task until its track is made. Few events give exact intervals, more give sums
 * of bins.
 */
#include <stdlib.h>

#include "core/grow.h"
#include "core/search.h"
#include "lane.h"

/* The intervals of the task, of one CPU after the other. */
struct found {
	int64_t pid;
	struct view_run *v;
	size_t count, cap;
	bool failed;
};

/* The intervals of other tasks are skipped. */
static bool take_run(void *ctx, const struct view_run *run)
{
	struct found *f = ctx;

	if (run->pid != f->pid)
		return true;
	if (!TDAT_GROW(f->v, &f->cap, f->count + 1)) {
		f->failed = true;
		return false;
	}
	f->v[f->count++] = *run;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct view_run *x = a, *y = b;

	return TDAT_ORDER(x->from, y->from, TDAT_ORDER(x->to, y->to, 0));
}

/* Intervals of several CPUs must be in order of time before they become cells. */
static enum tdat_status add_runs(const struct view_index *ix, const struct view_rec *rec,
				 int64_t pid, struct view_shares *c, struct tdat_error *err)
{
	struct found f = {.pid = pid};
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && !f.failed && i < rec->lane_count; i++)
		st = view_lane_runs(ix, rec->first_lane + i, &c->span, take_run, &f, err);
	if (f.count)
		qsort(f.v, f.count, sizeof(*f.v), by_time);
	for (size_t i = 0; st == TDAT_OK && i < f.count; i++) {
		const struct view_cell one =
			view_cell_of(f.v[i].from, f.v[i].to, 0, VIEW_RUNNING, f.v[i].open);

		view_shares_add(c, &one);
	}
	free(f.v);
	return st == TDAT_OK && f.failed ? tdat_error_no_memory(err, "a row") : st;
}

/*
 * Adds the time that the task ran in a bin on all CPUs, if it is among the bin's longest tasks.
 * Bins that are not done yet are skipped.
 */
static void add_bin(const struct view_index *ix, const struct view_rec *rec, int64_t pid,
		    uint32_t bin, struct view_shares *c)
{
	struct view_cell iv = {.from = view_index_start(ix, bin), .cpu = -1};

	for (size_t i = 0; i < rec->lane_count; i++) {
		const struct view_lane_index *l = &ix->lanes[rec->first_lane + i];

		if (bin >= view_index_done(l))
			continue;
		for (uint8_t k = 0; k < l->bins[bin].part_count; k++) {
			const struct view_part *part = view_index_part(l, l->bins[bin].part + k);

			if (part->task >= VIEW_OTHER_TASKS ||
			    view_task(&ix->tasks, part->task)->pid != pid)
				continue;
			iv.count += part->count;
			iv.time += part->time;
			if (part->time > iv.worst)
				iv.worst = part->time;
		}
	}
	iv.to = view_index_start(ix, bin + 1);
	if (iv.to > ix->trace->to)
		iv.to = ix->trace->to;
	iv.known = iv.share[VIEW_RUNNING] = iv.time;
	if (iv.count)
		view_shares_add(c, &iv);
}

/* True if the window has few events on a complete index. */
static bool is_short(const struct view_index *ix, const struct view_rec *rec,
		     const struct view_span *span)
{
	uint64_t events = 0;

	for (size_t i = rec->first_lane; i < rec->first_lane + rec->lane_count; i++) {
		if (!__atomic_load_n(&ix->lanes[i].complete, __ATOMIC_ACQUIRE))
			return false;
		events += view_index_events(ix, i, span, ix->read_always);
	}
	return events <= ix->read_always;
}

/* The cells are never exact: the track will replace them. */
enum tdat_status view_running_cells(const struct view_index *ix, uint32_t rec, int64_t pid,
				    struct view_shares *c, struct tdat_error *err)
{
	const struct view_rec *r = rec < ix->trace->rec_count ? &ix->trace->recs[rec] : NULL;
	const uint32_t last = view_index_bin(ix, c->span.to);
	enum tdat_status st = TDAT_OK;

	if (r && is_short(ix, r, &c->span)) {
		st = add_runs(ix, r, pid, c, err);
	} else if (r) {
		for (uint32_t i = view_index_bin(ix, c->span.from); i <= last && !c->failed; i++)
			add_bin(ix, r, pid, i, c);
	}
	view_shares_end(c);
	return st == TDAT_OK && c->failed ? tdat_error_no_memory(err, "a row") : st;
}
