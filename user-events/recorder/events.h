/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands recorded events, their formats and the names of tasks to the writer. */
#ifndef USER_EVENTS_RECORDER_EVENTS_H
#define USER_EVENTS_RECORDER_EVENTS_H

#include "session.h"

/* record_emit_info tells the writer about the machine: before all else. */
int record_emit_info(struct record_session *s);

/* A record as it was found in a ring, its values checked. */
struct record_event {
	uint32_t len; /* bytes of the ring */
	uint32_t event;
	uint32_t cpu;
	int32_t tid;
	uint64_t ts_ns;
	uint64_t lost;
	const uint8_t *payload;
	uint32_t payload_len; /* at most UE_RECORD_MAX */
};

int record_emit_event(struct record_session *s, const struct record_event *event);

/* record_note_comm remembers the name of a thread; the last one counts. */
int record_note_comm(struct record_session *s, int32_t tid, const char comm[16]);

/* record_emit_end hands over names, and losses that no event follows. */
int record_emit_end(struct record_session *s);

#endif
