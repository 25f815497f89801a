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
#include "table/derived_state.h"

enum { PAIR_SLOTS = 8 };

/* What an event does with the intervals of its group. */
enum pair_role {
	PAIR_BEFORE, /* is remembered until an interval of its key and match begins */
	PAIR_BEGIN,
	PAIR_END,
	PAIR_END_IF, /* the same; that no interval is open is usual */
	PAIR_TURN,   /* PAIR_END_IF, then PAIR_BEGIN of the next group */
	PAIR_MOMENT, /* a row of its own */
	PAIR_ROLES
};
/* The kind of an event: its role, and the group of intervals that it belongs to. */
#define PAIR_OF(group, role) ((group)*PAIR_ROLES + (role))

/*
 * Fields of events are their slots, PAIR_SLOTS at most; "CPU" is the CPU of the event, "TASK" its
 * task.
 */

/* What intervals belong together: an end ends the last open beginning of its key. */
enum pair_by { PAIR_BY_CPU, PAIR_BY_TASK, PAIR_BY_KEY };

enum pair_out_from {
	PAIR_OUT_BEGIN,	 /* a slot of the beginning */
	PAIR_OUT_END,	 /* a slot of the end */
	PAIR_OUT_BEFORE, /* the time of the event before */
	PAIR_OUT_WAIT,	 /* how long before the beginning that was */
	PAIR_OUT_GROUP,	 /* the name of its group */
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
	struct model_filter *filters[PAIR_ROLES]; /* of events; NULL: none */
	enum pair_by by;
	uint8_t key_slots; /* BY_KEY: the first slots are the key, up to 3; with groups 2 */
	bool matches;	   /* an end must have the same value in slot 0 as the beginning */
	bool nests;	   /* several of a key may be open; else a beginning ends the one before */
	bool stays; /* intervals end on the CPU where they began: other losses do not matter */
	bool last_before;	   /* of several events before the last one counts, not the first */
	const char *const *groups; /* their names; NULL: there is one without a name */
	const struct names_printed *printed; /* the name of a slot of the beginning; or NULL */
	const struct pair_out *outs;	     /* of each column */
	size_t out_count;
};

/* An interval that is open. */
struct pair_frame {
	struct derived_open open;
	const struct derived_type *type;
	uint32_t group;
	bool has_before;
	uint64_t before;
	uint32_t has;	  /* slots, as bits */
	uint32_t numbers; /* those of them that are numbers; a text's slot is its address */
	uint64_t slots[PAIR_SLOTS];
	const char *texts[PAIR_SLOTS]; /* of slots that are put as names or texts */
};

struct pairs {
	struct derived_state state;
	const struct pair_def *def;
	struct tdat_entries befores;
	struct names names;
	uint32_t begin_names, end_names;  /* slots that are put as names or texts, as bits */
	struct model_filter_prog **progs; /* by type; NULL: not made yet, or no filter */
};

enum { PAIR_OPEN_MOST = 1 << 19, PAIR_DEPTH_MOST = 256 };

/* The functions of a struct table_derived whose own is a struct pair_def. */
enum tdat_status pair_begin(void *state, struct tdat_error *err);
void pair_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		uint32_t rec);
void pair_put(void *state, const void *entry, const void *interval, const struct derived_end *end);
void pair_free(void *state);

#define PAIR_MACHINE                                                                               \
	.state_len = sizeof(struct pairs), .entry_len = sizeof(struct derived_entry),              \
	.interval_len = sizeof(struct pair_frame), .most = PAIR_OPEN_MOST,                         \
	.depth_most = PAIR_DEPTH_MOST, .begin = pair_begin, .event = pair_event, .put = pair_put,  \
	.free = pair_free

/*
 * Defines the derived table analysis_ID of ID_def, ID_columns and ID_events; what follows sets
 * which events rows need.
 */
#define PAIR_TABLE(id, ...)                                                                        \
	const struct table_derived analysis_##id = {PAIR_MACHINE,                                  \
						    .name = #id,                                   \
						    .columns = id##_columns,                       \
						    .events = id##_events,                         \
						    .event_count = sizeof(id##_events) /           \
								   sizeof(id##_events[0]),         \
						    .own = &id##_def,                              \
						    __VA_ARGS__}

#endif
