/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What answers need of many events is made in the background, and kept for the next question. A
 * cache has entries of one kind: the counts of selections (counts.h), or tracks (tracks.h).
 *
 * Threads: a cache may be used by several threads at once. Entries that were got do not change.
 */
#ifndef VIEW_DATA_CACHE_H
#define VIEW_DATA_CACHE_H

#include "engine.h"

struct view_cache;

/* The first member of each entry. */
struct view_cached {
	struct view_cached *next;
	struct view_cache *cache;
	unsigned users;	  /* answers, and work that reads it or will look at it */
	bool begun, done; /* it does not change after done */
	int64_t asked_ms; /* when it was asked for last */
	size_t weight;	  /* set by the work that makes it */
	/* Set by it as well. TDAT_E_CANCELLED: it was given up; the next question has it made anew.
	 */
	struct tdat_error err;
};

/* A kind of entries. */
struct view_cache_ops {
	size_t entry_len;
	size_t kept, weight_kept; /* entries that stay when nobody holds them; what they weigh */
	size_t pending_most;	  /* entries that are being made */
	bool after_index;	  /* they are made when the index is complete */
	const char *too_many;
	bool (*same)(const void *entry, const void *key);
	/* Copies the key into an entry that is all zero. False: no memory; free follows. */
	bool (*init)(void *entry, const void *key);
	/* Makes the entry, and then calls view_cache_done. */
	view_work_fn make;
	void (*free)(void *entry);
};

struct view_cache {
	const struct view_cache_ops *ops;
	struct view_engine *engine;
	pthread_mutex_t lock;
	struct view_cached *first; /* the one that was used last */
	size_t pending;
};

enum tdat_status view_cache_new(struct view_cache **out, const struct view_cache_ops *ops,
				struct view_engine *engine, struct tdat_error *err);
/* Frees the cache, after the threads of the engine have ended. */
void view_cache_free(struct view_cache *c);

/*
 * Sets *entry, to be given back by view_cache_put, or to NULL while it is being made.
 * TDAT_E_CANCELLED: too many others are being made.
 */
enum tdat_status view_cache_get(struct view_cache *c, const void *key, const void **entry,
				struct tdat_error *err);
void view_cache_put(const void *entry);

/*
 * The work of an entry calls these. view_cache_begin lists the entries that it is to make: its own,
 * and others that go together with it; none if other work has begun it. Then they are done.
 */
size_t view_cache_begin(struct view_cached *own, bool (*together)(const void *a, const void *b),
			struct view_cached **begun, size_t most);
void view_cache_done(struct view_cached *own, struct view_cached *const *begun, size_t count);

/* Whether nobody has asked for an entry that is being made for so many milliseconds. */
bool view_cache_is_forsaken(struct view_cached *e, int64_t ms);

#endif
