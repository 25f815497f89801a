/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the files that draw a still picture share. */
#ifndef VIEW_API_SVG_ROWS_H
#define VIEW_API_SVG_ROWS_H

#include "data/shares.h"
#include "data/tracks.h"
#include "api.h"

/*
 * All lengths are pixels: the room for labels at the left, for the axis at the top, the distance of
 * rows, the height of a row's states, and the widths of a letter, usual and narrowest. Marks of
 * losses are MARK high, below the states.
 */
enum {
	SVG_GUTTER = 150,
	SVG_TOP = 46,
	SVG_ROW = 28,
	SVG_BAR = 20,
	SVG_MARK = 3,
	SVG_LETTER = 7,
	SVG_LETTER_LEAST = 5
};

/* Colors of the states of tasks, and of marks: those of the page (web/style.css). */
#define SVG_RUNNING "#078158"
#define SVG_RUNNABLE "#96620a"
#define SVG_BLOCKED "#7a4fa0"
#define SVG_SLEEPING "#e6e6e1"
#define SVG_UNKNOWN "url(#unknown)"
#define SVG_LOST "#c00"

/* The picture that is being drawn. */
struct svg {
	struct view_api *api;
	struct view_span span;
	uint32_t width; /* pixels of the time axis */
	struct tdat_build *out;
	struct tdat_error *err;
	uint32_t y; /* where the next row begins */
};

/* Writes a text of the trace as XML. */
void svg_put_text(struct tdat_build *out, const char *text);
/* Writes seconds with `digits` decimals, or ticks if the clock does not count nanoseconds. */
void svg_put_time(const struct svg *s, uint64_t ts, int digits);
/* Returns the x of a time, from the left of the rows on; a time outside of the span is at its edge.
 */
double svg_x_of(const struct svg *s, uint64_t ts);

/*
 * Draws the states of a row as shares of each pixel, and intervals that fill a pixel or more as
 * blocks. track is that of a task; NULL: the row is that of a CPU.
 */
void svg_put_states(struct svg *s, const struct view_shares *cells, const struct view_track *track);

/* Draws dropped events of a lane as marks below its row. */
void svg_put_losses(struct svg *s, size_t lane);

#endif
