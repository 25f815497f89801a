/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the rows of a still picture that are no states: slices by depth, values, counts of events,
 * and several CPUs together. The number of elements of a row is bounded by the width, as that of
 * the cells is. Called by svg.c for each row.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "answer.h"
#include "svg_rows.h"
#include "track_keys.h"

/* ---- slices ---- */

/*
 * Draws one interval, or several that share a cell: these are as high as the part of its time that
 * they take, so that nothing looks busier than it was.
 */
static void put_slice(struct svg *s, const struct view_track *t, const struct view_cell *c,
		      uint32_t y, uint32_t high)
{
	const double from = svg_x_of(s, c->from), to = svg_x_of(s, c->to);
	const char *name =
		c->key < view_names_count(&t->names) ? view_names_text(&t->names, c->key) : "";
	const double len = (double)(c->to - c->from);
	double tall = high;

	if (c->count > 1 && len > 0)
		tall *= (double)c->known < len ? (double)c->known / len : 1;
	tdat_build_printf(s->out,
			  "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
			  "fill=\"%s\"><title>",
			  from, y + high - tall, to - from > 0.5 ? to - from : 0.5, tall,
			  svg_colour_of(name));
	if (c->count > 1)
		tdat_build_printf(s->out, "%" PRIu64 " intervals, most time: ", c->count);
	svg_put_text(s->out, name);
	tdat_build_str(s->out, ", ");
	svg_put_time(s, c->from, 9);
	tdat_build_str(s->out, " to ");
	svg_put_time(s, c->to, 9);
	tdat_build_str(s->out, "</title></rect>\n");
	if (c->count == 1)
		svg_put_name(s, name, svg_colour_of(name), from + 2, y + high - 3, to - from - 4);
}

uint32_t svg_put_slices(struct svg *s, const struct view_track *t)
{
	const uint32_t lanes = t->depth_most < SVG_LANES ? (uint32_t)t->depth_most + 1 : SVG_LANES;
	const uint32_t high = lanes > 1 ? SVG_LANE - 1 : SVG_BAR;
	char remark[64];

	for (size_t i = 0, end; i < t->count && t->v[i].depth < SVG_LANES; i = end) {
		struct view_cells cells;

		for (end = i + 1; end < t->count && t->v[end].depth == t->v[i].depth;)
			end++;
		view_track_depth(t, i, end, &s->span, s->width, &cells);
		for (size_t k = 0; k < cells.count; k++)
			put_slice(s, t, &cells.v[k],
				  s->y + (lanes > 1 ? (uint32_t)t->v[i].depth * SVG_LANE : 0),
				  high);
		s->out->failed = s->out->failed || cells.failed;
		view_cells_fini(&cells);
	}
	if (t->depth_most >= SVG_LANES) {
		snprintf(remark, sizeof(remark), "%" PRId32 " more lanes are not drawn",
			 t->depth_most + 1 - SVG_LANES);
		svg_put_remark(s, remark);
	}
	return lanes * SVG_LANE + 8 > SVG_ROW ? lanes * SVG_LANE + 8 : SVG_ROW;
}

/* ---- values ---- */

struct plot {
	struct svg *s;
	double least, most;
	uint64_t end; /* of the value before */
	bool any, draws;
};

/* First finds the range of values, then draws: a step at each value, a line for a range of them. */
static void take_value(void *ctx, const struct view_plot *c)
{
	struct plot *p = ctx;
	const double range = p->most > p->least ? p->most - p->least : 1;
	const double foot = p->s->y + SVG_BAR, scale = SVG_BAR / range;

	if (p->draws) {
		const double x0 = svg_x_of(p->s, c->from), x1 = svg_x_of(p->s, c->to);

		/* A value that does not hold until the next one is a dot of its own. */
		tdat_build_printf(
			p->s->out, "%c%.2f %.2fV%.2fV%.2fH%.2f",
			p->any && c->from == p->end ? 'L' : 'M', x0,
			foot - (c->most - p->least) * scale, foot - (c->least - p->least) * scale,
			foot - (c->last - p->least) * scale, x1 > x0 + 1.5 ? x1 : x0 + 1.5);
		p->end = c->to;
	} else {
		p->least = !p->any || c->least < p->least ? c->least : p->least;
		p->most = !p->any || c->most > p->most ? c->most : p->most;
	}
	p->any = true;
}

