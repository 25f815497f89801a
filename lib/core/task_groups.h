/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread groups of tasks that a file was stored with: saved_tgids of tracefs. */
#ifndef TDAT_CORE_TASK_GROUPS_H
#define TDAT_CORE_TASK_GROUPS_H

#include <tdat/error.h>

struct tdat_task_group {
	int32_t pid, tgid;
	uint32_t line; /* of the text */
};

/* All zero: none. */
struct tdat_task_groups {
	struct tdat_task_group *list; /* by pid, each once: the last line counts */
	size_t count;
};

/*
 * Reads lines of "PID TGID"; others are left out. text is not needed afterwards. The result is
 * shared by threads.
 */
enum tdat_status tdat_task_groups_init(struct tdat_task_groups *g, struct tdat_span text,
				       struct tdat_error *err);
void tdat_task_groups_fini(struct tdat_task_groups *g);
/* The entry of a pid, or NULL. */
const struct tdat_task_group *tdat_task_groups_find(const struct tdat_task_groups *g, int32_t pid);
/* The thread group of a pid; where none is known the task is one. */
int32_t tdat_task_groups_of(const struct tdat_task_groups *g, int32_t pid);

#endif
