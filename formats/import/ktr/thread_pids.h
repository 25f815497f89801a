/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pids for the threads of a BSD kernel, which are pointers or thread numbers. */
#ifndef TDAT_IMPORT_KTR_THREAD_PIDS_H
#define TDAT_IMPORT_KTR_THREAD_PIDS_H

#include <tdat/emit.h>

#include "core/map.h"

/* KTR_RECENT: places for what was looked up last; a power of two. */
enum { KTR_PID_FIRST = 4194304, KTR_TASKS_MAX = 1 << 18, KTR_RECENT = 1024 };

struct ktr_task {
	uint64_t key;
	int32_t pid;
	int32_t tid; /* of a thread pointer, learnt later; -1: none */
};

struct ktr_task_table {
	struct ktr_task *v;
	size_t cap;
	struct tdat_map map;
	uint32_t recent[KTR_RECENT]; /* index + 1; 0: none yet */
};

struct ktr_tasks {
	struct ktr_task_table threads; /* by pointer */
	struct ktr_task_table named;   /* by thread number + 1 */
};

void ktr_tasks_init(struct ktr_tasks *t);
void ktr_tasks_fini(struct ktr_tasks *t);
/* The pid of a thread pointer; its name is emitted the first time. */
enum tdat_status ktr_tasks_thread(struct ktr_tasks *t, const struct tdat_emit *emit,
				  uint64_t thread, int32_t *pid, struct tdat_error *err);
/* Keeps a thread number and name; they are emitted the first time. */
enum tdat_status ktr_tasks_named(struct ktr_tasks *t, const struct tdat_emit *emit, int32_t tid,
				 struct tdat_span name, struct tdat_error *err);
/* From now on the thread pointer is this thread number. */
enum tdat_status ktr_tasks_learn(struct ktr_tasks *t, uint64_t thread, int32_t tid,
				 struct tdat_error *err);

#endif
