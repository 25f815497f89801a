/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording of user_events: the memory that programs share with it, and what the recorder knows
 * and does beside. preload/layout.h says what is in the memory.
 */
#ifndef USER_EVENTS_RECORDER_RECORDER_H
#define USER_EVENTS_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tdat/emit.h>

#include "preload/layout.h"

/* ---- session.c ---- */

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

/* ---- events.c ---- */

/* record_emit_info tells the writer about the machine: before all else. */
int record_emit_info(struct record_session *s);

/* A record as it was found in a ring, its values checked. */
struct record_event {
	uint32_t len; /* bytes of the ring */
	uint32_t event;
	uint32_t cpu;
	int32_t tid;
	uint64_t ts_ns;
	uint64_t lost;
	const uint8_t *payload;
	uint32_t payload_len; /* at most UE_RECORD_MAX */
};

int record_emit_event(struct record_session *s, const struct record_event *event);

/* record_note_comm remembers the name of a thread; the last one counts. */
int record_note_comm(struct record_session *s, int32_t tid, const char comm[16]);

/* record_emit_end hands over names, and losses that no event follows. */
int record_emit_end(struct record_session *s);

/* ---- rings.c ---- */

/*
 * record_drain hands over the records that are there, up to the earliest time that a record still
 * being written may have. *count gets their number. With at_end nobody writes any more.
 */
int record_drain(struct record_session *s, bool at_end, uint64_t *count);

/* ---- upkeep.c ---- */

/*
 * record_upkeep frees what closed files and ended processes held, when a program asked for it or
 * some time has passed, and sets the bits of other processes after events were enabled.
 */
void record_upkeep(struct record_session *s);

/* ---- program.c ---- */

/* record_library finds the library, beside this program or where it was installed. */
int record_library(char *path, size_t cap);

/*
 * record_program_find finds the program as a shell does and refuses what cannot be recorded. A
 * static program, into which no library can be loaded, sets *is_static.
 */
int record_program_find(const char *name, char *path, size_t cap, bool *is_static);

/*
 * record_program_start starts it, with the library or, where the session has it, by notifications.
 * Processes that lose their parent become children of this one, so that it knows when the last one
 * has ended.
 */
int record_program_start(struct record_session *s, const char *library, const char *path,
			 char *const argv[], pid_t *pid);

/* ---- control.c ---- */

/* record_control_open makes the socket at path; *fd is the caller's. */
int record_control_open(const char *path, int *fd);

/* record_control_serve answers those who are waiting. */
void record_control_serve(struct record_session *s, int fd);

/* record_control_ask is the other side: "enable" or "disable" and a glob. */
int record_control_ask(const char *path, const char *verb, const char *glob);

/* ---- notify.c ---- */

/* record_notify_new makes what is needed to answer calls; the session must outlive it. */
int record_notify_new(struct record_notify **out, struct record_session *s);
void record_notify_free(struct record_notify *n);

/* record_notify_serve answers calls for some time, and hands events over. */
int record_notify_serve(struct record_notify *n, uint64_t ns);

/* record_notify_stop ends the recording; calls are still to be answered. */
void record_notify_stop(struct record_notify *n);

#endif
