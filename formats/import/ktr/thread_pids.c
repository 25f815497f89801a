/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives threads pids: a thread number is the pid, and a pointer gets one that no task of Linux
 * has (docs/formats/ktr.md §7). Threads are found by pointer and by number in keyed hashes. A
 * name is emitted once for each pid.
 */
#include "ktr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a name, with the NUL. */
enum { COMM_CAP = 64 };

void ktr_tasks_fini(struct ktr_tasks *t)
{
	free(t->threads.v);
	tdat_map_fini(&t->threads.map);
	free(t->named.v);
	tdat_map_fini(&t->named.map);
}

/* Spreads the bits of a pointer; used only where the table is full. */
static uint64_t mix(uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

/*
 * Finds a key or adds it; *made is true for a new one. *task is NULL if the table is full. It is
 * valid until the next call.
 */
static enum tdat_status find_or_make(struct ktr_task_table *t, uint64_t key, struct ktr_task **task,
				     bool *made, struct tdat_error *err)
{
	/* A direct-mapped cache of indexes + 1 avoids the hash for threads that repeat. */
	uint32_t *recent = &t->recent[(key * 0x9e3779b97f4a7c15ull >> 32) % KTR_RECENT];
	uint64_t hash;
	uint32_t i;

	*made = false;
	*task = *recent ? &t->v[*recent - 1] : NULL;
	if (*task && (*task)->key == key)
		return TDAT_OK;
	*task = NULL;
	if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap))
		return tdat_error_no_memory(err, "threads");
	hash = tdat_hash_u64(t->map.seed, key);
	TDAT_MAP_FIND(i, &t->map, hash, t->v[i].key == key);
	if (i == TDAT_MAP_NONE) {
		if (t->map.count == KTR_TASKS_MAX)
			return TDAT_OK;
		i = tdat_map_add(&t->map, hash);
		/* Pids from KTR_PID_FIRST up cannot clash with thread numbers of the capture. */
		t->v[i] =
			(struct ktr_task){.key = key, .pid = KTR_PID_FIRST + (int32_t)i, .tid = -1};
		*made = true;
	}
	*recent = i + 1;
	*task = &t->v[i];
	return TDAT_OK;
}

/*
 * Pid of a thread's pointer: its number, if one was learned, else one made up. A new thread is
 * named "td_ADDR".
 */
enum tdat_status ktr_tasks_thread(struct ktr_tasks *t, const struct tdat_emit *emit,
				  uint64_t thread, int32_t *pid, struct tdat_error *err)
{
	struct ktr_task *task;
	enum tdat_status st;
	char comm[32];
	bool made;

	*pid = 0;
	if (!thread)
		return TDAT_OK;
	st = find_or_make(&t->threads, thread, &task, &made, err);
	if (st != TDAT_OK)
		return st;
	if (!task) {
		/*
		 * The table is full: a hash of the pointer is still a pid of its own, most likely.
		 */
		*pid = (int32_t)(1u << 30 | (mix(thread) & ((1u << 30) - 1)));
		return TDAT_OK;
	}
	if (made) {
		snprintf(comm, sizeof(comm), "td_%" PRIx64, (uint64_t)(thread & 0xffffffffffffull));
		st = tdat_emit_comm(emit, task->pid, comm, err);
	}
	*pid = task->tid >= 0 ? task->tid : task->pid;
	return st;
}

/* Notes that a pointer is the thread with this number; later events of the pointer carry it. */
enum tdat_status ktr_tasks_learn(struct ktr_tasks *t, uint64_t thread, int32_t tid,
				 struct tdat_error *err)
{
	struct ktr_task *task;
	enum tdat_status st;
	bool made;

	if (!thread)
		return TDAT_OK;
	st = find_or_make(&t->threads, thread, &task, &made, err);
	if (st != TDAT_OK || !task)
		return st;
	task->tid = tid;
	return TDAT_OK;
}

/*
 * Emits a thread's name when its number is seen first. Later names are ignored: a trace has one
 * comm per pid.
 */
enum tdat_status ktr_tasks_named(struct ktr_tasks *t, const struct tdat_emit *emit, int32_t tid,
				 struct tdat_span name, struct tdat_error *err)
{
	struct ktr_task *task;
	enum tdat_status st;
	char comm[COMM_CAP];
	size_t len = name.len < sizeof(comm) - 1 ? name.len : sizeof(comm) - 1;
	bool made;

	if (tid <= 0 || !len)
		return TDAT_OK;
	/* Tid + 1, since keys and numbers are apart by table only. */
	st = find_or_make(&t->named, (uint64_t)tid + 1, &task, &made, err);
	if (st != TDAT_OK || !made)
		return st;
	memcpy(comm, name.ptr, len);
	comm[len] = '\0';
	return tdat_emit_comm(emit, tid, comm, err);
}
