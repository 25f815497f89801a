/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that ran: each pair of a pid in a recording and a name has a number.
 *
 * Threads: tasks are added by several threads at once, under a lock. A task does not move and its
 * names do not change once it has a number; its sums are added to without a lock.
 */
#ifndef VIEW_DATA_TASKS_H
#define VIEW_DATA_TASKS_H

#include <pthread.h>

#include <tdat/base.h>

#include "core/map.h"

#define VIEW_NO_TASK UINT32_MAX		  /* it is not known what ran */
#define VIEW_OTHER_TASKS (UINT32_MAX - 1) /* several, of which only sums are kept */

struct view_task {
	uint32_t rec;
	int32_t pid;
	char *comm;
	/* The sums of its intervals on a CPU; they are read when the index is complete. */
	uint64_t time, count, first, last;
};

enum { VIEW_TASK_CHUNK = 4096, VIEW_TASK_CHUNKS = 256 };

struct view_tasks {
	pthread_mutex_t lock;
	struct view_task *chunks[VIEW_TASK_CHUNKS];
	uint32_t count; /* read by others with __ATOMIC_ACQUIRE */
	struct tdat_map map;
	size_t names_len;
	bool full; /* there were more tasks than fit, whose numbers are VIEW_NO_TASK */
};

bool view_tasks_init(struct view_tasks *t);
void view_tasks_fini(struct view_tasks *t);

static inline struct view_task *view_task(const struct view_tasks *t, uint32_t number)
{
	return &t->chunks[number / VIEW_TASK_CHUNK][number % VIEW_TASK_CHUNK];
}

/*
 * Returns the number of a task, which is added if it is new; VIEW_NO_TASK where there is no room.
 */
uint32_t view_tasks_number(struct view_tasks *t, uint32_t rec, int32_t pid, struct tdat_span comm);

/* Adds an interval on a CPU to the sums of a task. */
void view_task_ran(struct view_task *task, uint64_t from, uint64_t to);

#endif
