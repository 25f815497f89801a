/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes cells from intervals that are states. As long as there are few, each has a cell. When there
 * are more, the time of the window is cut into one column for each pixel, and each interval adds
 * its part to the columns that it overlaps. Of a bin of the index, the parts of a column follow
 * from the sixteenths of the bin. Input comes in order of time, so one column at a time is filled.
 * Used for rows of CPUs and tasks, in answers and in still pictures.
 */
#include "shares.h"

#include <stdlib.h>

#include "bin_times.h"
#include "core/grow.h"
#include "core/search.h"

void view_shares_init(struct view_shares *s, const struct view_span *span, uint32_t width,
		      bool columns)
{
	*s = (struct view_shares){.span = *span,
				  .width = width ? width : 1,
				  .most = 2 * (size_t)width + 16,
				  .merged = columns,
				  .exact = true,
				  .now = {.key = VIEW_NO_TASK, .cpu = -1},
				  .since = UINT64_MAX,
				  .last_since = UINT64_MAX,
				  .done = span->from};
	view_tallies_clear(&s->tallies);
}

void view_shares_fini(struct view_shares *s)
{
	free(s->v);
	free(s->tallies.v);
}

/* ---- columns ---- */

/* The length times the column by the width, which is taken apart so that it cannot overflow. */
uint64_t view_shares_start(const struct view_shares *s, uint32_t column)
{
	const uint64_t len = s->span.to - s->span.from;

	return s->span.from + len / s->width * column + len % s->width * column / s->width;
}

/* Returns the last column that begins at a time of the window, or before it. */
static uint32_t column_of(const struct view_shares *s, uint64_t ts)
{
	const double len = (double)(s->span.to - s->span.from);
	const double at = len > 0 ? (double)(ts - s->span.from) / len * s->width : 0;
	uint32_t column = at < s->width ? (uint32_t)at : s->width - 1;

	while (column && view_shares_start(s, column) > ts)
		column--;
	while (column + 1 < s->width && view_shares_start(s, column + 1) <= ts)
		column++;
	return column;
}

static void append(struct view_shares *s, const struct view_cell *c)
{
	if (TDAT_GROW(s->v, &s->cap, s->count + 1))
		s->v[s->count++] = *c;
	else
		s->failed = true;
}

/* Whether a cell lies inside of one interval. */
static bool is_whole(const struct view_cell *c)
{
	return c->count == 1 && c->known == c->to - c->from;
}

/*
 * Ends the column that is being filled. Columns inside of one interval are one cell, which ends as
 * its last one does.
 */
static void end_column(struct view_shares *s)
{
	struct view_cell *c = &s->now, *last = s->count ? &s->v[s->count - 1] : NULL;

	if (!c->count)
		return;
	if (last && s->since == s->last_since && s->since != UINT64_MAX && last->to == c->from &&
	    last->key == c->key && is_whole(last) && is_whole(c)) {
		last->to = c->to;
		last->time += c->time;
		last->known += c->known;
		for (size_t i = 0; i < VIEW_STATES; i++)
			last->share[i] += c->share[i];
		last->open = c->open;
	} else {
		append(s, c);
		s->last_since = s->since;
	}
	*c = (struct view_cell){.key = VIEW_NO_TASK, .cpu = -1};
	view_tallies_clear(&s->tallies);
}

/* Begins columns, unless the first is the one that is being filled. True: they are new. */
static bool begin_columns(struct view_shares *s, uint32_t first, uint32_t end)
{
	if (s->now.count && s->column >= first)
		return false;
	end_column(s);
	s->column = first;
	s->works = false;
	s->now.from = view_shares_start(s, first);
	s->now.to = view_shares_start(s, end);
	return true;
}

/* v of len, in a part of it. */
static uint64_t part_of(uint64_t v, uint64_t part, uint64_t len)
{
	return v == len	     ? part
	       : part == len ? v
			     : (uint64_t)((double)v * (double)part / (double)len);
}

/*
 * Adds a time of a key to the column that is being filled. On a CPU the idle task is the key only
 * of columns in which no other one ran.
 */
