/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording of user_events: the memory that programs share with it, and what the recorder knows
 * beside. preload/layout.h says what is in the memory.
 */
#ifndef USER_EVENTS_RECORDER_SESSION_H
#define USER_EVENTS_RECORDER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <tdat/emit.h>

#include "preload/layout.h"

/* How far a ring was read. */
struct record_ring {
	bool is_known;
	bool is_dead;	     /* its thread ended: nothing comes any more */
	bool is_damaged;     /* what is in it makes no sense: the rest is passed over */
	uint64_t tail;	     /* bytes read */
	uint64_t shown_tail; /* bytes that its thread knows to be free again */
	uint64_t snap;	     /* bytes there were at the last look */
	uint64_t look_ns;    /* when that was: what comes behind snap is later */
	uint64_t floor_ns;   /* what comes behind tail is no earlier */
	uint64_t comm_ns;    /* when the name of its thread was last looked up */
	int32_t pid, tid;
};

struct record_comm {
	int32_t tid;
	char comm[16];
};

struct record_notify;

struct record_session {
	struct ue_shared *shared;
	size_t shared_len;
	uint32_t ring_len, ring_count; /* copies, as programs can change those in the memory */
	int shared_fd, lock_fd;
	const struct tdat_emit *emit;
	uint32_t cpu_count;
	struct record_ring *rings;
	struct tdat_heap_item *heap; /* one for each ring */
	uint16_t *ids;		     /* of events in the trace; 0: not yet there */
	char (*names)[UE_NAME_LEN];  /* and their names there */
	size_t name_count, name_cap;
	struct record_comm *comms;
	size_t comm_count, comm_cap;
	uint64_t events, lost;
	uint64_t pending_lost; /* for the next event */
	uint64_t last_ns;      /* of the last event */
	uint64_t last_look_ns;
	uint64_t upkeep_ns;
	uint32_t enable_changes;
	/* Programs whose system calls are answered, instead of loading a library into them. */
	struct record_notify *notify;
	uint32_t first_fd; /* of the numbers that descriptors of theirs have */
	int listener;	   /* by which their calls come */
	void (*before_upkeep)(struct record_notify *n);
	/* When each process was first seen to have ended; 0: it was not. */
	uint64_t gone_ns[UE_PROCESSES_MAX];
	uint64_t unfollowed; /* bits in other processes that could not be set */
};

struct record_opts {
	uint64_t ring_len; /* a power of two */
	uint64_t wait_ms;
	const char *const *globs; /* events that are enabled; none: all */
	size_t glob_count;
};

/* record_session_init makes the shared memory; the emit is set afterwards. */
int record_session_init(struct record_session *s, const struct record_opts *opts);
void record_session_fini(struct record_session *s);

/*
 * record_lock takes the lock of the registry, but waits for it a short time only: a program may
 * have been stopped while it holds it.
 */
bool record_lock(struct record_session *s);

/* record_add_rule enables or disables the events of a glob, those to come as well. */
int record_add_rule(struct record_session *s, bool on, const char *glob, uint32_t *matches);

/*
 * record_disable_all disables all events, so that programs that look whether one is enabled stop
 * writing.
 */
void record_disable_all(struct record_session *s);

uint64_t record_now_ns(void);

#endif
