/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Follows the names of threads: records COMM name them, FORK gives a child its parent's name, EXIT
 * ends it, and perf forgets it. A trace.dat has one name for each: that of the last sample which
 * had one, or of a thread without samples the last.
 */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "perf.h"

enum { COMM_LEN = 16 };

struct perf_task {
	uint32_t tid;
	char now[COMM_LEN];  /* empty: unknown */
	char last[COMM_LEN]; /* the last that was known */
	char seen[COMM_LEN]; /* at the last sample that had a name */
	bool sampled;
};

static struct perf_task *find(const struct perf_tasks *t, uint32_t tid)
{
	struct perf_task *v = t->v;
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, tdat_hash_u64(t->map.seed, tid), v[i].tid == tid);
	return i == TDAT_MAP_NONE ? NULL : &v[i];
}

static struct perf_task *find_or_add(struct perf_tasks *t, uint32_t tid)
{
	struct perf_task *task = find(t, tid);

	if (task)
		return task;
	if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap))
		return NULL;
	task = &t->v[tdat_map_add(&t->map, tdat_hash_u64(t->map.seed, tid))];
	*task = (struct perf_task){.tid = tid};
	return task;
}

static enum tdat_status name(struct perf_tasks *t, uint32_t tid, const char *comm, size_t len,
			     struct tdat_error *err)
{
	struct perf_task *task = find_or_add(t, tid);

	if (!task)
		return tdat_error_no_memory(err, "names of tasks");
	memset(task->now, 0, sizeof(task->now));
	memcpy(task->now, comm, len < COMM_LEN ? len : COMM_LEN - 1);
	memcpy(task->last, task->now, sizeof(task->last));
	return TDAT_OK;
}

enum tdat_status perf_tasks_record(struct perf_data *d, const struct perf_record *r,
				   struct tdat_error *err)
{
	struct tdat_cursor c = perf_body(d, r);
	struct perf_tasks *t = &d->tasks;
	const struct perf_task *parent;
	struct perf_task *task;
	uint32_t tid, ptid;

	tdat_cursor_take(&c, 4);
	if (r->type == PERF_COMM) {
		struct tdat_span comm;

		tid = tdat_cursor_u32(&c);
		comm = tdat_cursor_cstr(&c);
		return tdat_cursor_ok(&c) && comm.len
			       ? name(t, tid, (const char *)comm.ptr, comm.len, err)
			       : TDAT_OK;
	}
	tdat_cursor_take(&c, 4);
	tid = tdat_cursor_u32(&c);
	ptid = tdat_cursor_u32(&c);
	if (!tdat_cursor_ok(&c))
		return TDAT_OK;
	if (r->type == PERF_EXIT) {
		task = find(t, tid);
		if (task)
			task->now[0] = 0;
		return TDAT_OK;
	}
	parent = find(t, ptid);
	if (parent && parent->now[0] && tid != ptid) {
		const struct perf_task copy = *parent;

		return name(t, tid, copy.now, strnlen(copy.now, COMM_LEN), err);
	}
	return TDAT_OK;
}

void perf_tasks_sampled(struct perf_tasks *t, uint32_t tid)
{
	struct perf_task *task = find(t, tid);

	if (!task)
		return;
	task->sampled = true;
	if (task->now[0])
		memcpy(task->seen, task->now, sizeof(task->seen));
}

enum tdat_status perf_tasks_emit(const struct perf_tasks *t, const struct tdat_emit *emit,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < t->map.count && st == TDAT_OK; i++) {
		const struct perf_task *task = &t->v[i];
		const char *comm = task->sampled ? task->seen : task->last;

		/* The idle task has the same pid on each CPU; readers know its name. */
		if (task->tid && task->tid <= INT32_MAX && comm[0])
			st = tdat_emit_comm(emit, (int32_t)task->tid, comm, err);
	}
	return st;
}

void perf_tasks_fini(struct perf_tasks *t)
{
	tdat_map_fini(&t->map);
	free(t->v);
}
