/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps names of tasks that are learned from events: the plugin sched_switch of libtraceevent
 * remembers the names in the events it prints, for pids that have none, and later lines show
 * them. Events may be printed in another order than they were learned in: each name has the
 * number (serial) of the event from which on it is known. One thread adds names; several may look
 * them up once none is added any more.
 */
#ifndef TDAT_MODEL_LEARNED_TASKS_H
#define TDAT_MODEL_LEARNED_TASKS_H

#include <stdatomic.h>

#include "core/arena.h"
#include "core/map.h"
#include "print_env.h"

struct learned_tasks {
	const struct model_tasks *tasks; /* borrowed: what is known from the start */
	struct learn_slot *slots;	 /* by pid in map */
	size_t cap;
	struct tdat_map map;
	struct learn_early *early; /* names added before the first look-up; newest last */
	size_t early_count, early_cap;
	size_t later; /* slots that are not of early pids */
	bool started; /* a name was looked up: names of known pids no longer change */
	struct tdat_arena arena;
	atomic_bool failed; /* there was no memory: names are missing since */
};

/* Where records of a format have names of tasks; pair_count 0: they have none. */
struct learned_tasks_format {
	uint32_t pair_count;
	struct {
		uint32_t pid_off, pid_len;
		uint32_t comm_off, comm_len;
	} pairs[2];
	bool big;
};

/* Without wanted no names are learned. */
void learned_tasks_format_init(struct learned_tasks_format *lf,
			       const struct tdat_event_format *format, bool wanted);

void learned_tasks_init(struct learned_tasks *l, const struct model_tasks *tasks);
void learned_tasks_fini(struct learned_tasks *l);

/*
 * To be called before the first look-up of a pid that is not 0. Until its first look-up
 * libtraceevent keeps every name it gets, also further ones of a pid; then it sorts them once,
 * and of equal pids its binary search finds any one, which is worked out here.
 */
void learned_tasks_start(struct learned_tasks *l);

/* Takes the names of a record that is printed as number serial (rising). */
void learned_tasks_record(struct learned_tasks *l, const struct learned_tasks_format *lf,
			  struct tdat_span record, uint64_t serial);

/* model_tasks_find() for the event number serial. */
struct tdat_span learned_tasks_find(const struct learned_tasks *l, int32_t pid, uint64_t serial);

#endif
