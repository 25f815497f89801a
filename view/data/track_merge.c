/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges short marks of a track, granule by granule. The result depends on the marks alone, so a
 * track is the same each time. The bound keeps one track from filling the cache. Granules of time
 * double until the bound is met. A merged mark has sums by name; of wakeups the longest represents
 * all.
 */
#include "track_merge.h"

#include <stdlib.h>
#include <string.h>

/*
 * DEPTHS: marks of deeper nesting are kept as they were read. NAMES: names whose times are followed
 * in a mark. GRANULES: granules of the trace in the first pass. COUNT_MOST: the bits of
 * view_mark.count.
 */
enum { DEPTHS = 256, NAMES = 8, GRANULES = 1 << 16, COUNT_MOST = (1 << 30) - 1 };

/* The times of names in a mark that was merged from several. */
struct tally {
	size_t mark; /* and one; 0: none */
	uint64_t granule;
	struct {
		uint32_t name;
		uint64_t time;
	} v[NAMES];
	unsigned count;
};

static bool is_wakeup(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_WAKEUP;
}

bool view_track_is_call(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_SLICE || kind == VIEW_TRACK_SYSCALL ||
	       kind == VIEW_TRACK_FUNCTION || kind == VIEW_TRACK_KVM;
}

bool view_track_is_plot(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_COUNTER || kind == VIEW_TRACK_LATENCY || kind == VIEW_TRACK_FIELD;
}

/* A mark of one interval gets the sums that one of several has. */
static void make_sums(struct view_mark *m)
{
	const uint64_t len = m->to - m->from;

	if (m->count == 1)
		m->sums = (struct view_sums){len, len, len};
}

/*
 * Adds a name's time, and makes the name with the most time that of the mark. With more than NAMES
 * names the sums are lower bounds.
 */
static void tally_add(struct tally *t, struct view_mark *m, uint32_t name, uint64_t time)
{
	unsigned i = 0;

	while (i < t->count && t->v[i].name != name)
		i++;
	if (i == NAMES) {
		/* The shortest makes room: it is reported with no more than it had. */
		i = 0;
		for (unsigned k = 1; k < NAMES; k++)
			if (t->v[k].time < t->v[i].time)
				i = k;
		if (t->v[i].time >= time)
			return;
		t->v[i].name = name;
		t->v[i].time = 0;
	} else if (i == t->count) {
		t->v[t->count].name = name;
		t->v[t->count++].time = 0;
	}
	t->v[i].time += time;
	if (t->v[i].time > m->sums.time || name == m->name) {
		m->name = name;
		m->sums.time = t->v[i].time;
	}
}

/* Merges interval m into a mark of the same granule. */
static void take_in(struct tally *t, struct view_mark *into, struct view_mark *m)
{
	make_sums(into);
	make_sums(m);
	if (!t->count)
		tally_add(t, into, into->name, into->sums.time);
	tally_add(t, into, m->name, m->sums.time);
	into->sums.known += m->sums.known;
	if (m->sums.worst > into->sums.worst)
		into->sums.worst = m->sums.worst;
	if (m->to > into->to)
		into->to = m->to;
	if (m->cpu != into->cpu)
		into->cpu = -1;
	into->open = m->open;
}

/* Merges values: the range, and the last value. */
static void take_value(struct view_mark *into, const struct view_mark *m)
{
	if (m->value.least < into->value.least)
		into->value.least = m->value.least;
	if (m->value.most > into->value.most)
		into->value.most = m->value.most;
	into->value.last = m->value.last;
	if (m->to > into->to)
		into->to = m->to;
}

/* The longest wakeup represents all of a granule; only its count is of all. */
static void take_wakeup(struct view_mark *into, const struct view_mark *m)
{
	if (m->to - m->from > into->to - into->from) {
		const uint32_t count = into->count;

		*into = *m;
		into->count = count & COUNT_MOST;
	}
}

/* A mark of one state gets the times that one of several has. */
static void make_states(const struct view_track *t, struct view_mark *m)
{
	const uint64_t len = m->to - m->from;

	if (m->count != 1)
		return;
	m->states.worst = len;
	for (size_t i = 0; i < VIEW_STATES; i++)
		m->states.share[i] = i == view_state_of(t, m->name) ? (float)len : 0;
}

