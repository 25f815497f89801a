/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of pairs of events: one begins an interval, and another one with the same key ends it.
 * A table says which events, what their key is, and what its columns have; docs/analysis.md says
 * what that means.
 */
#ifndef TDAT_ANALYSIS_PAIR_H
#define TDAT_ANALYSIS_PAIR_H

#include "model/filter.h"
#include "names.h"
#include "table/derived.h"

enum { PAIR_SLOTS = 8 };

/* What an event does. */
enum pair_role {
	PAIR_BEFORE, /* is remembered until an interval of its key and match begins */
	PAIR_BEGIN,
	PAIR_END,
	PAIR_CANCEL /* forgets what BEFORE remembered */
};

struct pair_event {
	const char *name;
	enum pair_role role;
	const char *kind; /* what PAIR_OUT_KIND puts */
	/* Fields by slot; "" where the event has none; "CPU" is that of the event. */
	const char *slots[PAIR_SLOTS + 1];
};

/* What intervals belong together: an end ends the last open beginning of its key. */
enum pair_by { PAIR_BY_CPU, PAIR_BY_TASK, PAIR_BY_KEY };

enum pair_out_from {
	PAIR_OUT_BEGIN,	 /* a slot of the beginning */
	PAIR_OUT_END,	 /* a slot of the end */
	PAIR_OUT_BEFORE, /* the time of the event before */
	PAIR_OUT_WAIT,	 /* how long before the beginning that was */
	PAIR_OUT_KIND,
	PAIR_OUT_END_CPU,
	PAIR_OUT_END_PID
};
enum pair_out_how {
	PAIR_INT,
	PAIR_SYMBOL, /* the function at the address */
	PAIR_NAME,   /* what print fmt prints for the number */
	PAIR_TEXT    /* a field that is a text */
};

struct pair_out {
	enum pair_out_from from;
	uint8_t slot;
	enum pair_out_how how;
};

struct pair_def {
	const struct pair_event *events;
	struct model_filter *const *filters; /* of each event; NULL: none has one */
	size_t event_count;
	enum pair_by by;
	uint8_t key_slots; /* BY_KEY: the first slots are the key, up to 3 */
	bool matches;	   /* an end must have the same value in slot 0 as the beginning */
	bool nests;	   /* several of a key may be open; else a beginning ends the one before */
	bool stays; /* intervals end on the CPU where they began: other losses do not matter */
	bool last_before; /* of several events before the last one counts, not the first */
	const struct names_printed *printed; /* the name of a slot of the beginning; or NULL */
	const struct pair_out *outs;	     /* of each column */
	size_t out_count;
};

/* The functions of a struct table_derived whose own is a struct pair_def. */
enum tdat_status pair_begin(void **state, const struct table_derived *def, struct derived_out *out,
			    struct tdat_error *err);
void pair_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		uint32_t rec);
void pair_lost(void *state, uint32_t rec, uint32_t cpu, uint64_t ts);
void pair_end(void *state);
bool pair_awaits(void *state);
void pair_free(void *state);

/*
 * Defines the derived table analysis_ID of ID_def, ID_columns, and ID_derived, which are its
 * events; what sets which of them rows need.
 */
#define PAIR_TABLE(id, what)                                                                       \
	const struct table_derived analysis_##id = {.name = #id,                                   \
						    .columns = id##_columns,                       \
						    .events = id##_derived,                        \
						    .event_count = sizeof(id##_derived) /          \
								   sizeof(id##_derived[0]),        \
						    .begin = pair_begin,                           \
						    .event = pair_event,                           \
						    .lost = pair_lost,                             \
						    .awaits = pair_awaits,                         \
						    .end = pair_end,                               \
						    .free = pair_free,                             \
						    .own = &id##_def,                              \
						    what}
#define PAIR_EVENT(events, i, name)                                                                \
	{                                                                                          \
		name, i, events[i].slots                                                           \
	}

#endif
