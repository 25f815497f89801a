/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes rows of a picture that count events: those of a type, and those of the selection. Counts
 * come from bins if a pixel is longer than a bin, else from events in the window. Counts of the
 * whole trace are made in the background in any case, because the total is part of the answer.
 */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/*
 * One row that counts events. pending: the counts are being made. coarse: a cell is longer than a
 * pixel. partial: the index is still being made.
 */
struct hits {
	struct view_picture *p;
	const struct view_selection *s; /* NULL: all events, whose counts are those of the index */
	size_t lane;			/* or VIEW_ALL_LANES */
	struct view_cells cells;
	const struct view_counts *counts;
	bool pending, coarse, partial;
};

static size_t take_ticks(void *ctx, const struct tdat_event *events, size_t count)
{
	struct view_cells *c = ctx;

	for (size_t i = 0; i < count && !c->failed; i++)
		view_cells_tick(c, events[i].ts, 1);
	return c->failed ? 0 : count;
}

static enum tdat_status read_file(struct hits *h)
{
	const struct view_trace *t = h->p->q->api->trace;
	struct tdat_error *err = h->p->q->err;

	if (h->lane == VIEW_ALL_LANES)
		return view_read_all(t, &h->p->span, h->s, take_ticks, &h->cells, err);
	return view_read_lane(t, &t->lanes[h->lane], &h->p->span, h->s, take_ticks, &h->cells, NULL,
			      err);
}

/* Bins are counted before their intervals are done, so that lanes are shown up to there. */
static void add_lane_bins(struct hits *h)
{
	const struct view_index *ix = h->p->q->api->index;
	const struct view_lane_index *l = &ix->lanes[h->lane];
	const uint32_t counted = view_index_counted(l), end = view_index_bin(ix, h->p->span.to) + 1;

	h->partial = h->partial && counted < end;
	for (uint32_t b = view_index_bin(ix, h->p->span.from);
	     b < end && b < counted && !h->cells.failed; b++)
		view_cells_tick_bin(&h->cells, view_index_start(ix, b), ix->shift,
				    l->bins[b].events);
}

/* The events of all CPUs, as far as they are read. */
static void add_all_bins(struct hits *h)
{
	const struct view_index *ix = h->p->q->api->index;
	const uint64_t from = ix->trace->from;
	uint64_t b = h->p->span.from > from ? (h->p->span.from - from) >> ix->all_shift : 0;

	for (; b < VIEW_ALL_BINS && !h->cells.failed; b++) {
		const uint64_t start = from + (b << ix->all_shift);

		if (start > h->p->span.to)
			break;
		view_cells_tick_bin(&h->cells, start, ix->all_shift, view_index_all(ix, b));
	}
}

/*
 * Chooses between the file and the counts of bins. The choice depends on the window alone, so that
 * the same question gets the same cells. Few events are read exactly; more are read only if bins
 * are too long for the pixels.
 */
static enum tdat_status make_cells(struct hits *h)
{
	const struct view_index *ix = h->p->q->api->index;
	const bool all = !h->s && h->lane == VIEW_ALL_LANES;
	const bool fine = h->cells.pixel < UINT64_C(1) << (all ? ix->all_shift : ix->shift);
	const bool complete =
		h->s || all ? view_index_complete(ix)
			    : __atomic_load_n(&ix->lanes[h->lane].complete, __ATOMIC_ACQUIRE);
	uint64_t events = UINT64_MAX;

	/* The number of events that a reader would pass, matching or not. */
	if (complete)
		events = view_index_events(ix, h->lane, &h->p->span, VIEW_READ_MOST);
	/*
	 * Counts are always made, because the total is a part of the answer, and the next window
	 * may be wide.
	 */
	if (h->s && view_counts_get(h->p->q->api->counts, h->s, h->lane, &h->counts, h->p->q->err))
		return h->p->q->err->status;
	if (events <= ix->read_always || (fine && events <= VIEW_READ_MOST))
		return read_file(h);
	h->partial = !h->s && !complete;
	h->coarse = fine && !h->partial;
	h->pending = h->s && !h->counts;
	if (all)
		add_all_bins(h);
	else if (!h->s)
		add_lane_bins(h);
	for (uint32_t b = view_index_bin(ix, h->p->span.from);
	     h->counts && b <= view_index_bin(ix, h->p->span.to); b++)
		view_cells_tick_bin(&h->cells, view_index_start(ix, b), ix->shift,
				    h->counts->bins[b]);
	return TDAT_OK;
}

