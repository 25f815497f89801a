/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the tracks that were used last, and has the others made in the background. A track that
 * is asked for and not there is made by the engine; meanwhile the answer is pending. Tracks
 * that nobody holds are forgotten when the cache exceeds its bound, the oldest first.
 */
#include "tracks.h"

#include <stdlib.h>
#include <string.h>

/*
 * MARKS_KEPT bounds the marks of all tracks that nobody holds, KEPT_MOST the tracks, PENDING_MOST
 * those that are being made.
 */
enum { MARKS_KEPT = 20 * VIEW_MARKS_MOST, KEPT_MOST = 512, PENDING_MOST = 256 };

struct entry {
	struct view_track track; /* the first member */
	struct entry *next;
	struct view_tracks *cache;
	struct view_track_key key;
	char *text, *more;
	unsigned users;	  /* answers, and work that reads it or will look at it */
	bool begun, done; /* the track does not change after done */
	struct tdat_error err;
};

struct view_tracks {
	struct view_engine *engine;
	pthread_mutex_t lock;
	struct entry *first; /* the one that was used last */
	size_t pending;
};

enum tdat_status view_tracks_new(struct view_tracks **out, struct view_engine *engine,
				 struct tdat_error *err)
{
	struct view_tracks *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return tdat_error_no_memory(err, "rows");
	pthread_mutex_init(&c->lock, NULL);
	c->engine = engine;
	return TDAT_OK;
}

static void free_entry(struct entry *e)
{
	view_track_fini(&e->track);
	free(e->text);
	free(e->more);
	free(e);
}

void view_tracks_free(struct view_tracks *c)
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

/* Begins a track, and all others that one pass over the events can make with it. */
static size_t begin(struct view_tracks *c, struct entry *e, struct entry **all)
{
	size_t count = 0;

	pthread_mutex_lock(&c->lock);
	if (!e->begun)
		all[count++] = e;
	e->begun = true;
	for (struct entry *o = c->first; o && count && count < VIEW_REQUESTS; o = o->next)
		if (!o->begun && view_track_go_together(&e->key, &o->key)) {
			all[count++] = o;
			o->begun = true;
		}
	/* The own work of the others may come and go while they are read here. */
	for (size_t i = 0; i < count; i++)
		all[i]->users++;
	pthread_mutex_unlock(&c->lock);
	return count;
}

/*
 * The job of one track. It may find that another job has made its track already: then it only drops
 * its reference.
 */
static void make_track(void *ctx, const bool *stop)
{
	struct entry *e = ctx, *all[VIEW_REQUESTS];
	struct view_tracks *c = e->cache;
	struct view_track_request requests[VIEW_REQUESTS];
	const size_t count = begin(c, e, all);
	size_t wanted = 0;

	for (size_t i = 0; i < count; i++)
		if (view_track_may_exist(view_engine_index(c->engine), &all[i]->key))
			requests[wanted++] = (struct view_track_request){
				&all[i]->key, &all[i]->track, &all[i]->err};
	if (wanted)
		view_track_read(view_engine_trace(c->engine), requests, wanted, stop);
	for (size_t i = 0; i < count; i++)
		if (all[i]->err.status != TDAT_OK) {
			view_track_fini(&all[i]->track);
			all[i]->track = (struct view_track){.v = NULL};
		}
	/*
	 * Each entry has a user from the beginning: the work that makes it, which may come later.
	 */
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < count; i++) {
		all[i]->done = true;
		all[i]->users--;
	}
	e->users--;
	c->pending--;
	pthread_mutex_unlock(&c->lock);
}

/* The texts belong to the entry; the key points to them. */
static bool same(const struct view_track_key *a, const struct view_track_key *b)
{
	return a->kind == b->kind && a->rec == b->rec && a->id == b->id &&
	       !strcmp(a->text, b->text) && !strcmp(a->more, b->more);
}

/* Moves the entry to the front: the list is in the order of use. Needs the lock. */
static struct entry *find(struct view_tracks *c, const struct view_track_key *key)
{
	for (struct entry **at = &c->first; *at; at = &(*at)->next) {
		struct entry *e = *at;

		if (!same(&e->key, key))
			continue;
		*at = e->next;
		e->next = c->first;
		c->first = e;
		return e;
	}
	return NULL;
}

/*
 * Frees the tracks behind the bounds in the order of use. Tracks that are held or being made stay.
 * Needs the lock.
 */
static void forget(struct view_tracks *c)
{
	size_t marks = 0, count = 0;

	for (struct entry **at = &c->first; *at;) {
		struct entry *e = *at;

		if (!e->done) { /* another thread may be reading it */
			at = &e->next;
			continue;
		}
		marks += e->track.count;
		count++;
		if (e->users || (marks <= MARKS_KEPT && count <= KEPT_MOST)) {
			at = &e->next;
			continue;
		}
		marks -= e->track.count;
		count--;
		*at = e->next;
		free_entry(e);
	}
}

/*
 * users is 1 for the job. Needs the lock; view_engine_do_indexed takes that of the engine within.
 */
static struct entry *make(struct view_tracks *c, const struct view_track_key *key)
{
	struct entry *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->cache = c;
	e->key = *key;
	e->text = strdup(key->text);
	e->more = strdup(key->more);
	e->key.text = e->text;
	e->key.more = e->more;
	e->users = 1;
	if (!e->text || !e->more || !view_engine_do_indexed(c->engine, make_track, e)) {
		free_entry(e);
		return NULL;
	}
	c->pending++;
	e->next = c->first;
	c->first = e;
	return e;
}

/*
 * *track NULL with TDAT_OK: it is being made, ask again. A failed track keeps its error until it is
 * forgotten.
 */
enum tdat_status view_track_get(struct view_tracks *c, const struct view_track_key *key,
				const struct view_track **track, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct entry *e;

	*track = NULL;
	pthread_mutex_lock(&c->lock);
	e = find(c, key);
	if (e && e->done) {
		st = e->err.status;
		if (st != TDAT_OK && err)
			*err = e->err;
		if (st == TDAT_OK) {
			e->users++;
			*track = &e->track;
		}
	}
	forget(c);
	if (!e && (c->pending >= PENDING_MOST || !make(c, key)))
		st = tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				    "too many rows are being made: ask again later");
	pthread_mutex_unlock(&c->lock);
	return st;
}

void view_track_put(struct view_tracks *c, const struct view_track *track)
{
	struct entry *e = (struct entry *)track;

	if (!e)
		return;
	pthread_mutex_lock(&c->lock);
	e->users--;
	pthread_mutex_unlock(&c->lock);
}