static void take_key(struct view_shares *s, uint32_t key, uint64_t time, bool works)
{
	if (s->work_first && works != s->works) {
		if (!works)
			return;
		s->works = true;
		s->now.key = VIEW_NO_TASK;
		s->now.time = 0;
		view_tallies_clear(&s->tallies);
	}
	if (!view_tallies_take(&s->tallies, &s->now, key, time))
		s->failed = true;
}

/* Adds [from, to) of an interval to the column that is being filled. */
static void add_part(struct view_shares *s, const struct view_cell *iv, uint64_t from, uint64_t to,
		     bool begins)
{
	const uint64_t len = iv->to - iv->from;
	struct view_cell *c = &s->now;

	for (size_t i = 0; i < VIEW_STATES; i++)
		c->share[i] += part_of(iv->share[i], to - from, len);
	c->known += part_of(iv->known, to - from, len);
	s->since = c->count ? UINT64_MAX : iv->from;
	c->cpu = c->count && c->cpu != iv->cpu ? -1 : iv->cpu;
	c->count += begins ? iv->count : 1;
	c->open = iv->open;
	if (iv->worst > c->worst)
		c->worst = iv->worst;
	take_key(s, iv->key, part_of(iv->time, to - from, len), iv->share[VIEW_RUNNING] > 0);
}

/*
 * Adds an interval to its columns. Those that lie inside of it are one cell. A part before the end
 * of another interval, as in a file whose time goes back, adds no time.
 */
static void add_to_columns(struct view_shares *s, const struct view_cell *iv)
{
	uint64_t from = iv->from > s->done ? iv->from : s->done;
	const uint64_t to = iv->to < s->span.to ? iv->to : s->span.to;
	bool begins = true;

	if (from > s->span.to)
		return;
	for (;;) {
		const uint32_t column = column_of(s, from);
		uint32_t end = column + 1;

		/* From the beginning of a column on, as many as it covers. */
		if (from == view_shares_start(s, column) && to > from && !s->now.count)
			end = column_of(s, to) > column ? column_of(s, to) : end;
		begin_columns(s, column, end);
		add_part(s, iv, from < to ? from : to, s->now.to < to ? s->now.to : to, begins);
		begins = false;
		from = s->now.to;
		if (from >= to || s->failed)
			break;
		end_column(s);
	}
	if (to > s->done)
		s->done = to;
}

/* Those that came before are made columns, too, so the result does not depend on when it began. */
static void begin_merging(struct view_shares *s)
{
	struct view_cell *raw = s->v;
	const size_t count = s->count;

	s->v = NULL;
	s->count = s->cap = 0;
	s->merged = true;
	for (size_t i = 0; i < count; i++)
		add_to_columns(s, &raw[i]);
	free(raw);
}

void view_shares_add(struct view_shares *s, const struct view_cell *iv)
{
	if (!s->merged && s->count >= s->most)
		begin_merging(s);
	if (s->merged)
		add_to_columns(s, iv);
	else
		append(s, iv);
}

/* ---- bins ---- */

/* What of the bin's time lies in [from, to), as an interval of no key. */
static struct view_cell piece_of(struct bin_times *t, uint64_t from, uint64_t to)
{
	const uint64_t a = from - t->start, b = to - t->start;
	struct view_cell c = {.from = from, .to = to, .key = VIEW_NO_TASK, .cpu = -1};
	const double len = (double)(to - from);

	if (to - from == t->len) {
		c.known = t->all_known;
		c.share[VIEW_RUNNING] = t->all_busy;
	} else {
		double busy, known;

		bin_times_cut(t);
		busy = bin_times_before(t->busy, t, b) - bin_times_before(t->busy, t, a);
		known = bin_times_before(t->known, t, b) - bin_times_before(t->known, t, a);
		c.known = (uint64_t)((known < len ? known : len) + 0.5);
		c.share[VIEW_RUNNING] = (uint64_t)(busy + 0.5);
	}
	if (c.share[VIEW_RUNNING] > c.known)
		c.share[VIEW_RUNNING] = c.known;
	c.share[VIEW_SLEEPING] = c.known - c.share[VIEW_RUNNING];
	c.worst = t->bin->worst;
	return c;
}

