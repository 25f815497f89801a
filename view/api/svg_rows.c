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
#include "core/text.h"
#include "core/utf8.h"

/* ---- texts and times ---- */

/*
 * Writes a text of the trace as XML. Markup is escaped; bytes that are not UTF-8, invisible
 * characters and those that XML forbids become U+FFFD.
 */
void svg_put_text(struct tdat_build *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		uint32_t code = 0;
		const size_t n = tdat_utf8_len(text, left, &code);

		if (!n || tdat_utf8_is_hidden(code) || code == 0xfffe || code == 0xffff)
			tdat_build_str(out, "\xef\xbf\xbd");
		else if (strchr("&<>\"'", (int)code) && code < 0x80)
			tdat_build_printf(out, "&#%" PRIu32 ";", code);
		else
			tdat_build_bytes(out, text, n);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
}

/* Seconds with `digits` decimals, or ticks if the clock does not count nanoseconds. */
void svg_put_time(const struct svg *s, uint64_t ts, int digits)
{
	const uint64_t second = 1000000000;
	char part[16];

	if (!s->api->trace->ns) {
		tdat_build_printf(s->out, "%" PRIu64, ts);
		return;
	}
	snprintf(part, sizeof(part), "%09" PRIu64, ts % second);
	tdat_build_printf(s->out, "%" PRIu64 "%s%.*s", ts / second, digits ? "." : "", digits,
			  part);
}

/* Returns the x of a time in pixels; a time outside of the span is at its edge. */
double svg_x_of(const struct svg *s, uint64_t ts)
{
	const struct view_span *span = &s->span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;

	if (ts <= span->from)
		return SVG_GUTTER;
	if (ts >= span->to)
		return SVG_GUTTER + (double)s->width;
	return SVG_GUTTER + (double)(ts - span->from) / len * s->width;
}

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

/*
 * Returns a color by the hash of a name (FNV-1a): the same in each picture. They are --names of
 * web/style.css, on which white text has a contrast of 4.5:1.
 */
static const char *colour_of(const char *name)
{
	static const char *const colours[] = {
		"#b94d60", "#b7542a", "#7e7208", "#4e7e14", "#078158", "#077e7c", "#097b98",
		"#2673c0", "#6966c3", "#ac518d", "#8f263d", "#893103", "#574e01", "#335704",
		"#06593c", "#035755", "#0a5569", "#014e90", "#47419a", "#832b68",
	};
	uint32_t sum = 2166136261u;

	for (; *name; name++)
		sum = (sum ^ (uint8_t)*name) * 16777619u;
	return colours[sum % (sizeof(colours) / sizeof(colours[0]))];
}

/* ---- blocks ---- */

/* What a cell is called, and its color; NULL: it is not drawn, as idle CPUs. */
static const char *name_of(const struct row *r, const struct view_cell *c, char number[24],
			   const char **fill)
{
	const struct view_task *task;

	*number = 0;
	if (r->track) {
		*fill = task_fills[view_state_of(r->track, c->key)];
		return c->key < view_names_count(&r->track->names)
			       ? view_names_text(&r->track->names, c->key)
			       : "unknown";
	}
	*fill = NULL;
	if (c->key >= VIEW_OTHER_TASKS) {
		*fill = c->share[VIEW_RUNNING] ? "#737373" : NULL;
		return "a task";
	}
	task = view_task(&r->s->api->index->tasks, c->key);
	if (task->pid)
		*fill = colour_of(task->comm);
	snprintf(number, 24, "-%" PRId32, task->pid);
	return task->comm;
}

/*
 * Writes the name of a block into its room, drawn narrower if it nearly fits. A name that needs
 * more room is shown only when the pointer rests on the block. Text on a fill is white.
 */
static void put_name(struct svg *s, const char *name, const char *fill, double x, double room)
{
	const size_t len = strlen(name);

	if (!len || (double)(len * SVG_LETTER_LEAST) > room)
		return;
	tdat_build_printf(s->out, "<text class=\"name%s\" x=\"%.2f\" y=\"%" PRIu32 "\"",
			  strcmp(fill, SVG_SLEEPING) != 0 ? " on" : "", x, s->y + 14);
	if ((double)(len * SVG_LETTER) > room)
		tdat_build_printf(s->out, " textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\"",
				  room);
	tdat_build_str(s->out, ">");
	svg_put_text(s->out, name);
	tdat_build_str(s->out, "</text>\n");
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
	put_name(s, name, fill, SVG_GUTTER + first + 2, (double)(end - first) - 4);
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

		if (!r->columns[i].block)
			add_part(r, c, i, to - from, b - a);
	}
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
	if (any)
		tdat_build_printf(s->out, "\"><title>%s</title></path>\n",
				  state == VIEW_STATES	   ? "unknown"
				  : r->track || state != 0 ? state_words[state]
							   : "running tasks");
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
	free(r.columns);
}

/* ---- losses ---- */

/* Marks are at least a pixel wide. Reads the list without a lock: the index must be complete. */
void svg_put_losses(struct svg *s, size_t lane)
{
	const struct view_lane_index *l = &s->api->index->lanes[lane];

	for (size_t i = 0; i < l->loss_count; i++) {
		const struct view_loss *loss = &l->losses[i];
		const double from = svg_x_of(s, loss->from), to = svg_x_of(s, loss->to);

		if (loss->to < s->span.from || loss->from > s->span.to)
			continue;
		tdat_build_printf(
			s->out,
			"<rect class=\"lost\" fill=\"" SVG_LOST "\" x=\"%.2f\" y=\"%" PRIu32
			"\" width=\"%.2f\" height=\"%d\"><title>",
			from, s->y + SVG_BAR + 1, to - from > 1 ? to - from : 1, SVG_MARK);
		if (loss->count >= 0)
			tdat_build_printf(s->out, "%" PRId64 " events lost</title></rect>\n",
					  loss->count);
		else
			tdat_build_str(s->out, "events lost, not known how many</title></rect>\n");
	}
}
