/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the names of tasks in a hash table. Pids come from a capture, so the hash is keyed and
 * the number of entries bounded.
 */
#include "blktrace.h"

#include <stdlib.h>
#include <string.h>

enum { TASKS_MAX = 1 << 22 /* Linux has at most this many pids */ };

void blk_tasks_fini(struct blk_tasks *t)
{
	free(t->v);
	tdat_map_fini(&t->map);
}

/* Index of a pid, or TDAT_MAP_NONE. */
static uint32_t find(const struct blk_tasks *t, uint32_t pid)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, tdat_hash_u64(t->map.seed, pid), t->v[i].pid == pid);
	return i;
}

/* Name of a task and slow path of blk_tasks_comm(); BLK_COMM_LEN bytes, all 0 without a name. */
const char *blk_tasks_look(struct blk_tasks *t, uint32_t pid)
{
	static const char none[BLK_COMM_LEN] = "";
	const uint32_t i = find(t, pid);

	if (i == TDAT_MAP_NONE)
		return none;
	t->recent[pid % BLK_RECENT] = &t->v[i];
	return t->v[i].comm;
}

/* Sets the name of a pid. *comm: the name as kept; NULL: the table is full. False: no memory. */
bool blk_tasks_set(struct blk_tasks *t, uint32_t pid, struct tdat_span text, const char **comm)
{
	size_t max = text.len < BLK_COMM_LEN - 1 ? text.len : BLK_COMM_LEN - 1;
	size_t len = max ? strnlen((const char *)text.ptr, max) : 0;
	const struct blk_task *before = t->v;
	uint32_t i;

	*comm = NULL;
	if (t->map.count == TASKS_MAX) {
		t->unnamed++;
		return true;
	}
	if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap))
		return false;
	if (t->v != before) /* the tasks moved */
		memset(t->recent, 0, sizeof(t->recent));
	i = find(t, pid);
	if (i == TDAT_MAP_NONE)
		i = tdat_map_add(&t->map, tdat_hash_u64(t->map.seed, pid));
	t->v[i] = (struct blk_task){.pid = pid};
	if (len)
		memcpy(t->v[i].comm, text.ptr, len);
	*comm = t->v[i].comm;
	return true;
}
