/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the states of a row of a still picture. An interval that fills pixel columns is a block
 * with its name. In all other columns the states are stacked, each as high as its share of the
 * pixel; no state has a least height. Shares of one color are one path, so that the size of a row
 * is bounded by the width. Called by svg.c for each row.
 */
#include "svg_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

/* ---- rows ---- */

/* A column of a pixel: what is stacked in it, unless it is a part of a block. */
struct column {
	double share[VIEW_STATES];
	double most;	  /* of the cell that gave the fill */
	const char *fill; /* of what is running */
	bool block;
};

/* The row that is being drawn. */
struct row {
	struct svg *s;
	const struct view_track *track;
	struct column *columns;
};

/* In the order of enum view_state: of tasks. */
static const char *const task_fills[] = {SVG_RUNNING, SVG_RUNNABLE, SVG_BLOCKED, SVG_SLEEPING};
static const char *const state_words[] = {"running", "runnable", "blocked", "sleeping"};

/* The color of a task that has one of its own, else gray. */
static const char *fill_of(const struct svg *s, const char *comm)
{
	for (size_t i = 0; i < s->task_count; i++)
		if (!strcmp(s->tasks[i].comm, comm))
			return s->tasks[i].fill;
	return SVG_OTHER;
}

/* ---- blocks ---- */

/* What a cell is called, and its color; NULL: it is not drawn, as idle CPUs. */
static const char *name_of(const struct row *r, const struct view_cell *c, char number[24],
			   const char **fill)
{
	const struct view_task *task;

	*number = 0;
	if (r->track) {
		const char *state = c->key < view_names_count(&r->track->names)
					    ? view_names_text(&r->track->names, c->key)
					    : "unknown";

		*fill = strcmp(state, "dead") != 0 ? task_fills[view_state_of(r->track, c->key)]
						   : SVG_DEAD;
		return state;
	}
	*fill = NULL;
	if (c->key >= VIEW_OTHER_TASKS) {
		*fill = c->share[VIEW_RUNNING] ? SVG_OTHER : NULL;
		return "a task";
	}
	task = view_task(&r->s->api->index->tasks, c->key);
	if (task->pid)
		*fill = fill_of(r->s, task->comm);
	snprintf(number, 24, "-%" PRId32, task->pid);
	return task->comm;
}

/* Draws an interval that fills the columns [first, end). The tooltip has its name and its time. */
static void put_block(struct row *r, const struct view_cell *c, uint32_t first, uint32_t end)
{
	struct svg *s = r->s;
	char number[24];
	const char *fill, *name = name_of(r, c, number, &fill);

	for (uint32_t i = first; i < end; i++)
		r->columns[i].block = true;
	if (!fill)
		return;
	tdat_build_printf(s->out,
			  "<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%" PRIu32
			  "\" height=\"%d\" fill=\"%s\"><title>",
			  SVG_GUTTER + first, s->y, end - first, SVG_BAR, fill);
	svg_put_text(s->out, name);
	tdat_build_printf(s->out, "%s, ", number);
	svg_put_time(s, c->from, 9);
	tdat_build_str(s->out, " to ");
	svg_put_time(s, c->to, 9);
	tdat_build_str(s->out, "</title></rect>\n");
	svg_put_name(s, name, fill, SVG_GUTTER + first + 2, s->y + 14, (double)(end - first) - 4);
}

/* ---- shares ---- */

/* Adds the part [x0, x1) of a cell that is `wide` pixels to its column. */
static void add_part(struct row *r, const struct view_cell *c, uint32_t column, double part,
		     double wide)
{
	struct column *to = &r->columns[column];
	const double len = (double)(c->to - c->from), share = wide > 0 ? part / wide : 0;
	char number[24];
	const char *fill;

	for (size_t i = 0; i < VIEW_STATES && len > 0; i++) {
		const double pixel = wide / len; /* of a unit of time */

		to->share[i] += (double)c->share[i] * pixel * share;
	}
	if (c->share[VIEW_RUNNING] && (!to->fill || part > to->most)) {
		name_of(r, c, number, &fill);
		to->fill = r->track ? task_fills[VIEW_RUNNING] : fill;
		to->most = part;
	}
}

