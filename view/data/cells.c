/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes cells from intervals. An interval of a pixel or longer has a cell of
 * its own; shorter ones share a cell with sums by name. Input comes in order of time, so one pass
 * is enough.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* Up to two cells for each pixel, and some for narrow pictures, may be single intervals. */
void view_cells_init(struct view_cells *c, const struct view_span *span, uint32_t width)
{
	const uint64_t pixel = width ? (span->to - span->from) / width : 0;

	*c = (struct view_cells){.span = *span,
				 .pixel = pixel ? pixel : 1,
				 .most = 2 * (size_t)width + 16,
				 .exact = true};
}

void view_cells_fini(struct view_cells *c)
{
	free(c->v);
	free(c->tallies.v);
}

/* ---- times by key ---- */

/*
 * Makes all times those of an older cell by a new number, as clearing the array for each cell would
 * take longer than filling it. When the number wraps, old times could look new, hence they are
 * cleared.
 */
void view_tallies_clear(struct view_tallies *t)
{
	if (++t->stamp == 0 && t->v) {
		memset(t->v, 0, t->cap * sizeof(*t->v));
		t->stamp = 1;
	}
}

/*
 * With equal times the key that came first stays, as a later one must have more.
 */
bool view_tallies_take(struct view_tallies *t, struct view_cell *cell, uint32_t key, uint64_t time)
{
	const size_t at = (uint32_t)(key + 1); /* VIEW_NO_TASK has 0 */
	struct view_tally *tally;

	if (at >= t->cap && !TDAT_GROW_ZERO(t->v, &t->cap, at + 1))
		return false;
	tally = &t->v[at];
	if (tally->stamp != t->stamp)
		*tally = (struct view_tally){0, t->stamp};
	tally->time += time;
	if (tally->time > cell->time || cell->key == VIEW_NO_TASK || cell->key == key) {
		cell->key = key;
		cell->time = tally->time;
	}
	return true;
}

/* ---- cells ---- */

/* Returns a new last cell; NULL and failed: no memory. */
static struct view_cell *new_cell(struct view_cells *c)
{
	if (!TDAT_GROW(c->v, &c->cap, c->count + 1)) {
		c->failed = true;
		return NULL;
	}
	c->v[c->count] = (struct view_cell){.key = VIEW_NO_TASK, .cpu = -1};
	return &c->v[c->count++];
}

/*
 * A cell of exactly one interval, or of one mark that was merged before. No later interval joins
 * it.
 */
static void put_single(struct view_cells *c, const struct view_cell *iv)
{
	struct view_cell *cell = new_cell(c);

	c->open = false;
	if (cell)
		*cell = *iv;
}

/* Adds an interval to the open cell, or to a new one. */
static void put_merged(struct view_cells *c, const struct view_cell *iv)
{
	const uint64_t len = iv->to - iv->from;
	struct view_cell *cell;

	/* A cell ends where a gap of a pixel follows, and when it is a pixel long. */
	if (c->open) {
		cell = &c->v[c->count - 1];
		if (cell->to - cell->from >= c->pixel || iv->from - cell->from >= 2 * c->pixel ||
		    (iv->from > cell->to && iv->from - cell->to >= c->pixel))
			c->open = false;
	}
	if (len >= c->pixel) {
		put_single(c, iv);
		return;
	}
	cell = c->open ? &c->v[c->count - 1] : new_cell(c);
	if (!cell)
		return;
	if (!c->open) {
		view_tallies_clear(&c->tallies);
		cell->from = iv->from;
		cell->cpu = iv->cpu;
		c->open = true;
	}
	if (iv->to > cell->to)
		cell->to = iv->to;
	cell->count += iv->count;
	cell->known += iv->known;
	cell->open = iv->open;
	if (cell->cpu != iv->cpu)
		cell->cpu = -1;
	if (iv->worst > cell->worst)
		cell->worst = iv->worst;
	if (!view_tallies_take(&c->tallies, cell, iv->key, iv->time))
		c->failed = true;
}

/*
 * Begins to merge when there are more intervals than may have cells of their own. Those that came
 * before are merged, too, so the result does not depend on when it began.
 */
static void begin_merging(struct view_cells *c)
{
	struct view_cell *raw = c->v;
	const size_t count = c->count;

	c->v = NULL;
	c->count = c->cap = 0;
	c->merged = true;
	for (size_t i = 0; i < count; i++)
		put_merged(c, &raw[i]);
	free(raw);
}

/* Intervals must come in order of their beginning. */
void view_cells_add(struct view_cells *c, const struct view_cell *iv)
{
	if (!c->merged && c->count >= c->most)
		begin_merging(c);
	if (c->merged)
		put_merged(c, iv);
	else
		put_single(c, iv);
}

/* Marks that were merged in a track bring their sums along. */
void view_cells_add_mark(struct view_cells *c, const struct view_mark *m)
{
	struct view_cell iv = view_cell_of(m->from, m->to, m->name, VIEW_RUNNING, m->open);

	iv.cpu = m->cpu;
	if (m->count > 1) {
		iv.count = m->count;
		iv.time = m->sums.time;
		iv.worst = m->sums.worst;
		iv.known = m->sums.known;
	}
	view_cells_add(c, &iv);
}

/* Without merging a cell may still hold several: merged marks of a track. */
void view_cells_end(struct view_cells *c)
{
	c->open = false;
	for (size_t i = 0; c->exact && i < c->count; i++)
		c->exact = c->v[i].count == 1;
}
