/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes the events of single CPUs, each from a thread of its own. */
#include "lane.h"

#include <stdlib.h>

#include "core/grow.h"
#include "writer.h"

struct write_lane {
	struct tdat_emit emit;
	struct write_store store;
	struct write_stream *stream;
	uint32_t buffer;
	bool broken; /* by a failure, which the thread that filled it was told */
	uint64_t event_count;
};

static enum tdat_status wrong_event(const struct write_lane *lane,
				    const struct tdat_emit_event *event, struct tdat_error *err)
{
	if (event->record.len < 2)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "an event of %zu bytes cannot hold its type",
				      event->record.len);
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the lane is of CPU %u in buffer %u, not of CPU %u in buffer %u",
			      lane->stream->cpu, lane->buffer, event->cpu, event->buffer);
}

static enum tdat_status lane_event(void *ctx, const struct tdat_emit_event *event,
				   struct tdat_error *err)
{
	struct write_lane *lane = ctx;
	enum tdat_status st;

	if (event->record.len < 2 || event->cpu != lane->stream->cpu ||
	    event->buffer != lane->buffer)
		return wrong_event(lane, event, err);
	st = write_stream_event(&lane->store, lane->stream, event->ts, event->lost_before,
				event->record, err);
	if (st == TDAT_OK)
		lane->event_count++;
	else if (st != TDAT_E_USAGE)
		lane->broken = true;
	return st;
}

static enum tdat_status lane_end(void *ctx, struct tdat_error *err)
{
	struct write_lane *lane = ctx;
	enum tdat_status st = write_stream_flush(&lane->store, lane->stream, err);

	lane->broken = lane->broken || st != TDAT_OK;
	return st;
}

static const struct tdat_emit_ops lane_ops = {
	.event = lane_event,
	.lane_end = lane_end,
};

enum tdat_status write_lane_new(struct tdat_writer *w, struct write_stream *s, uint32_t buffer,
				const struct tdat_emit **out, struct tdat_error *err)
{
	struct write_lane **list, *lane;
	enum tdat_status st;

	if (s->page.open || s->ext.used || s->from.src)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "CPU %u has events already and gets no lane", s->cpu);
	/* Threads only read the descriptor. */
	st = write_spool_open(&w->spool, err);
	if (st != TDAT_OK)
		return st;
	list = tdat_grown(w->lanes, &w->lane_cap, w->lane_count + 1, sizeof(*list));
	if (!list)
		return tdat_error_no_memory(err, "what is written");
	w->lanes = list;
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return tdat_error_no_memory(err, "what is written");
	w->lanes[w->lane_count++] = lane;
	lane->emit = (struct tdat_emit){&lane_ops, lane};
	lane->store.spool = &w->spool;
	lane->stream = s;
	lane->buffer = buffer;
	s->lane = true;
	*out = &lane->emit;
	return TDAT_OK;
}

enum tdat_status write_lanes_end(struct tdat_writer *w, struct tdat_error *err)
{
	for (size_t i = 0; i < w->lane_count; i++) {
		struct write_lane *lane = w->lanes[i];
		enum tdat_status st;

		if (lane->broken)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "events of CPU %u could not be written",
					      lane->stream->cpu);
		st = write_stream_flush(&lane->store, lane->stream, err);
		if (st != TDAT_OK)
			return st;
		w->event_count += lane->event_count;
	}
	return TDAT_OK;
}

void write_lanes_free(struct tdat_writer *w)
{
	for (size_t i = 0; i < w->lane_count; i++)
		free(w->lanes[i]);
	free(w->lanes);
}