/* Adds a cell to the columns that it overlaps; single intervals that fill some are blocks there. */
static void add_cell(struct row *r, const struct view_cell *c)
{
	const uint32_t width = r->s->width;
	const struct view_span *span = &r->s->span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;
	const double a = ((double)c->from - (double)span->from) / len * width;
	const double b = ((double)c->to - (double)span->from) / len * width;
	const double x0 = a > 0 ? a : 0, x1 = b < width ? b : width;
	/* Columns of shares are cut at whole units of time: they may miss a pixel's edge by one. */
	const double slack = (double)width / len + 1e-6;
	uint32_t first, end;

	if (x1 < x0 || x0 >= width)
		return;
	first = (uint32_t)ceil(x0 - slack);
	end = (uint32_t)floor(x1 + slack) < width ? (uint32_t)floor(x1 + slack) : width;
	if (c->count == 1 && c->known == c->to - c->from && end > first)
		put_block(r, c, first, end);
	for (uint32_t i = (uint32_t)x0; i < width && i < x1; i++) {
		const double from = x0 > i ? x0 : i, to = x1 < i + 1.0 ? x1 : i + 1.0;

		add_part(r, c, i, to - from, b - a);
	}
}

static const char *comm_of_fill(const struct svg *s, const char *fill)
{
	for (size_t i = 0; i < s->task_count; i++)
		if (!strcmp(s->tasks[i].fill, fill))
			return s->tasks[i].comm;
	return "other tasks";
}

/*
 * Writes the shares of a state as one path, of columns with one fill; state VIEW_STATES is what is
 * unknown. Neighbors of one height are one step.
 */
static void put_path(struct row *r, size_t state, const char *fill)
{
	struct svg *s = r->s;
	bool any = false;

	for (uint32_t i = 0, end; i < s->width; i = end) {
		const struct column *c = &r->columns[i];
		double low = 0, all = 0, high;

		end = i + 1;
		while (end < s->width && !memcmp(&r->columns[end], c, sizeof(*c)))
			end++;
		for (size_t k = 0; k < VIEW_STATES; k++) {
			all += c->share[k];
			low += k < state ? c->share[k] : 0;
		}
		high = state < VIEW_STATES ? low + c->share[state] : 1;
		if (c->block || (!state && c->fill != fill) || (high - low) * SVG_BAR < 0.05)
			continue;
		if (!any)
			tdat_build_printf(s->out, "<path class=\"share\" fill=\"%s\" d=\"", fill);
		any = true;
		tdat_build_printf(s->out, "M%" PRIu32 " %.2fV%.2fh%" PRIu32 "V%.2fz",
				  SVG_GUTTER + i, s->y + SVG_BAR * (1 - low),
				  s->y + SVG_BAR * (1 - high), end - i, s->y + SVG_BAR * (1 - low));
	}
	if (!any)
		return;
	tdat_build_str(s->out, "\"><title>");
	svg_put_text(s->out, state == VIEW_STATES     ? "unknown"
			     : r->track || state != 0 ? state_words[state]
						      : comm_of_fill(s, fill));
	tdat_build_str(s->out, "</title></path>\n");
}

/*
 * Writes the name of a task over neighboring columns in which it ran most, as far as it fits: at
 * the scale of a whole trace few tasks have a block of their own.
 */
static void put_names(struct row *r)
{
	for (uint32_t i = 0, end; i < r->s->width; i = end) {
		const char *fill = r->columns[i].fill;

		for (end = i + 1;
		     end < r->s->width && r->columns[end].fill == fill && !r->columns[end].block;)
			end++;
		if (fill && !r->columns[i].block && strcmp(fill, SVG_OTHER))
			svg_put_name(r->s, comm_of_fill(r->s, fill), fill, SVG_GUTTER + i + 2,
				     r->s->y + 14, (double)(end - i) - 4);
	}
}

/*
 * Writes the part of the span that a task spent in its states; the rest is unknown. Of a CPU it is
 * the busy part of the time of which it is known what ran, as in the page.
 */
