/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps names of tasks by pid, as notify records of blktrace give them. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_TASKS_H
#define TDAT_IMPORT_BLKTRACE_BLK_TASKS_H

#include <tdat/base.h>

#include "core/map.h"

enum { BLK_COMM_LEN = 16, BLK_RECENT = 1024 };

struct blk_task {
	uint32_t pid;
	char comm[BLK_COMM_LEN];
};

/* All zero is an empty table. */
struct blk_tasks {
	struct blk_task *v;
	size_t cap;
	struct tdat_map map;
	const struct blk_task *recent[BLK_RECENT]; /* by pid; NULL: none yet */
	uint64_t unnamed; /* names that the full table did not take, for a warning */
};

void blk_tasks_fini(struct blk_tasks *t);
/* The name of a pid, BLK_COMM_LEN bytes filled up with NULs, valid until the next set; "" without.
 */
const char *blk_tasks_look(struct blk_tasks *t, uint32_t pid);
static inline const char *blk_tasks_comm(struct blk_tasks *t, uint32_t pid)
{
	const struct blk_task *recent = t->recent[pid % BLK_RECENT];

	return recent && recent->pid == pid ? recent->comm : blk_tasks_look(t, pid);
}
/*
 * Sets the name to text up to its first NUL; *comm is the name as it is kept, NULL when the
 * table is full. False: no memory.
 */
bool blk_tasks_set(struct blk_tasks *t, uint32_t pid, struct tdat_span text, const char **comm);

#endif