/* Writes the row of counts that were made. */
static void put_row(struct hits *h, const char *key)
{
	static const char *const columns[] = {"t0", "t1", "n", NULL};
	struct tdat_json *j = &h->p->q->json;

	view_picture_row(h->p, key, "ticks");
	tdat_json_bool(j, "exact", h->cells.exact && !h->pending);
	tdat_json_bool(j, "partial", h->partial);
	if (h->pending)
		tdat_json_bool(j, "pending", true);
	if (h->coarse)
		tdat_json_bool(j, "coarse", true);
	if (h->counts)
		tdat_json_u64(j, "total", h->counts->total);
	else if (h->s)
		tdat_json_null(j, "total");
	view_json_columns(&h->p->q->json, columns);
	for (size_t i = 0; i < h->cells.count; i++) {
		view_picture_cell(h->p, h->cells.v[i].from, h->cells.v[i].to);
		tdat_json_u64(j, NULL, h->cells.v[i].count);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/*
 * Writes the row of one selection. Its counts are held while they are read, because the cache would
 * forget them.
 */
static enum tdat_status put_hits(struct view_picture *p, const char *key,
				 const struct view_selection *s, size_t lane)
{
	struct hits h = {.p = p, .s = s, .lane = lane};
	enum tdat_status st;

	view_cells_init(&h.cells, &p->span, p->width);
	st = make_cells(&h);
	view_cells_end(&h.cells);
	if (st == TDAT_OK && h.cells.failed)
		st = tdat_error_no_memory(p->q->err, "a picture");
	if (st == TDAT_OK && p->take_ticks)
		p->take_ticks(p->ctx, &h.cells, h.pending);
	else if (st == TDAT_OK)
		put_row(&h, key);
	view_cache_put(h.counts);
	view_cells_fini(&h.cells);
	return st;
}

enum tdat_status view_picture_lane_ticks(struct view_picture *p, const char *key, size_t lane)
{
	return put_hits(p, key, NULL, lane);
}

/*
 * Keys are "events", "hits", "hits:REC:CPU" and "event:SYSTEM/EVENT". A CPU or event that the trace
 * does not have is an empty row, not a failure: a page may have kept the key from another trace.
 */
enum tdat_status view_picture_hits(struct view_picture *p, const char *key, bool *is_hits)
{
	const struct view_trace *t = p->q->api->trace;
	const char *event = key + strlen("event:");
	uint64_t rec, cpu;

	*is_hits = true;
	if (!strcmp(key, "events"))
		return put_hits(p, key, NULL, VIEW_ALL_LANES);
	if (!strcmp(key, "hits"))
		return put_hits(p, key, &p->q->query->selection, VIEW_ALL_LANES);
	if (!strncmp(key, "hits:", 5) && view_parse_pair(key + 5, &rec, &cpu)) {
		const struct view_lane *lane = view_trace_lane(t, rec, cpu);

		if (lane)
			return put_hits(p, key, &p->q->query->selection, (size_t)(lane - t->lanes));
		view_picture_empty(p, key, "ticks");
		return TDAT_OK;
	}
	if (!strncmp(key, "event:", 6)) {
		struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};

		s.filter.events = &event;
		s.filter.event_count = 1;
		if (tdat_trace_find(t->tables, event))
			return put_hits(p, key, &s, VIEW_ALL_LANES);
		view_picture_empty(p, key, "ticks");
		return TDAT_OK;
	}
	*is_hits = false;
	return TDAT_OK;
}
