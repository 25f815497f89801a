/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A track while it is read: track_read.c passes rows and events, track_take.c makes marks of them,
 * track_finish.c puts these in order.
 */
#ifndef VIEW_DATA_TRACK_READING_H
#define VIEW_DATA_TRACK_READING_H

#include <tdat/rows.h>

#include "tracks.h"

/* Wakeups of all tasks, whose distribution needs each of them. */
enum { TRACK_WAKEUPS_MOST = 600000, TRACK_DEATHS_MOST = 16 };

/* Places of the columns that all tables have; those of a table itself follow from TRACK_OWN. */
enum { TRACK_TS, TRACK_DUR, TRACK_CPU, TRACK_BUFFER, TRACK_OPEN, TRACK_PID, TRACK_OWN };
#define TRACK_COLUMNS "ts", "dur", "cpu", "buffer", "open", "pid"

/* One track of a pass. full: it has more marks than can be kept. */
struct view_reading {
	const struct view_index *ix;
	const struct view_trace *t;
	const struct view_track_key *key; /* of the track */
	struct view_track *track;
	const char *buffer;
	size_t cap;
	bool failed, full;
	const bool *stop;
	/* When the tasks of a pid died, one after the other: it may be used again. */
	uint64_t deaths[TRACK_DEATHS_MOST];
	size_t death_count;
};

/* When the file of a reading's recording ends. */
static inline uint64_t view_reading_end(const struct view_reading *r)
{
	return r->t->recs[r->key->rec].to;
}

static inline void view_mark_set(struct view_mark *m, double v)
{
	m->value.last = m->value.least = m->value.most = v;
}

/* Adds a mark. NULL: there is no room, or no memory. */
struct view_mark *view_reading_mark(struct view_reading *r);

/* Takes a row of the track's table. False: it wants no more. */
bool view_reading_take(struct view_reading *r, const struct tdat_value *v);

/* Tracks of calls that end at the death of their task. */
static inline bool view_track_is_of_calls(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_SYSCALL || kind == VIEW_TRACK_FUNCTION;
}

/* Takes a row of thread_state that is read for calls, which end when their task dies. */
void view_reading_death(struct view_reading *r, const struct tdat_value *v);

/*
 * Adds the runs that the index knows besides those of the table: before the first switch of a CPU,
 * and behind losses.
 */
void view_reading_early(struct view_reading *r, const int32_t *pids, size_t pid_count);

/* Puts the marks in order. A failure is the error of this track; others of the pass have theirs. */
enum tdat_status view_reading_finish(struct view_reading *r);

#endif
