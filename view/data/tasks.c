/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of tasks: numbers by recording, pid and name, found by a keyed hash. A task without
 * room for it has no number (VIEW_NO_TASK). Threads that make lanes add tasks under a lock, and
 * times atomically.
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes of all names together: files may have longer names than kernels write. */
enum { NAMES_MOST = 32 << 20 };

bool view_tasks_init(struct view_tasks *t)
{
	*t = (struct view_tasks){.count = 0};
	pthread_mutex_init(&t->lock, NULL);
	return tdat_map_reserve(&t->map);
}

void view_tasks_fini(struct view_tasks *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		free(view_task(t, i)->comm);
	for (size_t i = 0; i < VIEW_TASK_CHUNKS; i++)
		free(t->chunks[i]);
	tdat_map_fini(&t->map);
	pthread_mutex_destroy(&t->lock);
}

/* The seed differs in each run: names in a file cannot be chosen to collide. */
static uint64_t hash(const struct view_tasks *t, uint32_t rec, int32_t pid, const void *comm,
		     size_t len)
{
	return tdat_hash_pair(t->map.seed, (uint64_t)rec << 32 | (uint32_t)pid,
			      tdat_hash_bytes(t->map.seed, comm, len));
}

static bool same(const struct view_task *task, uint32_t rec, int32_t pid, const void *comm,
		 size_t len)
{
	return task->pid == pid && task->rec == rec && strlen(task->comm) == len &&
	       !memcmp(task->comm, comm, len);
}

/*
 * Adds a task under the lock. The count is published last, so that readers without the lock see
 * complete tasks.
 */
static uint32_t add(struct view_tasks *t, uint32_t rec, int32_t pid, const void *comm, size_t len)
{
	const uint32_t number = t->count;
	struct view_task **chunk;
	char *name;

	if (number / VIEW_TASK_CHUNK >= VIEW_TASK_CHUNKS || len > NAMES_MOST - t->names_len ||
	    !tdat_map_reserve(&t->map)) {
		t->full = true;
		return VIEW_NO_TASK;
	}
	chunk = &t->chunks[number / VIEW_TASK_CHUNK];
	if (!*chunk)
		*chunk = calloc(VIEW_TASK_CHUNK, sizeof(**chunk));
	name = *chunk ? malloc(len + 1) : NULL;
	if (!name) {
		t->full = true;
		return VIEW_NO_TASK;
	}
	memcpy(name, comm, len);
	name[len] = 0;
	t->names_len += len;
	*view_task(t, number) =
		(struct view_task){.rec = rec, .pid = pid, .comm = name, .first = UINT64_MAX};
	tdat_map_put(&t->map, hash(t, rec, pid, comm, len), number);
	__atomic_store_n(&t->count, number + 1, __ATOMIC_RELEASE);
	return number;
}

uint32_t view_tasks_number(struct view_tasks *t, uint32_t rec, int32_t pid, struct tdat_span comm)
{
	const void *text = comm.len ? (const void *)comm.ptr : "";
	uint32_t number;

	pthread_mutex_lock(&t->lock);
	TDAT_MAP_FIND(number, &t->map, hash(t, rec, pid, text, comm.len),
		      same(view_task(t, number), rec, pid, text, comm.len));
	if (number == TDAT_MAP_NONE)
		number = add(t, rec, pid, text, comm.len);
	pthread_mutex_unlock(&t->lock);
	return number;
}

/*
 * Called by several threads for a task that ran on several CPUs; first and last are set by
 * compare-and-exchange.
 */
void view_task_ran(struct view_task *task, uint64_t from, uint64_t to)
{
	uint64_t old;

	__atomic_fetch_add(&task->time, to - from, __ATOMIC_RELAXED);
	__atomic_fetch_add(&task->count, 1, __ATOMIC_RELAXED);
	old = __atomic_load_n(&task->first, __ATOMIC_RELAXED);
	while (from < old && !__atomic_compare_exchange_n(&task->first, &old, from, true,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	old = __atomic_load_n(&task->last, __ATOMIC_RELAXED);
	while (to > old && !__atomic_compare_exchange_n(&task->last, &old, to, true,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}
