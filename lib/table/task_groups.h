/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread groups of tasks that a file was stored with: saved_tgids of tracefs. */
#ifndef TDAT_TABLE_TASK_GROUPS_H
#define TDAT_TABLE_TASK_GROUPS_H

#include <tdat/error.h>

struct task_group {
	int32_t pid, tgid;
};

struct task_groups {
	struct task_group *list; /* by pid, each once: the last line counts */
	size_t count;
};

/*
 * Reads lines of "PID TGID"; others are left out. text is not needed afterwards. The result is
 * shared by threads.
 */
enum tdat_status task_groups_init(struct task_groups *g, struct tdat_span text,
				  struct tdat_error *err);
void task_groups_fini(struct task_groups *g);
/* The entry of a pid, or NULL. */
const struct task_group *task_groups_find(const struct task_groups *g, int32_t pid);

#endif
