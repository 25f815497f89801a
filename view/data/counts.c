/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the events of selections by bin, on the threads of the engine. A selection's counts are
 * made in the background and the last few are kept (cache.c); a question that comes before they
 * are done is answered without them.
 */
#include "counts.h"

#include <stdlib.h>

/* The bounds of what is kept and being made: an entry holds 4 bytes for each bin. */
enum { KEPT = 48, PENDING_MOST = 112 };

/* What counts are asked for by. */
struct key {
	const struct view_selection *selection;
	size_t lane;
};

/* The counts of one selection; bins may be read without the lock when it is done. */
struct entry {
	struct view_counts counts; /* the first member */
	struct view_selection *selection;
	size_t lane;
	uint32_t *bins;
	const bool *stop;
};

static const struct view_index *index_of(const struct entry *e)
{
	return view_engine_index(e->counts.head.cache->engine);
}

/* Counts one lane or all; bins are this thread's alone until done is set. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct entry *e = ctx;
	const struct view_index *ix = index_of(e);

	for (size_t i = 0; i < count; i++)
		e->bins[view_index_bin(ix, events[i].ts)]++;
	e->counts.total += count;
	return __atomic_load_n(e->stop, __ATOMIC_RELAXED) ? 0 : count;
}

static bool is_counted(const struct entry *e, size_t lane)
{
	return e->lane == VIEW_ALL_LANES || e->lane == lane;
}

/*
 * Without a selection the counts are those of the index, which is complete before other work
 * begins.
 */
static void add_lanes(struct entry *e)
{
	const struct view_index *ix = index_of(e);

	for (size_t i = 0; i < ix->trace->lane_count; i++)
		for (uint32_t b = 0; b < ix->bin_count && is_counted(e, i); b++) {
			e->bins[b] += ix->lanes[i].bins[b].events;
			e->counts.total += ix->lanes[i].bins[b].events;
		}
}

/* The work of one entry. */
static void count_events(void *ctx, const bool *stop)
{
	struct entry *e = ctx;
	const struct view_trace *t = index_of(e)->trace;
	struct view_cached *own;
	const size_t count = view_cache_begin(&e->counts.head, NULL, &own, 1);
	enum tdat_status st = TDAT_OK;

	e->stop = stop;
	if (view_selection_is_all(e->selection) && view_index_complete(index_of(e)))
		add_lanes(e);
	else
		for (size_t i = 0; st == TDAT_OK && i < t->lane_count; i++)
			if (is_counted(e, i))
				st = view_read_lane(t, &t->lanes[i], NULL, e->selection,
						    take_events, e, NULL, &e->counts.head.err);
	view_cache_done(&e->counts.head, &own, count);
}

static bool same(const void *entry, const void *key)
{
	const struct entry *e = entry;
	const struct key *k = key;

	return e->lane == k->lane && view_selection_same(e->selection, k->selection);
}

static bool init(void *entry, const void *key)
{
	struct entry *e = entry;
	const struct key *k = key;

	e->lane = k->lane;
	e->selection = view_selection_copy(k->selection);
	e->bins = calloc(index_of(e)->bin_count, sizeof(*e->bins));
	e->counts.bins = e->bins;
	return e->selection && e->bins;
}

static void free_counts(void *entry)
{
	struct entry *e = entry;

	free(e->selection);
	free(e->bins);
}

const struct view_cache_ops view_counts_ops = {
	.entry_len = sizeof(struct entry),
	.kept = KEPT,
	.pending_most = PENDING_MOST,
	.too_many = "too many selections are being counted",
	.same = same,
	.init = init,
	.make = count_events,
	.free = free_counts,
};

enum tdat_status view_counts_get(struct view_cache *c, const struct view_selection *s, size_t lane,
				 const struct view_counts **counts, struct tdat_error *err)
{
	const struct key key = {s, lane};
	const void *entry;
	const enum tdat_status st = view_cache_get(c, &key, &entry, err);

	*counts = entry;
	return st;
}
