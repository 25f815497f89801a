/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads saved_tgids of tracefs: lines of a pid and its thread group. */
#ifndef TDAT_CORE_TASK_GROUPS_H
#define TDAT_CORE_TASK_GROUPS_H

#include <tdat/base.h>

struct tdat_task_group {
	int32_t pid, tgid;
	uint32_t line; /* number of the line among those that were read */
};

struct tdat_task_groups {
	struct tdat_task_group *list; /* by pid, each once: the last line counts */
	size_t count;
};

/* Takes lines from the front of text up to one that has two numbers; false: there is none. */
bool tdat_task_group_next(struct tdat_span *text, struct tdat_task_group *group);

/* Reads all lines. text is not needed afterwards; false: no memory. */
bool tdat_task_groups_init(struct tdat_task_groups *g, struct tdat_span text);
void tdat_task_groups_fini(struct tdat_task_groups *g);
/* The entry of a pid, or NULL. */
const struct tdat_task_group *tdat_task_groups_find(const struct tdat_task_groups *g, int32_t pid);
/* The thread group of a pid; the pid itself where none is known. */
int32_t tdat_task_groups_of(const struct tdat_task_groups *g, int32_t pid);

#endif
