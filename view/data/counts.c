/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the events of selections by bin, on the threads of the engine. A selection's counts are
 * made in the background and the last few are kept; a question that comes before they are done is
 * answered without them.
 */
#include "counts.h"

#include <stdlib.h>

/*
 * The KEPT entries that were used last stay; KEPT_MOST bounds all, also those being made. An entry
 * holds 4 bytes for each bin.
 */
enum { KEPT = 48, KEPT_MOST = 160 };

/*
 * The counts of one selection. done: bins do not change any more, and may be read without the lock.
 */
struct entry {
	struct view_counts counts; /* the first member */
	struct entry *next;
	struct view_counts_cache *cache;
	struct view_selection *selection;
	size_t lane;
	uint32_t *bins;
	const bool *stop;
	unsigned users; /* questions that look at it */
	bool done;
	struct tdat_error err;
};

struct view_counts_cache {
	struct view_engine *engine;
	pthread_mutex_t lock;
	struct entry *first; /* the one that was used last */
	size_t count;
};

enum tdat_status view_counts_cache_new(struct view_counts_cache **out, struct view_engine *engine,
				       struct tdat_error *err)
{
	struct view_counts_cache *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return tdat_error_no_memory(err, "counts");
	pthread_mutex_init(&c->lock, NULL);
	c->engine = engine;
	return TDAT_OK;
}

static void free_entry(struct entry *e)
{
	free(e->selection);
	free(e->bins);
	free(e);
}

void view_counts_cache_free(struct view_counts_cache *c)
{
	if (!c)
		return;
	while (c->first) {
		struct entry *next = c->first->next;

		free_entry(c->first);
		c->first = next;
	}
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* ---- counting ---- */

/* Counts one lane or all; bins are this thread's alone until done is set. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct entry *e = ctx;
	const struct view_index *ix = view_engine_index(e->cache->engine);

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
	const struct view_index *ix = view_engine_index(e->cache->engine);

	for (size_t i = 0; i < ix->trace->lane_count; i++)
		for (uint32_t b = 0; b < ix->bin_count && is_counted(e, i); b++) {
			e->bins[b] += ix->lanes[i].bins[b].events;
			e->counts.total += ix->lanes[i].bins[b].events;
		}
}

/*
 * The job of one entry. It has a reference (users) from the beginning, so that the entry cannot be
 * forgotten meanwhile.
 */
static void count_events(void *ctx, const bool *stop)
{
	struct entry *e = ctx;
	const struct view_trace *t = view_engine_trace(e->cache->engine);
	enum tdat_status st = TDAT_OK;

	e->stop = stop;
	if (view_selection_is_all(e->selection) &&
	    view_index_complete(view_engine_index(e->cache->engine)))
		add_lanes(e);
	else
		for (size_t i = 0; st == TDAT_OK && i < t->lane_count; i++)
			if (is_counted(e, i))
				st = view_read_lane(t, &t->lanes[i], NULL, e->selection,
						    take_events, e, NULL, &e->err);
	pthread_mutex_lock(&e->cache->lock);
	e->done = true;
	e->users--;
	pthread_mutex_unlock(&e->cache->lock);
}

/* ---- the cache ---- */

/*
 * Frees the entries that were not used for longest, beyond the first KEPT. The list is in the order
 * of use.
 */
static void forget(struct view_counts_cache *c)
{
	for (size_t kept = 0;;) {
		struct entry **last = NULL;

		kept = 0;
		for (struct entry **at = &c->first; *at; at = &(*at)->next)
			if (kept++ >= KEPT && !(*at)->users)
				last = at;
		if (!last)
			return;
		struct entry *old = *last;

		*last = old->next;
		c->count--;
		free_entry(old);
	}
}

/* Finds an entry and moves it to the front. Needs the lock. */
static struct entry *find(struct view_counts_cache *c, const struct view_selection *s, size_t lane)
{
	for (struct entry **at = &c->first; *at; at = &(*at)->next) {
		struct entry *e = *at;

		if (e->lane != lane || !view_selection_same(e->selection, s))
			continue;
		*at = e->next;
		e->next = c->first;
		c->first = e;
		return e;
	}
	return NULL;
}

/* Makes an entry and hands its counting to the engine. Needs the lock. */
static struct entry *make(struct view_counts_cache *c, const struct view_selection *s, size_t lane)
{
	const struct view_index *ix = view_engine_index(c->engine);
	struct entry *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->cache = c;
	e->lane = lane;
	e->selection = view_selection_copy(s);
	e->bins = calloc(ix->bin_count, sizeof(*e->bins));
	e->counts.bins = e->bins;
	e->users = 1;
	if (!e->selection || !e->bins || !view_engine_do(c->engine, count_events, e)) {
		free_entry(e);
		return NULL;
	}
	e->next = c->first;
	c->first = e;
	c->count++;
	return e;
}

/*
 * A failure of counting is returned each time, as another attempt would fail, too. The caller
 * returns counts by view_counts_put.
 */
enum tdat_status view_counts_get(struct view_counts_cache *c, const struct view_selection *s,
				 size_t lane, const struct view_counts **counts,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct entry *e;

	*counts = NULL;
	pthread_mutex_lock(&c->lock);
	e = find(c, s, lane);
	if (!e) {
		forget(c);
		e = c->count < KEPT_MOST ? make(c, s, lane) : NULL;
		if (!e)
			st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					    "too many selections are being counted");
	} else if (e->done && e->err.status != TDAT_OK) {
		st = e->err.status;
		if (err)
			*err = e->err;
	} else if (e->done) {
		e->users++;
		*counts = &e->counts;
	}
	pthread_mutex_unlock(&c->lock);
	return st;
}

void view_counts_put(struct view_counts_cache *c, const struct view_counts *counts)
{
	struct entry *e = (struct entry *)counts;

	if (!e)
		return;
	pthread_mutex_lock(&c->lock);
	e->users--;
	pthread_mutex_unlock(&c->lock);
}
