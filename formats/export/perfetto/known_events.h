/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the ftrace events that Perfetto has messages for. */
#ifndef TDAT_PERFETTO_KNOWN_EVENTS_H
#define TDAT_PERFETTO_KNOWN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pf_known_event {
	const char *name; /* of the event, and of the field of FtraceEvent that holds it */
	uint16_t number;  /* of that field */
	/*
	 * The message's fields, each a number, a letter and a name: "2iprev_pid " is int32 prev_pid
	 * = 2. l is int64, q uint64, i int32, u uint32, s string, b bytes; a capital is repeated.
	 */
	const char *fields;
};

/* Sorted by name. */
extern const struct pf_known_event pf_known_events[];
extern const size_t pf_known_event_count;

/* The event of a name, or NULL. */
const struct pf_known_event *pf_known_event(const char *name);

/* A field of a message. */
struct pf_known_field {
	uint32_t number;
	char type; /* as above */
};

/* The field of a name; false: the message has none. */
bool pf_known_field(const struct pf_known_event *event, const char *name,
		    struct pf_known_field *field);

#endif
