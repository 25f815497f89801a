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

/*
 * An interval, or several of which key had time. known is the time of all together, and worst the
 * longest of them (of a CPU: of a task other than idle). share has the times of the states in rows
 * of states (shares.h).
 */
struct view_cell {
	uint64_t from, to;
	uint64_t count, time, known, worst;
	uint64_t share[VIEW_STATES];
	uint32_t key; /* VIEW_NO_TASK: none */
	int32_t cpu;  /* -1: none */
	enum view_open open;
};

/* The cell of one interval in a state. */
static inline struct view_cell view_cell_of(uint64_t from, uint64_t to, uint32_t key,
					    enum view_state state, enum view_open open)
{
	const uint64_t len = to - from;
	struct view_cell c = {from, to, 1, len, len, len, {0}, key, -1, open};

	c.share[state] = len;
	return c;
}

/* The time of a key in one cell. One with another stamp is left from an earlier cell. */
struct view_tally {
	uint64_t time;
	uint32_t stamp;
};

/* The times of keys in one cell, which are numbers of tasks or names; by key + 1. */
struct view_tallies {
	struct view_tally *v;
	size_t cap;
	uint32_t stamp;
};

/* Forgets the times of all keys: a new cell begins. */
void view_tallies_clear(struct view_tallies *t);
/*
 * Adds a time of a key, and sets the cell's key to the one with the most time. False without
 * memory.
 */
bool view_tallies_take(struct view_tallies *t, struct view_cell *cell, uint32_t key, uint64_t time);

struct view_cells {
	struct view_span span;
	uint64_t pixel; /* length of one, at least 1 */
	size_t most;	/* cells that may be single intervals, however short */
	struct view_cell *v;
	size_t count, cap;
	bool merged; /* there are more intervals than that */
	bool open;   /* the last cell takes more short intervals */
	bool exact;  /* each cell is an interval */
	bool failed; /* no memory */
	struct view_tallies tallies;
};

void view_cells_init(struct view_cells *c, const struct view_span *span, uint32_t width);
void view_cells_fini(struct view_cells *c);

/* Adds an interval that begins no earlier than those before. */
void view_cells_add(struct view_cells *c, const struct view_cell *iv);

/* Adds an interval of a track, or several that were put together. */
void view_cells_add_mark(struct view_cells *c, const struct view_mark *m);

/* Ends the cells. */
void view_cells_end(struct view_cells *c);

#endif
