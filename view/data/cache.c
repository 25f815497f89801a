/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the entries that were used last, and has the others made in the background. An entry that
 * is asked for and not there is made by the engine; meanwhile the answer is pending. Entries that
 * nobody holds are forgotten when the cache exceeds its bounds, the oldest first.
 */
#include "cache.h"

#include <stdlib.h>

enum tdat_status view_cache_new(struct view_cache **out, const struct view_cache_ops *ops,
				struct view_engine *engine, struct tdat_error *err)
{
	struct view_cache *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return tdat_error_no_memory(err, "answers");
	pthread_mutex_init(&c->lock, NULL);
	c->ops = ops;
	c->engine = engine;
	return TDAT_OK;
}

static void free_entry(struct view_cache *c, struct view_cached *e)
{
	c->ops->free(e);
	free(e);
}

void view_cache_free(struct view_cache *c)
{
	if (!c)
		return;
	while (c->first) {
		struct view_cached *next = c->first->next;

		free_entry(c, c->first);
		c->first = next;
	}
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static bool is_given_up(const struct view_cached *e)
{
	return e->done && e->err.status == TDAT_E_CANCELLED;
}

/* Moves the entry to the front: the list is in the order of use. Needs the lock. */
static struct view_cached *find(struct view_cache *c, const void *key)
{
	for (struct view_cached **at = &c->first; *at; at = &(*at)->next) {
		struct view_cached *e = *at;

		if (is_given_up(e) || !c->ops->same(e, key))
			continue;
		*at = e->next;
		e->next = c->first;
		c->first = e;
		e->asked_ms = view_now_ms();
		return e;
	}
	return NULL;
}

/*
 * Frees the entries that were given up, and those behind the bounds in the order of use. Entries
 * that are held or being made stay. Needs the lock.
 */
static void forget(struct view_cache *c)
{
	size_t weight = 0, count = 0;

	for (struct view_cached **at = &c->first; *at;) {
		struct view_cached *e = *at;

		/* An entry that is not done may be read by the thread that makes it. */
		if (!e->done || e->users ||
		    (!is_given_up(e) && weight + e->weight <= c->ops->weight_kept &&
		     count < c->ops->kept)) {
			weight += e->done ? e->weight : 0;
			count += e->done;
			at = &e->next;
			continue;
		}
		*at = e->next;
		free_entry(c, e);
	}
}

/* users is 1 for the work. Needs the lock; view_engine_do takes that of the engine within. */
static bool make(struct view_cache *c, const void *key)
{
	struct view_cached *e = calloc(1, c->ops->entry_len);

	if (!e)
		return false;
	e->cache = c;
	e->users = 1;
	e->asked_ms = view_now_ms();
	if (!c->ops->init(e, key) ||
	    !view_engine_do(c->engine, c->ops->make, e, c->ops->after_index)) {
		free_entry(c, e);
		return false;
	}
	c->pending++;
	e->next = c->first;
	c->first = e;
	return true;
}

/*
 * *entry NULL with TDAT_OK: it is being made, ask again. An entry that failed keeps its error until
 * it is forgotten, as another attempt would fail, too.
 */
enum tdat_status view_cache_get(struct view_cache *c, const void *key, const void **entry,
				struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct view_cached *e;

	*entry = NULL;
	pthread_mutex_lock(&c->lock);
	e = find(c, key);
	if (e && e->done) {
		st = e->err.status;
		if (st != TDAT_OK && err)
			*err = e->err;
		if (st == TDAT_OK) {
			e->users++;
			*entry = e;
		}
	}
	forget(c);
	if (!e && (c->pending >= c->ops->pending_most || !make(c, key)))
		st = tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "%s: ask again later",
				    c->ops->too_many);
	pthread_mutex_unlock(&c->lock);
	return st;
}

void view_cache_put(const void *entry)
{
	struct view_cached *e = (struct view_cached *)(uintptr_t)entry;

	if (!e)
		return;
	pthread_mutex_lock(&e->cache->lock);
	e->users--;
	pthread_mutex_unlock(&e->cache->lock);
}

/* The own work of the others may come and go while they are read here, hence a user for each. */
size_t view_cache_begin(struct view_cached *own, bool (*together)(const void *a, const void *b),
			struct view_cached **begun, size_t most)
{
	struct view_cache *c = own->cache;
	size_t count = 0;

	pthread_mutex_lock(&c->lock);
	if (!own->begun)
		begun[count++] = own;
	own->begun = true;
	for (struct view_cached *e = c->first; e && count && count < most; e = e->next)
		if (!e->begun && together(own, e)) {
			begun[count++] = e;
			e->begun = true;
		}
	for (size_t i = 0; i < count; i++)
		begun[i]->users++;
	pthread_mutex_unlock(&c->lock);
	return count;
}

bool view_cache_is_forsaken(struct view_cached *e, int64_t ms)
{
	struct view_cache *c = e->cache;
	int64_t asked_ms;

	pthread_mutex_lock(&c->lock);
	asked_ms = e->asked_ms;
	pthread_mutex_unlock(&c->lock);
	return view_now_ms() - asked_ms >= ms;
}

/* own has another user from the beginning: the work that makes it. */
void view_cache_done(struct view_cached *own, struct view_cached *const *begun, size_t count)
{
	struct view_cache *c = own->cache;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < count; i++) {
		begun[i]->done = true;
		begun[i]->users--;
	}
	own->users--;
	c->pending--;
	pthread_mutex_unlock(&c->lock);
}
