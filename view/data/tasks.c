/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of tasks: numbers by recording, pid and name, found by a keyed hash. */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes of all names together: files may have longer names than kernels write. */
enum { FIRST_SLOTS = 1024, NAMES_MOST = 32 << 20 };

bool view_tasks_init(struct view_tasks *t)
{
	*t = (struct view_tasks){.seed = tdat_hash_seed(), .slot_count = FIRST_SLOTS};
	pthread_mutex_init(&t->lock, NULL);
	t->slots = calloc(t->slot_count, sizeof(*t->slots));
	return t->slots;
}

void view_tasks_fini(struct view_tasks *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		free(view_task(t, i)->comm);
	for (size_t i = 0; i < VIEW_TASK_CHUNKS; i++)
		free(t->chunks[i]);
	free(t->slots);
	pthread_mutex_destroy(&t->lock);
}

static uint64_t hash(const struct view_tasks *t, uint32_t rec, int32_t pid, const void *comm,
		     size_t len)
{
	return tdat_hash_pair(t->seed, (uint64_t)rec << 32 | (uint32_t)pid,
			      tdat_hash_bytes(t->seed, comm, len));
}

/* A slot has a number and one, or 0. */
static size_t find_slot(const struct view_tasks *t, uint32_t rec, int32_t pid, const void *comm,
			size_t len)
{
	const size_t mask = t->slot_count - 1;
	size_t at = (size_t)hash(t, rec, pid, comm, len) & mask;

	for (; t->slots[at]; at = (at + 1) & mask) {
		const struct view_task *task = view_task(t, t->slots[at] - 1);

		if (task->pid == pid && task->rec == rec && strlen(task->comm) == len &&
		    !memcmp(task->comm, comm, len))
			break;
	}
	return at;
}

static bool grow(struct view_tasks *t)
{
	uint32_t *old = t->slots;
	const size_t old_count = t->slot_count;

	if (t->count + 1 < t->slot_count / 2)
		return true;
	t->slots = calloc(old_count * 2, sizeof(*t->slots));
	if (!t->slots) {
		t->slots = old;
		return false;
	}
	t->slot_count = old_count * 2;
	for (size_t i = 0; i < old_count; i++)
		if (old[i]) {
			const struct view_task *task = view_task(t, old[i] - 1);

			t->slots[find_slot(t, task->rec, task->pid, task->comm,
					   strlen(task->comm))] = old[i];
		}
	free(old);
	return true;
}

static uint32_t add(struct view_tasks *t, uint32_t rec, int32_t pid, const void *comm, size_t len)
{
	const uint32_t number = t->count;
	struct view_task **chunk;
	char *name;

	if (number / VIEW_TASK_CHUNK >= VIEW_TASK_CHUNKS || len > NAMES_MOST - t->names_len ||
	    !grow(t)) {
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
	t->slots[find_slot(t, rec, pid, comm, len)] = number + 1;
	__atomic_store_n(&t->count, number + 1, __ATOMIC_RELEASE);
	return number;
}

uint32_t view_tasks_number(struct view_tasks *t, uint32_t rec, int32_t pid, struct tdat_span comm)
{
	const void *text = comm.len ? (const void *)comm.ptr : "";
	uint32_t number;
	size_t at;

	pthread_mutex_lock(&t->lock);
	at = find_slot(t, rec, pid, text, comm.len);
	number = t->slots[at] ? t->slots[at] - 1 : add(t, rec, pid, text, comm.len);
	pthread_mutex_unlock(&t->lock);
	return number;
}

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