static void put_shares(struct row *r)
{
	double sums[VIEW_STATES] = {0};
	char line[120];
	size_t len = 0;

	for (uint32_t i = 0; i < r->s->width; i++)
		for (size_t k = 0; k < VIEW_STATES; k++)
			sums[k] += r->columns[i].share[k];
	if (!r->track) {
		svg_put_busy(r->s, sums[VIEW_RUNNING], sums[VIEW_RUNNING] + sums[VIEW_SLEEPING]);
		return;
	}
	for (size_t k = 0; k < VIEW_SLEEPING; k++) {
		const double percent = 100 * sums[k] / r->s->width;

		if (k && percent < 0.05)
			continue;
		len += (size_t)snprintf(line + len, sizeof(line) - len, "%s%s %.1f%%",
					len ? ", " : "", state_words[k], percent);
	}
	svg_put_remark(r->s, line);
}

/* What is running has the colors of its tasks: a path for each of them. */
static void put_running(struct row *r)
{
	const char *done[16] = {NULL};
	size_t count = 0;

	for (uint32_t i = 0; i < r->s->width; i++) {
		const char *fill = r->columns[i].fill;
		size_t k = 0;

		while (k < count && done[k] != fill)
			k++;
		if (!fill || k < count || count == sizeof(done) / sizeof(done[0]))
			continue;
		done[count++] = fill;
		put_path(r, VIEW_RUNNING, fill);
	}
}

void svg_put_states(struct svg *s, const struct view_shares *cells, const struct view_track *track)
{
	struct row r = {s, track, calloc(s->width, sizeof(*r.columns))};

	if (!r.columns) {
		s->out->failed = true;
		return;
	}
	for (size_t i = 0; i < cells->count; i++)
		add_cell(&r, &cells->v[i]);
	put_running(&r);
	/* An idle CPU stays white. */
	for (size_t i = VIEW_RUNNABLE; track && i < VIEW_STATES; i++)
		put_path(&r, i, task_fills[i]);
	put_path(&r, VIEW_STATES, SVG_UNKNOWN);
	if (!track)
		put_names(&r);
	put_shares(&r);
	free(r.columns);
}

/* ---- losses ---- */

/* A loss without a number is damage where the lane has some. */
static void put_loss(struct svg *s, double from, double to, int64_t count, const char *damage)
{
	const bool is_damage = count < 0 && *damage;
	const double end = SVG_GUTTER + (double)s->width;

	tdat_build_printf(s->out,
			  "<rect class=\"%s\" fill=\"%s\" x=\"%.2f\" y=\"%" PRIu32
			  "\" width=\"%.2f\" height=\"%d\"><title>",
			  is_damage ? "damaged" : "lost", is_damage ? SVG_DAMAGED : SVG_LOST,
			  from > end - 1 ? end - 1 : from, s->y + SVG_BAR + 1,
			  to - from > 1 ? to - from : 1, SVG_MARK);
	if (is_damage) {
		tdat_build_str(s->out, "damaged: ");
		svg_put_text(s->out, damage);
	} else if (count >= 0) {
		tdat_build_printf(s->out, "%" PRId64 " events lost", count);
	} else {
		tdat_build_str(s->out, "an unknown number of events lost");
	}
	tdat_build_str(s->out, "</title></rect>\n");
}

/*
 * Marks are at least a pixel wide; losses of less than a pixel from each other share one. Reads the
 * list without a lock: the index must be complete.
 */
void svg_put_losses(struct svg *s, size_t lane)
{
	double from = -1, to = -1;
	struct view_loss loss;
	char damage[400] = "";
	int64_t count = 0;

	view_lane_damage(s->api, lane, damage, sizeof(damage));
	for (size_t i = 0; view_lane_loss(s->api->index, lane, i, &loss); i++) {
		const double x0 = svg_x_of(s, loss.from), x1 = svg_x_of(s, loss.to);
		const bool differs = *damage && (loss.count < 0) != (count < 0);

		if (loss.to < s->span.from || loss.from > s->span.to)
			continue;
		if (from >= 0 && (x0 >= to + 1 || differs)) {
			put_loss(s, from, to, count, damage);
			from = -1;
		}
		if (from < 0) {
			from = x0;
			count = 0;
		}
		to = x1;
		if (loss.count < 0 || count < 0 ||
		    __builtin_add_overflow(count, loss.count, &count))
			count = -1;
	}
	if (from >= 0)
		put_loss(s, from, to, count, damage);
}