/* Adds the parts of a bin by task, in a piece of it, to the column that is being filled. */
static void take_tasks(struct view_shares *s, const struct view_index *ix,
		       const struct view_lane_index *lane, const struct view_cell *piece,
		       const struct view_bin *bin)
{
	const uint64_t len = UINT64_C(1) << ix->shift;

	for (uint8_t i = 0; i < bin->part_count; i++) {
		const struct view_part *p = view_index_part(lane, bin->part + i);
		bool works;

		if (p->task >= VIEW_OTHER_TASKS)
			continue;
		works = view_task(&ix->tasks, p->task)->pid;
		if (piece->share[works ? VIEW_RUNNING : VIEW_SLEEPING])
			take_key(s, p->task, part_of(p->time, piece->to - piece->from, len), works);
	}
}

/* A bin adds to the columns that it overlaps. All of its intervals are counted in each of them. */
void view_shares_add_bin(struct view_shares *s, const struct view_index *ix,
			 const struct view_lane_index *lane, uint32_t number)
{
	struct bin_times t;
	uint64_t from, end;

	s->merged = true;
	s->exact = false;
	if (!lane->bins[number].part_count)
		return;
	t = bin_times_of(ix, lane, number);
	end = t.start + t.len < s->span.to ? t.start + t.len : s->span.to;
	from = t.start > s->span.from ? t.start : s->span.from;
	while (from < end && !s->failed) {
		/* Most bins lie inside of the column that is being filled. */
		const bool inside = s->now.count && from < s->now.to;
		const uint32_t column = inside ? s->column : column_of(s, from);
		const uint64_t next = inside ? s->now.to : view_shares_start(s, column + 1);
		const uint64_t to = next < end ? next : end;
		const struct view_cell piece = piece_of(&t, from, to);
		const bool continues = t.bin->continues || from > t.start;
		const bool is_new = begin_columns(s, column, column + 1);

		if (is_new && continues && !t.bin->starts)
			s->since = t.bin->run.since;
		else if (t.bin->starts || (!is_new && s->since != t.bin->run.since))
			s->since = UINT64_MAX;
		/* An interval that began before the column counts in it, too. */
		s->now.count += t.bin->starts + (is_new && (continues || !t.bin->starts) ? 1 : 0);
		s->now.known += piece.known;
		for (size_t i = 0; i < VIEW_STATES; i++)
			s->now.share[i] += piece.share[i];
		if (piece.worst > s->now.worst)
			s->now.worst = piece.worst;
		take_tasks(s, ix, lane, &piece, t.bin);
		from = to;
	}
}

void view_shares_sum_bin(const struct view_index *ix, const struct view_lane_index *lane,
			 uint32_t number, const uint64_t *starts, uint32_t width,
			 struct view_sum *sums)
{
	struct bin_times t;
	uint64_t from, end;
	size_t column;

	if (!lane->bins[number].part_count)
		return;
	t = bin_times_of(ix, lane, number);
	bin_times_cut(&t);
	from = t.start > starts[0] ? t.start : starts[0];
	end = t.start + t.len < starts[width] ? t.start + t.len : starts[width];
	TDAT_SEARCH(column, width, starts[column + 1] <= from);
	for (double busy = bin_times_before(t.busy, &t, from - t.start),
		    known = bin_times_before(t.known, &t, from - t.start);
	     from < end && column < width; column++) {
		const uint64_t to = starts[column + 1] < end ? starts[column + 1] : end;
		const double busy_to = bin_times_before(t.busy, &t, to - t.start);
		const double known_to = bin_times_before(t.known, &t, to - t.start);

		sums[column].busy += busy_to - busy;
		sums[column].known += known_to - known;
		busy = busy_to;
		known = known_to;
		from = to;
	}
}

/* Without merging a cell may still hold several: merged marks of a track. */
void view_shares_end(struct view_shares *s)
{
	for (size_t i = 0; !s->merged && s->exact && i < s->count; i++)
		s->exact = s->v[i].count == 1;
	/* Of marks that were merged shares are made, as in all rows that are not exact. */
	if (!s->merged && !s->exact)
		begin_merging(s);
	if (s->merged) {
		s->exact = false;
		end_column(s);
	}
}
