/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the cells of a lane for a window, from the index or from the file. The window and its
 * pixels alone decide which, so an answer is the same each time. Both ways follow the rules of the
 * table sched.
 */
#include "lane.h"

/* Follows a CPU through a window; enough: the caller wants no more, or the window has ended. */
struct runs {
	const struct view_index *ix;
	struct view_sched sched;
	struct view_span span;
	view_run_fn take;
	void *ctx;
	bool enough;
};

/* Passes an interval on if it overlaps the span, and the CPU has a switch. */
static void give(struct runs *r, const struct view_run *run)
{
	if (run->to < r->span.from || !r->sched.switched)
		return;
	if (run->from > r->span.to)
		r->enough = true;
	else if (!r->take(r->ctx, run))
		r->enough = true;
}

static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct runs *r = ctx;

	for (size_t i = 0; i < count; i++) {
		struct view_run run;

		if (view_sched_event(&r->sched, &events[i], &run))
			give(r, &run);
		/* Behind the span only the end of what runs there is needed. */
		if (r->enough ||
		    (events[i].ts > r->span.to && ((!r->sched.now.runs && !r->sched.now.seen) ||
						   r->sched.now.since > r->span.to))) {
			r->enough = true;
			return i;
		}
	}
	return count;
}

/* The same interval seen from two bins. */
static bool same_run(const struct view_running *a, const struct view_running *b)
{
	return a->runs == b->runs && a->seen == b->seen && a->mixed == b->mixed &&
	       a->since == b->since && a->task == b->task && a->pid == b->pid;
}

/*
 * Returns the bin in which the running interval ends, not before bin. Each bin knows what ran at
 * its beginning, so only that last bin has to be read.
 */
static uint32_t find_end(const struct runs *r, const struct view_lane_index *l, uint32_t bin)
{
	while (bin + 1 < r->ix->bin_count && same_run(&l->bins[bin + 1].run, &r->sched.now))
		bin++;
	return bin;
}

/* Starts in the middle of the file: the first bin knows what runs there. */
enum tdat_status view_lane_runs(const struct view_index *ix, size_t lane,
				const struct view_span *span, view_run_fn take, void *ctx,
				struct tdat_error *err)
{
	const struct view_trace *t = ix->trace;
	const struct view_lane *def = &t->lanes[lane];
	const struct view_lane_index *l = &ix->lanes[lane];
	const uint32_t first = view_index_bin(ix, span->from);
	uint32_t last = view_index_bin(ix, span->to);
	struct runs r = {.ix = ix, .span = *span, .take = take, .ctx = ctx};
	struct view_span part = {view_index_start(ix, first), view_index_start(ix, last + 1) - 1};
	enum tdat_status st;
	struct view_run run;

	r.sched = (struct view_sched){.switches = &ix->switches[t->recs[def->rec].input],
				      .tasks = (struct view_tasks *)&ix->tasks,
				      .rec = def->rec,
				      .now = l->bins[first].run,
				      .last_ts = l->bins[first].before,
				      .switched = l->switched};
	st = view_read_lane(t, def, &part, NULL, take_events, &r, NULL, err);
	/* An interval that runs beyond the span: its end is in a later bin. */
	if (st == TDAT_OK && !r.enough && (r.sched.now.runs || r.sched.now.seen) &&
	    last + 1 < ix->bin_count) {
		last = find_end(&r, l, last + 1);
		part = (struct view_span){view_index_start(ix, last),
					  view_index_start(ix, last + 1) - 1};
		r.sched.last_ts = l->bins[last].before;
		st = view_read_lane(t, def, &part, NULL, take_events, &r, NULL, err);
	}
	if (st == TDAT_OK && !r.enough &&
	    (l->cut ? view_sched_lose(&r.sched, &run)
		    : view_sched_end(&r.sched, t->recs[def->rec].to, &run)))
		give(&r, &run);
	return st;
}

static bool add_run(void *ctx, const struct view_run *run)
{
	struct view_shares *s = ctx;
	struct view_cell iv = view_cell_of(run->from, run->to, run->task,
					   run->pid ? VIEW_RUNNING : VIEW_SLEEPING, run->open);

	iv.worst = run->pid ? iv.worst : 0;
	view_shares_add(s, &iv);
	return !s->failed;
}

/*
 * Few events are read from the file in any case. More are read only if bins are longer than pixels,
 * up to VIEW_READ_MOST; beyond, bins are drawn and marked as coarse. An incomplete index knows
 * neither the losses nor the end of intervals: bins that are done are drawn.
 */
static bool is_read(const struct view_index *ix, size_t lane, const struct view_shares *c,
		    struct view_lane_state *state)
{
	const bool fine = (c->span.to - c->span.from) / c->width < UINT64_C(1) << ix->shift;
	uint64_t events;

