/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the cells of a lane in a window, which are intervals on its CPU, and those of moments.
 * What is coarser than the index comes from the index, what is finer from the file.
 */
#ifndef VIEW_DATA_LANE_H
#define VIEW_DATA_LANE_H

#include "shares.h"

/* In windows with more events than this, of all kinds, events are never read. */
enum { VIEW_READ_MOST = 6000000 };

/* What is known of a lane besides its cells. */
struct view_lane_state {
	bool partial; /* the index has not come so far yet */
	bool coarse;  /* there are too many events to read: cells are longer than pixels */
};

/* Gives the cells of the intervals on the CPU of a lane; c is initialised. */
enum tdat_status view_lane_cells(const struct view_index *ix, size_t lane, struct view_shares *c,
				 struct view_lane_state *state, struct tdat_error *err);

/*
 * Adds what a lane ran to the columns of a window, whose starts are those of view_shares_start.
 */
enum tdat_status view_lane_sum(const struct view_index *ix, size_t lane,
			       const struct view_shares *window, const uint64_t *starts,
			       struct view_sum *sums, struct view_lane_state *state,
			       struct tdat_error *err);

/* Takes an interval on the CPU; returns false when it wants no more. */
typedef bool (*view_run_fn)(void *ctx, const struct view_run *run);

/*
 * Gives out the intervals on the CPU of a lane that have a moment in the span, in order. The index
 * of the lane must be complete.
 */
enum tdat_status view_lane_runs(const struct view_index *ix, size_t lane,
				const struct view_span *span, view_run_fn take, void *ctx,
				struct tdat_error *err);

/*
 * Gives cells of the times on any CPU of a task, for a row of it that is still being made: of few
 * events they are its intervals, of more they are sums of bins, whose counts are numbers of parts
 * and whose times are those of bins where it is among the tasks that ran longest.
 */
enum tdat_status view_running_cells(const struct view_index *ix, uint32_t rec, int64_t pid,
				    struct view_shares *c, struct tdat_error *err);

/*
 * Adds moments to cells: n events at a time, or n events in a bin that is 1 << shift long. Such
 * cells get nothing else.
 */
void view_cells_tick(struct view_cells *c, uint64_t ts, uint64_t n);
void view_cells_tick_bin(struct view_cells *c, uint64_t from, unsigned shift, uint64_t n);

#endif
