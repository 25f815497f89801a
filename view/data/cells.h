/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells of a row of a picture. Intervals that are at least as long as a pixel have a cell of
 * their own; shorter ones are put together until their cell is about a pixel long, and such a cell
 * tells how many they are, which key has the most time in it, and how long the longest one is.
 * Where there are few enough, each interval has a cell of its own, however short.
 *
 * Threads: a struct view_cells belongs to one thread.
 */
#ifndef VIEW_DATA_CELLS_H
#define VIEW_DATA_CELLS_H

#include "index.h"
#include "mark.h"

/* An interval, or several of which key had time. busy and worst are of those that count as work. */
struct view_cell {
	uint64_t from, to;
	uint64_t count, time, busy, known, worst;
	uint32_t key; /* VIEW_NO_TASK: none */
	int32_t cpu;  /* -1: none */
	enum view_open open;
};

/* The cell of one interval. */
static inline struct view_cell view_cell_of(uint64_t from, uint64_t to, uint32_t key, bool busy,
					    enum view_open open)
{
	const uint64_t len = to - from, work = busy ? len : 0;

	return (struct view_cell){from, to, 1, len, work, len, work, key, -1, open};
}

/* The time of a key in one cell. One with another stamp is left from an earlier cell. */
struct view_tally {
	uint64_t time;
	uint32_t stamp;
};

struct view_cells {
	struct view_span span;
	uint64_t pixel; /* length of one, at least 1 */
	size_t most;	/* cells that may be single intervals, however short */
	struct view_cell *v;
	size_t count, cap;
	bool merged;		  /* there are more intervals than that */
	bool open;		  /* the last cell takes more short intervals */
	bool exact;		  /* each cell is an interval */
	bool failed;		  /* no memory */
	struct view_tally *tally; /* by key + 1: keys are numbers of tasks or names */
	size_t tally_cap;
	uint32_t stamp;
};

void view_cells_init(struct view_cells *c, const struct view_span *span, uint32_t width);
void view_cells_fini(struct view_cells *c);

/* Adds an interval that begins no earlier than those before. */
void view_cells_add(struct view_cells *c, const struct view_cell *iv);

/* Adds an interval of a track, or several that were put together. */
void view_cells_add_mark(struct view_cells *c, const struct view_mark *m);

/* Adds a part of the bin from ... to; the cell is ended by view_cells_end_bin. */
void view_cells_add_bin(struct view_cells *c, const struct view_index *ix,
			const struct view_lane_index *lane, uint32_t bin);

/* Ends the cells. */
void view_cells_end(struct view_cells *c);

#endif
