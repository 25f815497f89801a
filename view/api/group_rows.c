/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes rows of a picture that stand for several CPUs of a recording: how busy all of them were in
 * each pixel, and how many losses they had. The number of cells is that of pixels, whatever the
 * number of CPUs. Cells of each CPU come from the index where it is fine enough, and are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "core/search.h"

#include "group_rows.h"
#include "picture.h"

/* Adds the losses of a CPU to the columns in which they were noted. */
static void add_losses(struct view_group *g, const struct view_lane_index *l)
{
	const struct view_span *span = &g->window.span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;

	for (size_t i = 0; i < l->loss_count; i++) {
		double at;

		if (l->losses[i].to < span->from || l->losses[i].to > span->to)
			continue;
		at = (double)(l->losses[i].to - span->from) / len * g->window.width;
		g->sums[at < g->window.width ? (uint32_t)at : g->window.width - 1].lost +=
			l->losses[i].marks;
	}
}

static enum tdat_status add_lane(struct view_group *g, const struct view_index *ix, size_t lane,
				 struct tdat_error *err)
{
	struct view_lane_state state;
	const enum tdat_status st =
		view_lane_sum(ix, lane, &g->window, g->starts, g->sums, &state, err);

	g->partial = g->partial || state.partial;
	g->coarse = g->coarse || state.coarse;
	if (__atomic_load_n(&ix->lanes[lane].complete, __ATOMIC_ACQUIRE))
		add_losses(g, &ix->lanes[lane]);
	return st;
}

static void put_cells(struct view_picture *p, struct view_group *g, const char *key)
{
	static const char *const columns[] = {"t0", "t1", "busy", "known", "lost", NULL};
	struct tdat_json *j = &p->q->json;

	view_picture_row(p, key, "cpus");
	tdat_json_bool(j, "exact", false);
	tdat_json_bool(j, "partial", g->partial);
	if (g->coarse)
		tdat_json_bool(j, "coarse", true);
	tdat_json_u64(j, "cpus", g->end - g->first);
	tdat_json_array(j, "opens");
	view_cpu_rows_of(p->q->api->trace, g->rec, g->first, g->end, view_put_cpu_row, j);
	tdat_json_array_end(j);
	view_json_columns(&p->q->json, columns);
	for (uint32_t i = 0; i < p->width; i++) {
		const struct view_sum *c = &g->sums[i];

		if (c->known < 0.5 && !c->lost)
			continue;
		view_picture_cell(p, g->starts[i], g->starts[i + 1]);
		tdat_json_u64(j, NULL, (uint64_t)(c->busy + 0.5));
		tdat_json_u64(j, NULL, (uint64_t)(c->known + 0.5));
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

/* The first and the end of the CPUs of a key; false: it is not of several CPUs of the trace. */
static bool find(const struct view_trace *t, const char *key, struct view_group *g)
{
	const struct view_lane **lanes;
	uint64_t rec, first, last;

	if (strncmp(key, "cpus:", 5) || !parse(key + 5, &rec, &first, &last) || rec >= t->rec_count)
		return false;
	lanes = t->by_cpu + t->recs[rec].first_lane;
	g->rec = (uint32_t)rec;
	TDAT_SEARCH(g->first, t->recs[rec].lane_count, lanes[g->first]->cpu < first);
	for (g->end = g->first; g->end < t->recs[rec].lane_count && lanes[g->end]->cpu <= last;)
		g->end++;
	return true;
}

enum tdat_status view_group_make(struct view_group *g, const struct view_index *ix, const char *key,
				 const struct view_span *span, uint32_t width,
				 struct tdat_error *err)
{
	const struct view_trace *t = ix->trace;
	enum tdat_status st = TDAT_OK;

	*g = (struct view_group){.sums = NULL};
	if (!find(t, key, g))
		return TDAT_OK;
	g->sums = calloc(width, sizeof(*g->sums));
	g->starts = calloc((size_t)width + 1, sizeof(*g->starts));
	if (!g->sums || !g->starts)
		st = tdat_error_no_memory(err, "a picture");
	view_shares_init(&g->window, span, width, true);
	for (uint32_t i = 0; st == TDAT_OK && i <= width; i++)
		g->starts[i] = view_shares_start(&g->window, i);
	for (size_t i = g->first; st == TDAT_OK && i < g->end; i++)
		st = add_lane(g, ix, (size_t)(t->by_cpu[t->recs[g->rec].first_lane + i] - t->lanes),
			      err);
	return st;
}

void view_group_fini(struct view_group *g)
{
	free(g->sums);
	free(g->starts);
}

enum tdat_status view_picture_group(struct view_picture *p, const char *key, bool *is_group)
{
	struct view_group g;
	uint64_t rec, first, last;
	enum tdat_status st;

	*is_group = !strncmp(key, "cpus:", 5) && parse(key + 5, &rec, &first, &last);
	if (!*is_group)
		return TDAT_OK;
	st = view_group_make(&g, p->q->api->index, key, &p->span, p->width, p->q->err);
	if (st == TDAT_OK && g.sums)
		put_cells(p, &g, key);
	else if (st == TDAT_OK)
		view_picture_empty(p, key, "cpus");
	view_group_fini(&g);
	return st;
}
