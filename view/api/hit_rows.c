/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes rows of a picture that count events: those of a type, and those of the selection. Counts
 * come from bins if a pixel is longer than a bin, else from events in the window. Counts of the
 * whole trace are made in the background in any case, because the total is part of the answer.
 */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/* In windows with more events than this, of all kinds, events are never read. */
enum { READ_MOST = 6000000 };

/*
 * One row that counts events. pending: the counts are being made. coarse: a cell is longer than a
 * pixel.
 */
struct hits {
	struct view_picture *p;
	const struct view_selection *s;
	size_t lane; /* or VIEW_ALL_LANES */
	struct view_cells cells;
	const struct view_counts *counts;
	bool pending, coarse;
};

static size_t take_ticks(void *ctx, const struct tdat_event *events, size_t count)
{
	struct view_cells *c = ctx;

	for (size_t i = 0; i < count && !c->failed; i++)
		view_cells_tick(c, events[i].ts, 1);
	return c->failed ? 0 : count;
}

/*
 * Returns the events that a reader would pass in the window, matching or not: they decide whether
 * reading is fast enough. Stops counting beyond READ_MOST.
 */
static uint64_t events_in(const struct view_index *ix, size_t lane, const struct view_span *span)
{
	const uint32_t last = view_index_bin(ix, span->to);
	uint64_t n = 0;

	for (size_t i = 0; i < ix->trace->lane_count; i++)
		for (uint32_t b = view_index_bin(ix, span->from);
		     b <= last && (lane == VIEW_ALL_LANES || lane == i) && n <= READ_MOST; b++)
			n += ix->lanes[i].bins[b].events;
	return n;
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

/*
 * Chooses between the file and the counts of bins. The choice depends on the window alone, so that
 * the same question gets the same cells.
 */
static enum tdat_status make_cells(struct hits *h)
{
	const struct view_index *ix = h->p->q->api->index;
	const uint64_t events =
		view_index_complete(ix) ? events_in(ix, h->lane, &h->p->span) : UINT64_MAX;
	enum tdat_status st;

	/*
	 * Counts are always made, because the total is a part of the answer, and the next window
	 * may be wide.
	 */
	st = view_counts_get(h->p->q->api->counts, h->s, h->lane, &h->counts, h->p->q->err);
	if (st != TDAT_OK)
		return st;
	/* Few events are read exactly; more are read only if bins are too long for the pixels. */
	if (events <= ix->read_always ||
	    (h->cells.pixel < UINT64_C(1) << ix->shift && events <= READ_MOST))
		return read_file(h);
	h->pending = !h->counts;
	h->coarse = h->cells.pixel < UINT64_C(1) << ix->shift;
	for (uint32_t b = view_index_bin(ix, h->p->span.from);
	     h->counts && b <= view_index_bin(ix, h->p->span.to); b++)
		view_cells_tick_bin(&h->cells, ix, b, h->counts->bins[b]);
	return TDAT_OK;
}

/*
 * Writes the row of one selection. Its counts are held while they are read, because the cache would
 * forget them.
 */
static enum tdat_status put_hits(struct view_picture *p, const char *key,
				 const struct view_selection *s, size_t lane)
{
	static const char *const columns[] = {"t0", "t1", "n", NULL};
	struct hits h = {.p = p, .s = s, .lane = lane};
	struct tdat_json *j = &p->q->json;
	enum tdat_status st;

	view_cells_init(&h.cells, &p->span, p->width);
	st = make_cells(&h);
	view_cells_end(&h.cells);
	if (st == TDAT_OK && h.cells.failed)
		st = tdat_error_no_memory(p->q->err, "a picture");
	if (st == TDAT_OK) {
		view_picture_row(p, key, "ticks");
		tdat_json_bool(j, "exact", h.cells.exact && !h.pending);
		tdat_json_bool(j, "partial", false);
		if (h.pending)
			tdat_json_bool(j, "pending", true);
		if (h.coarse)
			tdat_json_bool(j, "coarse", true);
		if (h.counts)
			tdat_json_u64(j, "total", h.counts->total);
		else
			tdat_json_null(j, "total");
		view_picture_columns(p, columns);
		tdat_json_array(j, "cells");
		for (size_t i = 0; i < h.cells.count; i++) {
			tdat_json_array(j, NULL);
			view_json_offset(j, NULL, h.cells.v[i].from, p->span.from);
			view_json_offset(j, NULL, h.cells.v[i].to, p->span.from);
			tdat_json_u64(j, NULL, h.cells.v[i].count);
			tdat_json_array_end(j);
		}
		tdat_json_array_end(j);
		tdat_json_object_end(j);
	}
	view_cache_put(h.counts);
	view_cells_fini(&h.cells);
	return st;
}

/*
 * Keys are "hits", "hits:REC:CPU" and "event:SYSTEM/EVENT". A CPU or event that the trace does not
 * have is an empty row, not a failure: a page may have kept the key from another trace.
 */
enum tdat_status view_picture_hits(struct view_picture *p, const char *key, bool *is_hits)
{
	const struct view_trace *t = p->q->api->trace;
	const char *event = key + strlen("event:");
	uint64_t rec, cpu;

	*is_hits = true;
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
		const struct view_selection s = {.events = &event, .event_count = 1};

		if (tdat_trace_find(t->tables, event))
			return put_hits(p, key, &s, VIEW_ALL_LANES);
		view_picture_empty(p, key, "ticks");
		return TDAT_OK;
	}
	*is_hits = false;
	return TDAT_OK;
}