	*state = (struct view_lane_state){
		.partial = !__atomic_load_n(&ix->lanes[lane].complete, __ATOMIC_ACQUIRE)};
	if (state->partial)
		return false;
	events = view_index_events(ix, lane, &c->span, VIEW_READ_MOST);
	state->coarse = fine && events > VIEW_READ_MOST;
	return events <= ix->read_always || (fine && !state->coarse);
}

/* partial becomes false if the window's bins are done, though the index is not. */
enum tdat_status view_lane_cells(const struct view_index *ix, size_t lane, struct view_shares *c,
				 struct view_lane_state *state, struct tdat_error *err)
{
	const struct view_lane_index *l = &ix->lanes[lane];
	uint32_t end = view_index_bin(ix, c->span.to) + 1;
	enum tdat_status st = TDAT_OK;

	c->work_first = true;
	if (is_read(ix, lane, c, state)) {
		st = view_lane_runs(ix, lane, &c->span, add_run, c, err);
	} else {
		const uint32_t done = view_index_done(l);

		if (done >= end)
			state->partial = false;
		else
			end = done;
		for (uint32_t i = view_index_bin(ix, c->span.from); i < end && !c->failed; i++)
			view_shares_add_bin(c, ix, l, i);
	}
	view_shares_end(c);
	return st == TDAT_OK && c->failed ? tdat_error_no_memory(err, "a picture") : st;
}

/* Sums of several CPUs do not show single intervals: a sixteenth of a bin a pixel is fine enough.
 */
enum tdat_status view_lane_sum(const struct view_index *ix, size_t lane,
			       const struct view_shares *window, const uint64_t *starts,
			       struct view_sum *sums, struct view_lane_state *state,
			       struct tdat_error *err)
{
	const struct view_lane_index *l = &ix->lanes[lane];
	const uint64_t pixel = (window->span.to - window->span.from) / window->width;
	uint32_t end = view_index_bin(ix, window->span.to) + 1;
	struct view_shares s;
	enum tdat_status st = TDAT_OK;

	view_shares_init(&s, &window->span, window->width, true);
	if (pixel >= (UINT64_C(1) << ix->shift) / VIEW_SUBS || !is_read(ix, lane, &s, state)) {
		const uint32_t done = view_index_done(l);

		*state = (struct view_lane_state){.partial = done < end,
						  .coarse = pixel <
							    (UINT64_C(1) << ix->shift) / VIEW_SUBS};
		end = done < end ? done : end;
		for (uint32_t i = view_index_bin(ix, window->span.from); i < end; i++)
			view_shares_sum_bin(ix, l, i, starts, window->width, sums);
		return st;
	}
	st = view_lane_cells(ix, lane, &s, state, err);
	for (size_t i = 0, column = 0; i < s.count; i++) {
		const struct view_cell *c = &s.v[i];

		while (column + 1 < s.width && starts[column + 1] <= c->from)
			column++;
		/* A cell of several columns is of one state. */
		for (size_t k = column; k < s.width && starts[k] < c->to; k++) {
			const double part =
				(double)(starts[k + 1] - starts[k]) / (double)(c->to - c->from);

			sums[k].busy += (double)c->share[VIEW_RUNNING] * part;
			sums[k].known += (double)c->known * part;
		}
	}
	view_shares_fini(&s);
	return st;
}

/* ---- moments ---- */

/* Adds n events at a time. Times must not go back. */
void view_cells_tick(struct view_cells *c, uint64_t ts, uint64_t n)
{
	struct view_cell *last = c->count ? &c->v[c->count - 1] : NULL;

	/* Up to most moments have a cell each; when there are more, all are joined by pixel. */
	if (!c->merged && c->count >= c->most) {
		size_t kept = 0;

		c->merged = true;
		for (size_t i = 1; i < c->count; i++) {
			if (c->v[i].from - c->v[kept].from < c->pixel) {
				c->v[kept].to = c->v[i].to;
				c->v[kept].count += c->v[i].count;
			} else {
				c->v[++kept] = c->v[i];
			}
		}
		c->count = kept + 1;
		last = &c->v[kept];
	}
	if (c->merged && last && ts >= last->from && ts - last->from < c->pixel) {
		last->to = ts > last->to ? ts : last->to;
		last->count += n;
		return;
	}
	view_cells_add(c, &(struct view_cell){.from = ts, .to = ts, .count = n, .cpu = -1});
	c->open = false;
}

/* Adds the events of a bin: the cell covers the bin, as their times are not known. */
void view_cells_tick_bin(struct view_cells *c, uint64_t from, unsigned shift, uint64_t n)
{
	const uint64_t to = from + (UINT64_C(1) << shift);
	struct view_cell *last = c->count ? &c->v[c->count - 1] : NULL;

	c->merged = true;
	c->exact = false;
	if (!n)
		return;
	if (!last || from - last->from >= c->pixel) {
		view_cells_add(c, &(struct view_cell){.from = from, .to = from, .cpu = -1});
		c->open = false;
		if (c->failed)
			return;
		last = &c->v[c->count - 1];
	}
	/* Cells end at their last moment, as those that are made of events do. */
	last->to = to - 1;
	last->count += n;
}
