/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the files that draw a still picture share. */
#ifndef VIEW_API_SVG_ROWS_H
#define VIEW_API_SVG_ROWS_H

#include "data/shares.h"
#include "data/tracks.h"
#include "api.h"
#include "group_rows.h"
#include "saved.h"

/*
 * All lengths are pixels: the room for labels at the left, for the axis at the top, the distance of
 * rows, the heights of a row's states and of a lane of slices, and the widths of a letter, usual
 * and narrowest. Marks of losses are MARK high, below the states.
 */
enum {
	SVG_GUTTER = 150,
	SVG_TOP = 46,
	SVG_ROW = 28,
	SVG_BAR = 20,
	SVG_LANE = 13,
	SVG_MARK = 3,
	SVG_LETTER = 7,
	SVG_LETTER_LEAST = 5
};
/* Lanes of slices that a row has at most, and tasks that have a color of their own. */
enum { SVG_LANES = 24, SVG_TASKS = 12 };

/* Colors of the states of tasks, and of marks: those of the page (web/style.css). */
#define SVG_RUNNING "#078158"
#define SVG_RUNNABLE "#96620a"
#define SVG_BLOCKED "#7a4fa0"
#define SVG_SLEEPING "#e6e6e1"
#define SVG_DEAD "#fff"
#define SVG_UNKNOWN "url(#unknown)"
#define SVG_LOST "#c00"
#define SVG_DAMAGED "#1d2327"
#define SVG_OTHER "#737373"

/* The picture that is being drawn. */
struct svg {
	struct view_api *api;
	struct view_span span;
	uint32_t width; /* pixels of the time axis */
	struct tdat_build *out;
	struct tdat_error *err;
	uint32_t top, y; /* where the first row and the next one begin */
	/* Names of the tasks with the most time in the span: the longest first, each with a color.
	 */
	struct svg_task {
		const char *comm, *fill;
		uint64_t time;
	} tasks[SVG_TASKS];
	size_t task_count;
	uint64_t known; /* time of all CPUs of which it is known what ran */
};

/* Writes a text of the trace as XML. */
void svg_put_text(struct tdat_build *out, const char *text);
/* Writes seconds with `digits` decimals, or ticks if the clock does not count nanoseconds. */
void svg_put_time(const struct svg *s, uint64_t ts, int digits);
/* Returns the x of a time, from the left of the rows on; a time outside of the span is at its edge.
 */
double svg_x_of(const struct svg *s, uint64_t ts);
/* Returns a color by the hash of a name: the same in each picture. */
const char *svg_colour_of(const char *name);

/*
 * Writes a name into its room on a fill, drawn narrower if it nearly fits. A name that needs more
 * room is not written: what it stands on has a title.
 */
void svg_put_name(struct svg *s, const char *name, const char *fill, double x, uint32_t y,
		  double room);
/* Writes the label of a row, which is cut if it is too long, and what follows below it. */
void svg_put_label(struct svg *s, const char *label);
void svg_put_remark(struct svg *s, const char *remark);
/* Writes the busy part of the known time of CPUs as a remark. */
void svg_put_busy(struct svg *s, double busy, double known);

/* Finds the tasks with the most time and their colors, for svg_put_states and the legend. */
enum tdat_status svg_find_tasks(struct svg *s);
/* svg_begin decides where rows begin. svg_put_frame puts what surrounds them: rows end at s->y. */
void svg_begin(struct svg *s, const struct view_saved *view);
void svg_put_frame(struct svg *s, struct tdat_build *out, const struct tdat_build *rows,
		   const struct view_saved *view, size_t left_out);

/*
 * Draws the states of a row as shares of each pixel, and intervals that fill a pixel or more as
 * blocks. track is that of a task; NULL: the row is that of a CPU.
 */
void svg_put_states(struct svg *s, const struct view_shares *cells, const struct view_track *track);

/* Draws dropped events and damage of a lane as marks below its row. */
void svg_put_losses(struct svg *s, size_t lane);

/* Rows of other kinds. They return the height that they need. */
uint32_t svg_put_slices(struct svg *s, const struct view_track *track);
uint32_t svg_put_plot(struct svg *s, const struct view_track *track);
void svg_put_ticks(struct svg *s, const struct view_cells *cells);
void svg_put_group(struct svg *s, const struct view_group *group);

#endif
