/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of events: time, recording, CPU, a hash of the record, and a number where several with
 * the same hash were recorded at the same time. An event has the same key whatever selection it is
 * found by.
 */
#ifndef VIEW_API_EVENT_KEY_H
#define VIEW_API_EVENT_KEY_H

#include "data/trace.h"

struct view_key {
	uint64_t ts;
	uint32_t rec, cpu;
	uint32_t hash, number;
};

/* What is remembered of events of one moment, to number those that are equal. */
struct view_key_maker {
	const struct view_trace *trace;
	uint64_t ts;
	struct view_key *v;
	size_t count, cap;
	bool failed;
};

/* The key of an event; events must come in order. */
struct view_key view_key_next(struct view_key_maker *m, const struct tdat_event *event);
void view_key_maker_fini(struct view_key_maker *m);

bool view_key_same(const struct view_key *a, const struct view_key *b);
/* Whether an event of the key a comes before one of b, as far as keys tell. */
bool view_key_before(const struct view_trace *t, const struct view_key *a,
		     const struct view_key *b);

enum { VIEW_KEY_TEXT = 80 };
void view_key_text(const struct view_key *key, char out[VIEW_KEY_TEXT]);
bool view_key_parse(const char *text, struct view_key *key);

#endif
