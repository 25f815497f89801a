/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes keys of events, and reads them. A key names an event in another question: its
 * recording, CPU, time, a hash of its bytes, and a number among equal ones. The hash is the
 * same in each run, because a key may be part of an address that somebody keeps.
 */
#include "event_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "query.h"

/* FNV-1a over the bytes, started from the id: fast, and equal in each run and on each machine. */
static uint32_t hash_record(const struct tdat_event *event)
{
	uint32_t h = 2166136261u ^ event->id;

	for (size_t i = 0; i < event->record.len; i++)
		h = (h ^ event->record.ptr[i]) * 16777619u;
	return h;
}

/* True if only the number can tell two events apart: the same time, CPU, type and bytes. */
static bool same_but_number(const struct view_key *a, const struct view_key *b)
{
	return a->ts == b->ts && a->rec == b->rec && a->cpu == b->cpu && a->hash == b->hash;
}

/*
 * Numbers equal events in the order of the file. Only events of one time are remembered, because
 * equal keys have equal times.
 */
struct view_key view_key_next(struct view_key_maker *m, const struct tdat_event *event)
{
	struct view_key key = {event->ts, view_trace_rec(m->trace, event->input, event->buffer),
			       event->cpu, hash_record(event), 0};

	/* A new time: equal keys have equal times, hence the remembered ones cannot come again. */
	if (m->ts != event->ts)
		m->count = 0;
	m->ts = event->ts;
	/* From the newest: runs of equal records repeat the last one. */
	for (size_t i = m->count; i > 0; i--)
		if (same_but_number(&m->v[i - 1], &key)) {
			key.number = ++m->v[i - 1].number;
			return key;
		}
	if (!TDAT_GROW(m->v, &m->cap, m->count + 1)) {
		m->failed = true;
		return key;
	}
	m->v[m->count++] = key;
	return key;
}

void view_key_maker_fini(struct view_key_maker *m)
{
	free(m->v);
}

bool view_key_same(const struct view_key *a, const struct view_key *b)
{
	return same_but_number(a, b) && a->number == b->number;
}

/*
 * Orders recordings as tdat_iter does: the top buffers of all inputs first, whose names are empty.
 */
static int rec_order(const struct view_trace *t, uint32_t a, uint32_t b)
{
	const bool x = a < t->rec_count && *t->recs[a].name;
	const bool y = b < t->rec_count && *t->recs[b].name;

	return x != y ? x - y : (a > b) - (a < b);
}

/*
 * Orders keys as the list of events shows them. Two events of one lane and time are not ordered:
 * their order is that of the file.
 */
bool view_key_before(const struct view_trace *t, const struct view_key *a, const struct view_key *b)
{
	int order;

	if (a->ts != b->ts)
		return a->ts < b->ts;
	order = rec_order(t, a->rec, b->rec);
	return order ? order < 0 : a->cpu < b->cpu;
}

/* Decimal numbers between colons: the text is used in addresses without escapes. */
void view_key_text(const struct view_key *key, char out[VIEW_KEY_TEXT])
{
	snprintf(out, VIEW_KEY_TEXT, "%" PRIu64 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32,
		 key->ts, key->rec, key->cpu, key->hash, key->number);
}

/*
 * Accepts only the form that view_key_text makes; a key comes from the address and may be anything.
 */
bool view_key_parse(const char *text, struct view_key *key)
{
	uint64_t v[5];

	/* The time has 64 bits, the other parts 32. */
	for (size_t i = 0; i < 5; i++) {
		const char *end = i < 4 ? strchr(text, ':') : text + strlen(text);

		if (!end || !view_parse_u64(text, end, &v[i]) || (i && v[i] > UINT32_MAX))
			return false;
		text = end + 1;
	}
	*key = (struct view_key){v[0], (uint32_t)v[1], (uint32_t)v[2], (uint32_t)v[3],
				 (uint32_t)v[4]};
	return true;
}
