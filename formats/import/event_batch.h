/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gathers events of one emit, which takes several at once faster than one by one. */
#ifndef TDAT_IMPORT_EVENT_BATCH_H
#define TDAT_IMPORT_EVENT_BATCH_H

#include <tdat/emit.h>

enum { IMPORT_EVENTS = 64, IMPORT_EVENTS_LEN = 16 * 1024 };

struct import_events {
	const struct tdat_emit *emit;
	size_t count, used;
	struct tdat_emit_event list[IMPORT_EVENTS];
	uint8_t bytes[IMPORT_EVENTS_LEN];
};

/* NULL without memory, or where the emit takes no several events: then they go one by one. free()
 * ends it. */
struct import_events *import_events_new(const struct tdat_emit *emit);
enum tdat_status import_events_flush(struct import_events *ev, struct tdat_error *err);

/* Room for len bytes (IMPORT_EVENTS_LEN at most) of the next event; NULL: *st says why. */
static inline uint8_t *import_events_room(struct import_events *ev, size_t len,
					  enum tdat_status *st, struct tdat_error *err)
{
	*st = TDAT_OK;
	if (ev->count == IMPORT_EVENTS || len > IMPORT_EVENTS_LEN - ev->used)
		*st = import_events_flush(ev, err);
	return *st == TDAT_OK ? ev->bytes + ev->used : NULL;
}

/* Adds the event whose len bytes were put into the room. */
static inline void import_events_add(struct import_events *ev, uint32_t cpu, uint64_t ts,
				     int64_t lost_before, size_t len)
{
	ev->list[ev->count++] = (struct tdat_emit_event){
		.cpu = cpu,
		.ts = ts,
		.lost_before = lost_before,
		.record = {ev->bytes + ev->used, len},
	};
	ev->used += len;
}

/* Adds a copy of an event, of any length. */
enum tdat_status import_events_copy(struct import_events *ev, const struct tdat_emit_event *event,
				    struct tdat_error *err);

#endif
