/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks: the intervals and values of one row of a picture that is no CPU, from the derived tables
 * (docs/analysis.md) or from a field. A track is made in the background when it is first asked
 * for; the last ones are kept within a bound of memory.
 */
#ifndef VIEW_DATA_TRACKS_H
#define VIEW_DATA_TRACKS_H

#include <tdat/rows.h>

#include "cache.h"
#include "core/byte_set.h"
#include "mark.h"

enum view_track_kind {
	VIEW_TRACK_TASK,    /* states of a task */
	VIEW_TRACK_PROCESS, /* times on a CPU of the tasks of a thread group */
	VIEW_TRACK_WAKEUP,  /* wakeups of a task */
	VIEW_TRACK_IRQ,
	VIEW_TRACK_SOFTIRQ,
	VIEW_TRACK_SLICE,
	VIEW_TRACK_SYSCALL,
	VIEW_TRACK_FUNCTION,
	VIEW_TRACK_KVM, /* exits of a virtual CPU: the host works for it */
	VIEW_TRACK_BLOCK,
	VIEW_TRACK_COUNTER,
	VIEW_TRACK_LATENCY,
	VIEW_TRACK_FIELD,
	VIEW_TRACK_WAKEUP_TIMES, /* of all tasks, those that ended */
	VIEW_TRACK_KINDS
};

struct view_track;

/* Names by number, all zero at first. */
struct view_names {
	struct tdat_byte_set set; /* with a NUL behind each; the first has number 1 there */
	struct tdat_build text;	  /* the one that is looked for */
	uint64_t *counts;	  /* marks that have it */
	size_t cap;
};

static inline size_t view_names_count(const struct view_names *names)
{
	return names->set.map.count;
}

/* The text of a number, until the next name is added. */
static inline const char *view_names_text(const struct view_names *names, size_t number)
{
	return (const char *)tdat_byte_set_get(&names->set, (uint32_t)number + 1).ptr;
}

/* The state that a name of a track of a task's states is one of. */
enum view_state view_state_of(const struct view_track *t, uint32_t name);

/* Which track: id is a pid, a thread group or a CPU; text the name of something. */
struct view_track_key {
	enum view_track_kind kind;
	uint32_t rec;
	int64_t id;	  /* -1: any */
	const char *text; /* "" where it means nothing */
	const char *more; /* a second one, of latencies and fields */
	/* Only the names that keys of this kind may have, and how many intervals each has. */
	bool names_only;
};

struct view_track {
	struct view_cached head;
	struct view_track_key key;
	struct view_mark *v; /* by depth, then by time */
	size_t count;
	uint64_t granule; /* marks that are shorter were put together; 0: none */
	struct view_names names;
	int32_t depth_most;
};

/* Adds the states of a task in the window of s, which it ends. */
void view_track_states(const struct view_track *t, struct view_shares *s);

extern const struct view_cache_ops view_tracks_ops;
/* Sets *track, to be given back by view_cache_put, or to NULL while it is being made. */
enum tdat_status view_track_get(struct view_cache *tracks, const struct view_track_key *key,
				const struct view_track **track, struct tdat_error *err);

/* Has a track made that will be asked for. */
void view_track_begin(struct view_cache *tracks, const struct view_track_key *key);
/*
 * Sets *out to the tracks of a kind of all recordings, to be given back by view_tracks_put_all,
 * also after a failure; *pending becomes true while one of them is being made.
 */
enum tdat_status view_tracks_get_all(struct view_cache *tracks, enum view_track_kind kind,
				     bool names_only, const struct view_track ***out, bool *pending,
				     struct tdat_error *err);
void view_tracks_put_all(struct view_cache *tracks, const struct view_track **list);

/* Gives the number of a name, which is added if it is new; false without memory. */
bool view_names_number(struct view_names *names, const char *text, size_t len, uint32_t *number);
void view_names_fini(struct view_names *names);

/*
 * Reads the tracks of keys in one pass, and sets the error of each; it stops early when *stop is
 * set. There may be several only where view_track_go_together is true of the first one and each
 * other; none is there twice. The threads of the engine call it for the cache.
 */
void view_track_read(const struct view_index *ix, struct view_track *const *tracks, size_t count,
		     const bool *stop);
/*
 * Whether one pass over the events makes both: the states and the wakeups of tasks of a recording,
 * the irqs and softirqs of a CPU, or other tracks of one kind of several tasks.
 */
bool view_track_go_together(const struct view_track_key *a, const struct view_track_key *b);
/*
 * Whether there is an event that tracks of this kind and recording, or of this field, are made of;
 * true where that cannot be told. The index must be complete.
 */
bool view_track_may_exist(const struct view_index *ix, const struct view_track_key *key);
/* So many at once: while they are made, each may hold 2 * VIEW_MARKS_MOST marks. */
enum { VIEW_TRACKS_AT_ONCE = 16, VIEW_MARKS_MOST = 65536 };
/* Whether the marks of a kind are calls or sections of a task. */
bool view_track_is_call(enum view_track_kind kind);
/*
 * Whether a system call ends its task, by its name. It never returns: how long it lasts is known
 * only if the death of the task was recorded.
 */
bool view_call_is_last(const struct tdat_value *name);
/* Whether the marks of a kind are values. */
bool view_track_is_plot(enum view_track_kind kind);
void view_track_fini(struct view_track *track);

#endif
