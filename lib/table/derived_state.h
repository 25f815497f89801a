/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the state machines of derived tables share: entries under keys, the intervals that are open
 * in them, and what losses of events make unknown.
 *
 * Where events of a CPU were lost, a task may have been switched in and out there, so that nothing
 * is known of tasks that did not run, and of the one that ran there; what ran on another CPU is
 * known still. Losses are numbered, and what is known keeps the number of the last one before it:
 * nothing need be walked at a loss.
 *
 * A gap lasts from the last event of the CPU before it to the first one behind it, or to the end
 * of the recording where its data ends in damage. Meanwhile tasks may have run there at any time,
 * so that nothing is known of a task that does not run, even right after an event of it. A gap
 * counts as a loss at both ends.
 */
#ifndef TDAT_TABLE_DERIVED_STATE_H
#define TDAT_TABLE_DERIVED_STATE_H

#include "derived.h"

/* The words of the column open. */
#define DERIVED_OPEN_END "end"	       /* the trace ended before the interval */
#define DERIVED_OPEN_LOST "lost"       /* events were lost before its end */
#define DERIVED_OPEN_UNENDED "unended" /* another one of its kind began, or an outer one ended */

/* What is left out is counted under these words. */
#define DERIVED_NO_START "interval end without a known beginning"
#define DERIVED_BACKWARDS "interval that would end before it begins"
#define DERIVED_CONTRADICTION "interval that events contradict"
#define DERIVED_FULL "event, because there are too many tasks, CPUs or open intervals"

/* An interval, the first member of each: in an entry, or on its stack. */
struct derived_open {
	uint32_t below; /* on a stack: the one that began before it, index + 1 */
	uint32_t cpu;
	bool is;    /* in an entry: it is open */
	bool stays; /* only losses of its CPU make it unknown */
	bool moves; /* its CPU may be another one when it ends */
	uint64_t ts;
	uint64_t known; /* derived_now() when it was last known */
	int64_t pid;
};

/* The first member of each entry. */
struct derived_entry {
	struct tdat_entry head;
	uint64_t key[TDAT_KEY_MOST]; /* the first is the recording */
	union {
		struct derived_open open;
		struct {
			uint32_t top, depth; /* of the stack; index + 1 */
		};
	};
};

/* How an interval ends. */
struct derived_end {
	uint64_t ts;
	const char *open; /* why the end is not known; NULL: it is */
	const void *how;  /* of the table; NULL where open is not */
};

/* The first member of each state. */
struct derived_state {
	const struct table_derived *def;
	struct derived_out *out;
	struct tdat_entries entries;
	uint8_t *intervals; /* of all stacks */
	size_t interval_count, interval_cap;
	uint32_t free_interval;
	uint64_t *last_loss;	       /* by recording: its number; 0: none */
	uint32_t *gaps;		       /* by recording: CPUs of which events are missing now */
	struct tdat_entries loss_cpus; /* by recording and CPU: the same */
};

/* ---- entries and intervals ---- */

/* A task in a key: its pid; the idle tasks of all CPUs have the same one. */
static inline uint64_t derived_task_key(int64_t pid, uint32_t cpu)
{
	return pid ? (uint32_t)pid : ((uint64_t)cpu + 1) << 32;
}

/* An entry of other entries than those of the state; NULL: there are too many, which is noted. */
void *derived_entry_get(struct derived_state *s, struct tdat_entries *e, const uint64_t *key);

/*
 * The entry of a key, or NULL. Rows of its intervals that losses made unknown are put, and they are
 * no longer open.
 */
void *derived_find(void *state, const uint64_t key[TDAT_KEY_MOST]);
/* The same, made if there is none; NULL: there are too many, which is noted. */
void *derived_get(void *state, const uint64_t key[TDAT_KEY_MOST]);
void derived_remove(void *state, void *entry);

/* The interval at an index + 1; NULL: 0. */
static inline void *derived_interval(const struct derived_state *s, uint32_t at)
{
	return at ? s->intervals + (at - 1) * s->def->interval_len : NULL;
}

/* Puts a copy of an interval onto the stack of an entry, if there is room, or notes that not. */
void derived_push(void *state, void *entry, const void *interval);

/* Puts a row of an interval. */
void derived_put(void *state, const void *entry, const void *interval,
		 const struct derived_end *end);
/*
 * Ends the interval of an entry, on a stack the last one. derived_close: at ts, with a row unless
 * time goes back, which is noted. derived_leave_open: with a row that says why its end is not
 * known. derived_drop: without a row.
 */
void derived_close(void *state, void *entry, uint64_t ts, const void *how);
void derived_leave_open(void *state, void *entry, const char *why);

/* ---- losses ---- */

static inline uint64_t derived_now(const struct derived_state *s, uint32_t rec)
{
	return s->last_loss[rec];
}

/* Whether what was known when derived_now gave since is known still: of a task that ran on cpu, */
bool derived_knows_running(const struct derived_state *s, uint32_t rec, uint32_t cpu,
			   uint64_t since);
/* and of one that did not run. */
static inline bool derived_knows(const struct derived_state *s, uint32_t rec, uint64_t since)
{
	return s->last_loss[rec] == since && !s->gaps[rec];
}

/* ---- the pass ---- */

/* Makes the state of out->def; derived_state_free frees it, also after a failure. */
enum tdat_status derived_state_new(struct derived_state **out, const struct table_derived *def,
				   struct derived_out *to, struct tdat_error *err);
void derived_state_free(struct derived_state *s);
/* From here on events of a CPU are missing; begins false: no longer, the next event is there. */
void derived_state_gap(struct derived_state *s, uint32_t rec, uint32_t cpu, bool begins);
/* Whether an open interval may still yield a wanted row. */
bool derived_state_awaits(const struct derived_state *s);
/* All events were given. */
void derived_state_end(struct derived_state *s);

#endif
