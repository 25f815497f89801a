/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a still picture of a span: the CPUs, and states of chosen tasks, as SVG. */
#ifndef VIEW_API_SVG_H
#define VIEW_API_SVG_H

#include "api.h"
#include "saved.h"

struct view_svg_def {
	struct view_span span;
	uint32_t width;		 /* pixels of the time axis */
	const char *const *rows; /* keys of rows besides the CPUs */
	size_t row_count;
	const struct view_saved *view; /* has rows: they are among rows, and CPUs are not added */
};

/*
 * Rows that a picture has at most; what is left out is said in it. A picture of more bytes of rows
 * is made of half as many pixels, until it fits.
 */
enum { VIEW_SVG_ROWS = 256, VIEW_SVG_LEN = 6 << 20 };

/*
 * Appends the picture to out, which is empty. The index must be complete; it waits for what tasks
 * need. A row of another kind is TDAT_E_USAGE.
 */
enum tdat_status view_svg_make(struct view_api *api, const struct view_svg_def *def,
			       struct tdat_build *out, struct tdat_error *err);

#endif
