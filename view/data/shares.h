/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells of a row whose intervals are states: of a task, or of a CPU. Few intervals have a cell
 * each. More of them become shares: a cell covers one pixel column, and has the time of each state
 * in it. Columns that lie inside of one interval are one cell. Time of no state is unknown.
 *
 * Threads: a struct view_shares belongs to one thread.
 */
#ifndef VIEW_DATA_SHARES_H
#define VIEW_DATA_SHARES_H

#include "cells.h"

struct view_shares {
	struct view_span span;
	uint32_t width;
	size_t most; /* cells that may be single intervals, however short */
	struct view_cell *v;
	size_t count, cap;
	bool merged, exact, failed;
	bool work_first; /* of a CPU: idle yields to any task as the key of a cell */
	bool works;	 /* the key of the column that is being filled is a task but idle */
	/* The column that is being filled, and its cell; since: where its one interval began. */
	uint32_t column;
	struct view_cell now;
	uint64_t since, last_since;
	uint64_t done; /* the end of what was added: intervals do not overlap */
	struct view_tallies tallies;
};

/* columns: make shares, even of few intervals. */
void view_shares_init(struct view_shares *s, const struct view_span *span, uint32_t width,
		      bool columns);
void view_shares_fini(struct view_shares *s);

/* Where a pixel column begins; of the column `width`, the end of the window. */
uint64_t view_shares_start(const struct view_shares *s, uint32_t column);

/* Adds an interval that begins no earlier than those before. */
void view_shares_add(struct view_shares *s, const struct view_cell *iv);

/* Adds a bin of a lane: running is the time of tasks, sleeping that of the idle task. */
void view_shares_add_bin(struct view_shares *s, const struct view_index *ix,
			 const struct view_lane_index *lane, uint32_t bin);

/* How long tasks ran in a pixel column, on several CPUs, and of how much time it is known. */
struct view_sum {
	double busy, known;
	uint64_t lost;
};

/* Adds the times of a bin to columns: starts has `width` of them and the end of the window. */
void view_shares_sum_bin(const struct view_index *ix, const struct view_lane_index *lane,
			 uint32_t bin, const uint64_t *starts, uint32_t width,
			 struct view_sum *sums);

/* Ends the cells. */
void view_shares_end(struct view_shares *s);

#endif
