/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of tracks (cache.c): what a track is asked for by, and the work that makes it. A track
 * that is asked for and not there is made by the engine, with all others that one pass over the
 * events can make.
 */
#include "tracks.h"

#include <stdlib.h>
#include <string.h>

/*
 * MARKS_KEPT bounds the marks of all tracks that nobody holds, KEPT_MOST the tracks, PENDING_MOST
 * those that are being made.
 */
enum { MARKS_KEPT = 20 * VIEW_MARKS_MOST, KEPT_MOST = 512, PENDING_MOST = 256 };

/* The texts of its key. */
struct entry {
	struct view_track track; /* the first member */
	char *text, *more;
};

static bool go_together(const void *a, const void *b)
{
	const struct view_track *x = a, *y = b;

	return view_track_go_together(&x->key, &y->key);
}

/*
 * The work of one track. It may find that another work has made its track already: then it only
 * drops its reference.
 */
static void make_track(void *ctx, const bool *stop)
{
	struct view_cached *own = ctx, *all[VIEW_TRACKS_AT_ONCE];
	struct view_engine *engine = own->cache->engine;
	const size_t count = view_cache_begin(own, go_together, all, VIEW_TRACKS_AT_ONCE);
	struct view_track *wanted[VIEW_TRACKS_AT_ONCE];
	size_t wanted_count = 0;

	for (size_t i = 0; i < count; i++) {
		struct view_track *t = (struct view_track *)(void *)all[i];

		if (view_track_may_exist(view_engine_index(engine), &t->key))
			wanted[wanted_count++] = t;
	}
	if (wanted_count)
		view_track_read(view_engine_index(engine), wanted, wanted_count, stop);
	for (size_t i = 0; i < wanted_count; i++) {
		if (wanted[i]->head.err.status != TDAT_OK)
			view_track_fini(wanted[i]);
		wanted[i]->head.weight = wanted[i]->count;
	}
	view_cache_done(own, all, count);
}

static bool same(const void *entry, const void *key)
{
	const struct view_track_key *a = &((const struct view_track *)entry)->key, *b = key;

	return a->kind == b->kind && a->rec == b->rec && a->id == b->id &&
	       !strcmp(a->text, b->text) && !strcmp(a->more, b->more) &&
	       a->names_only == b->names_only;
}

/* The texts belong to the entry; the key points to them. */
static bool init(void *entry, const void *key)
{
	struct entry *e = entry;
	struct view_track_key *own = &e->track.key;

	*own = *(const struct view_track_key *)key;
	e->text = strdup(own->text);
	e->more = strdup(own->more);
	own->text = e->text;
	own->more = e->more;
	return e->text && e->more;
}

static void free_track(void *entry)
{
	struct entry *e = entry;

	view_track_fini(&e->track);
	free(e->text);
	free(e->more);
}

const struct view_cache_ops view_tracks_ops = {
	.entry_len = sizeof(struct entry),
	.kept = KEPT_MOST,
	.weight_kept = MARKS_KEPT,
	.pending_most = PENDING_MOST,
	.after_index = true,
	.too_many = "too many rows are being prepared",
	.same = same,
	.init = init,
	.make = make_track,
	.free = free_track,
};

enum tdat_status view_track_get(struct view_cache *tracks, const struct view_track_key *key,
				const struct view_track **track, struct tdat_error *err)
{
	const void *entry;
	const enum tdat_status st = view_cache_get(tracks, key, &entry, err);

	*track = entry;
	return st;
}

/* The failure is reported to who asks for the track. */
void view_track_begin(struct view_cache *tracks, const struct view_track_key *key)
{
	const struct view_track *track;

	if (view_track_get(tracks, key, &track, NULL) == TDAT_OK)
		view_cache_put(track);
}

enum tdat_status view_tracks_get_all(struct view_cache *tracks, enum view_track_kind kind,
				     bool names_only, const struct view_track ***out, bool *pending,
				     struct tdat_error *err)
{
	const size_t recs = view_engine_index(tracks->engine)->trace->rec_count;
	enum tdat_status st = TDAT_OK;

	*out = calloc(recs + 1, sizeof(struct view_track *));
	if (!*out)
		return tdat_error_no_memory(err, "tracks");
	for (size_t r = 0; st == TDAT_OK && r < recs; r++) {
		const struct view_track_key key = {kind, (uint32_t)r, -1, "", "", names_only};

		st = view_track_get(tracks, &key, &(*out)[r], err);
		*pending |= !(*out)[r];
	}
	return st;
}

void view_tracks_put_all(struct view_cache *tracks, const struct view_track **list)
{
	const size_t recs = view_engine_index(tracks->engine)->trace->rec_count;

	for (size_t r = 0; list && r < recs; r++)
		view_cache_put(list[r]);
	free(list);
}
