/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes rows of a picture that stand for several CPUs of a recording: how busy all of them were in
 * each pixel, and how many losses they had. The number of cells is that of pixels, whatever the
 * number of CPUs. Cells of each CPU come from the index where it is fine enough, and are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "core/search.h"

#include "picture.h"

/* The sums of a pixel column. */
struct group_cell {
	uint64_t busy, known, lost;
};

struct group {
	struct view_picture *p;
	struct group_cell *cells; /* by column */
	struct view_shares shares;
	bool partial, coarse;
};

/* Adds the cells of a CPU; those that cover several columns lie inside of one interval. */
static void add_cells(struct group *g)
{
	const struct view_shares *s = &g->shares;
	uint32_t column = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct view_cell *c = &s->v[i];
		const uint64_t len = c->to - c->from;

		while (column + 1 < s->width && view_shares_start(s, column + 1) <= c->from)
			column++;
		for (uint64_t at = c->from; at < c->to && column < s->width;) {
			const uint64_t next = view_shares_start(s, column + 1);
			const uint64_t part = (next < c->to ? next : c->to) - at;
			struct group_cell *to = &g->cells[column];

			/* All of a cell is of one state, or it is one column. */
			to->busy += len == part		     ? c->share[VIEW_RUNNING]
				    : c->share[VIEW_RUNNING] ? part
							     : 0;
			to->known += len == part ? c->known : part;
			at += part;
			column += next <= c->to && column + 1 < s->width;
			if (part == 0)
				break;
		}
	}
}

/* Adds the losses of a CPU to the columns in which they were noted. */
static void add_losses(struct group *g, const struct view_lane_index *l)
{
	const struct view_span *span = &g->p->span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;

	for (size_t i = 0; i < l->loss_count; i++) {
		double at;

		if (l->losses[i].to < span->from || l->losses[i].to > span->to)
			continue;
		at = (double)(l->losses[i].to - span->from) / len * g->p->width;
		g->cells[at < g->p->width ? (uint32_t)at : g->p->width - 1].lost +=
			l->losses[i].marks;
	}
}

static enum tdat_status add_lane(struct group *g, size_t lane)
{
	const struct view_index *ix = g->p->q->api->index;
	struct view_lane_state state;
	enum tdat_status st;

	view_shares_init(&g->shares, &g->p->span, g->p->width, true);
	g->shares.sums_only = true;
	st = view_lane_cells(ix, lane, &g->shares, &state, g->p->q->err);
	g->partial = g->partial || state.partial;
	g->coarse = g->coarse || state.coarse;
	if (st == TDAT_OK)
		add_cells(g);
	if (__atomic_load_n(&ix->lanes[lane].complete, __ATOMIC_ACQUIRE))
		add_losses(g, &ix->lanes[lane]);
	view_shares_fini(&g->shares);
	return st;
}

static void put_cells(struct group *g, const char *key, size_t cpus)
{
	static const char *const columns[] = {"t0", "t1", "busy", "known", "lost", NULL};
	struct view_picture *p = g->p;
	struct tdat_json *j = &p->q->json;
	const struct view_shares s = {.span = p->span, .width = p->width};

	view_picture_row(p, key, "cpus");
	tdat_json_bool(j, "exact", false);
	tdat_json_bool(j, "partial", g->partial);
	if (g->coarse)
		tdat_json_bool(j, "coarse", true);
	tdat_json_u64(j, "cpus", cpus);
	view_picture_columns(p, columns);
	for (uint32_t i = 0; i < p->width; i++) {
		const struct group_cell *c = &g->cells[i];

		if (!c->known && !c->lost)
			continue;
		view_picture_cell(p, view_shares_start(&s, i), view_shares_start(&s, i + 1));
		tdat_json_u64(j, NULL, c->busy);
		tdat_json_u64(j, NULL, c->known);
		tdat_json_u64(j, NULL, c->lost);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Parses "R:A-B": the CPUs from A to B of a recording. */
static bool parse(const char *text, uint64_t *rec, uint64_t *first, uint64_t *last)
{
	const char *colon = strchr(text, ':'), *dash = colon ? strchr(colon, '-') : NULL;

	return dash && view_parse_u64(text, colon, rec) && view_parse_u64(colon + 1, dash, first) &&
	       view_parse_u64(dash + 1, dash + strlen(dash), last);
}

enum tdat_status view_picture_group(struct view_picture *p, const char *key, bool *is_group)
{
	const struct view_trace *t = p->q->api->trace;
	struct group g = {.p = p};
	uint64_t rec, first, last;
	enum tdat_status st = TDAT_OK;
	size_t at, cpus = 0;

	*is_group = !strncmp(key, "cpus:", 5) && parse(key + 5, &rec, &first, &last);
	if (!*is_group)
		return TDAT_OK;
	if (rec >= t->rec_count) {
		view_picture_empty(p, key, "cpus");
		return TDAT_OK;
	}
	g.cells = calloc(p->width, sizeof(*g.cells));
	if (!g.cells)
		return tdat_error_no_memory(p->q->err, "a picture");
	const struct view_lane **lanes = t->by_cpu + t->recs[rec].first_lane;

	TDAT_SEARCH(at, t->recs[rec].lane_count, lanes[at]->cpu < first);
	for (; st == TDAT_OK && at < t->recs[rec].lane_count && lanes[at]->cpu <= last; at++) {
		st = add_lane(&g, (size_t)(lanes[at] - t->lanes));
		cpus++;
	}
	if (st == TDAT_OK)
		put_cells(&g, key, cpus);
	free(g.cells);
	return st;
}