uint32_t svg_put_plot(struct svg *s, const struct view_track *t)
{
	struct plot p = {.s = s};
	char remark[80];

	view_track_values(t, &s->span, s->width, take_value, &p);
	if (!p.any)
		return SVG_ROW;
	snprintf(remark, sizeof(remark), "%.15g to %.15g", p.least, p.most);
	svg_put_remark(s, remark);
	p.any = false;
	p.draws = true;
	tdat_build_str(s->out, "<path class=\"plot\" fill=\"none\" stroke=\"#2a6db0\" d=\"");
	view_track_values(t, &s->span, s->width, take_value, &p);
	tdat_build_str(s->out, "\"/>\n");
	return SVG_ROW;
}

/* ---- counts and groups ---- */

/* As high as the logarithm of their number. */
void svg_put_ticks(struct svg *s, const struct view_cells *cells)
{
	uint64_t most = 1, sum = 0;
	char remark[48];

	for (size_t i = 0; i < cells->count; i++) {
		most = cells->v[i].count > most ? cells->v[i].count : most;
		sum += cells->v[i].count;
	}
	snprintf(remark, sizeof(remark), "%" PRIu64 " events", sum);
	svg_put_remark(s, remark);
	if (!cells->count)
		return;
	tdat_build_str(s->out, "<path fill=\"#4a6a8a\" d=\"");
	for (size_t i = 0; i < cells->count; i++) {
		const struct view_cell *c = &cells->v[i];
		const double from = svg_x_of(s, c->from), wide = svg_x_of(s, c->to) - from;
		const double tall = SVG_BAR * log2(1 + (double)c->count) / log2(1 + (double)most);

		tdat_build_printf(s->out, "M%.2f %dv%.2fh%.2fv%.2fz", from, (int)s->y + SVG_BAR,
				  -tall, wide > 1 ? wide : 1, tall);
	}
	tdat_build_str(s->out, "\"/>\n");
}

/* A part of a column as one shape of a path. */
static void put_part(struct svg *s, uint32_t column, double low, double high)
{
	if ((high - low) * SVG_BAR >= 0.05)
		tdat_build_printf(s->out, "M%" PRIu32 " %.2fV%.2fh1V%.2fz", SVG_GUTTER + column,
				  s->y + SVG_BAR * (1 - low), s->y + SVG_BAR * (1 - high),
				  s->y + SVG_BAR * (1 - low));
}

/* How busy the CPUs were, as high as the part of their time; hatched is what is unknown. */
void svg_put_group(struct svg *s, const struct view_group *g)
{
	const double cpus = (double)(g->end - g->first);
	double sum = 0, all = 0;

	for (int unknown = 0; unknown < 2; unknown++) {
		tdat_build_printf(s->out, "<path class=\"share\" fill=\"%s\" d=\"",
				  unknown ? SVG_UNKNOWN : "#8db5d8");
		for (uint32_t i = 0; i < s->width; i++) {
			const double len = (double)(g->starts[i + 1] - g->starts[i]) * cpus;
			const double busy = len > 0 ? g->sums[i].busy / len : 0;
			const double known = len > 0 ? g->sums[i].known / len : 1;

			put_part(s, i, unknown ? fmin(known, 1) : 0, unknown ? 1 : fmin(busy, 1));
			sum += unknown ? 0 : busy;
			all += unknown ? 0 : known;
		}
		tdat_build_printf(s->out, "\"><title>%s</title></path>\n",
				  unknown ? "unknown" : "busy");
	}
	svg_put_busy(s, sum, all);
}