/* Merges states: the name is one of those that took the most time. */
static void take_states(const struct view_track *t, struct view_mark *into, struct view_mark *m)
{
	make_states(t, into);
	make_states(t, m);
	for (size_t i = 0; i < VIEW_STATES; i++)
		into->states.share[i] += m->states.share[i];
	if (into->states.share[view_state_of(t, m->name)] >
	    into->states.share[view_state_of(t, into->name)])
		into->name = m->name;
	if (m->states.worst > into->states.worst)
		into->states.worst = m->states.worst;
	if (m->to > into->to)
		into->to = m->to;
	if (m->cpu != into->cpu)
		into->cpu = -1;
	into->open = m->open;
}

static struct view_cell cell_of(const struct view_track *t, const struct view_mark *m)
{
	const enum view_state state = view_state_of(t, m->name);
	struct view_cell c = view_cell_of(m->from, m->to, m->name, state, m->open);

	c.cpu = m->cpu;
	if (m->count == 1)
		return c;
	c.count = m->count;
	c.worst = m->states.worst;
	c.known = 0;
	for (size_t i = 0; i < VIEW_STATES; i++) {
		c.share[i] = (uint64_t)m->states.share[i];
		c.known += c.share[i];
	}
	c.time = c.share[state];
	return c;
}

/* Marks are in the order of time. */
void view_track_states(const struct view_track *t, struct view_shares *s)
{
	for (size_t i = 0; i < t->count && t->v[i].from <= s->span.to && !s->failed; i++) {
		const struct view_cell c = cell_of(t, &t->v[i]);

		if (c.to >= s->span.from)
			view_shares_add(s, &c);
	}
	view_shares_end(s);
}

static void take(struct tally *t, const struct view_track *track, enum view_track_kind kind,
		 struct view_mark *into, struct view_mark *m)
{
	const uint32_t count = into->count + m->count;

	if (is_wakeup(kind))
		take_wakeup(into, m);
	else if (kind == VIEW_TRACK_TASK)
		take_states(track, into, m);
	else if (view_track_is_plot(kind))
		take_value(into, m);
	else
		take_in(t, into, m);
	into->count = count & COUNT_MOST;
}

/*
 * One pass with one length of granules. Marks are compacted in place; those of a granule or longer
 * stay alone.
 */
static void merge_once(struct view_track *t, enum view_track_kind kind, uint64_t from,
		       struct tally *tallies)
{
	size_t kept = 0;

	memset(tallies, 0, DEPTHS * sizeof(*tallies));
	for (size_t i = 0; i < t->count; i++) {
		struct view_mark m = t->v[i];
		const bool has_depth = !is_wakeup(kind);
		const size_t depth = has_depth && m.depth > 0 ? (size_t)m.depth : 0;
		const uint64_t granule = (m.from > from ? m.from - from : 0) / t->granule;
		struct tally *tally = depth < DEPTHS ? &tallies[depth] : NULL;
		const bool is_short = m.to - m.from < t->granule;

		if (tally && is_short && tally->mark && tally->granule == granule &&
		    t->v[tally->mark - 1].count + m.count <= COUNT_MOST) {
			take(tally, t, kind, &t->v[tally->mark - 1], &m);
			continue;
		}
		t->v[kept] = m;
		if (tally) {
			tally->mark = is_short ? kept + 1 : 0;
			tally->granule = granule;
			tally->count = 0;
		}
		kept++;
	}
	t->count = kept;
}

/* Doubles the granule until `most` marks are left, or until a granule is as long as the trace. */
bool view_track_merge(struct view_track *t, enum view_track_kind kind, uint64_t from, uint64_t to,
		      size_t most)
{
	struct tally *tallies = malloc(DEPTHS * sizeof(*tallies));

	if (!tallies)
		return false;
	if (!t->granule)
		t->granule = (to - from) / GRANULES / 2 + 1;
	while (t->count > most && t->granule <= to - from) {
		t->granule *= 2;
		merge_once(t, kind, from, tallies);
	}
	free(tallies);
	return true;
}
