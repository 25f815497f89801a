/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gathers events of one emit and hands them over together. One call for many events is cheaper
 * than many calls. An emit without that function gets them singly. Records are copied, as a
 * window moves on.
 */
#include "event_batch.h"

#include <stdlib.h>
#include <string.h>

/* NULL: no memory, or emit takes no batches; callers then emit one by one. */
struct import_events *import_events_new(const struct tdat_emit *emit)
{
	struct import_events *ev = TDAT_HAS(emit->ops, events) ? malloc(sizeof(*ev)) : NULL;

	if (ev) {
		ev->emit = emit;
		ev->count = ev->used = 0;
	}
	return ev;
}

/* Hands over all events that wait. The buffer counts as empty even if that fails. */
enum tdat_status import_events_flush(struct import_events *ev, struct tdat_error *err)
{
	const size_t count = ev->count;

	ev->count = ev->used = 0;
	return count ? tdat_emit_events(ev->emit, ev->list, count, err) : TDAT_OK;
}

/*
 * Copies an event into the batch. One that is longer than the buffer goes out by itself, behind
 * those that wait.
 */
enum tdat_status import_events_copy(struct import_events *ev, const struct tdat_emit_event *event,
				    struct tdat_error *err)
{
	const size_t len = event->record.len;
	enum tdat_status st;
	uint8_t *p;

	if (len > IMPORT_EVENTS_LEN) {
		st = import_events_flush(ev, err);
		return st == TDAT_OK ? tdat_emit_event(ev->emit, event, err) : st;
	}
	p = import_events_room(ev, len, &st, err);
	if (!p)
		return st;
	if (len)
		memcpy(p, event->record.ptr, len);
	import_events_add(ev, event->cpu, event->ts, event->lost_before, len);
	return TDAT_OK;
}
