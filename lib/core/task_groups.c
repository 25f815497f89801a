/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads saved_tgids (kernel/trace/trace.c, saved_tgids_show), and finds the thread group of a task.
 * Tables, exports and the view ask it. The list is sorted by pid once and searched by halves; of a
 * pid that is there twice the last line counts. It is immutable and shared by threads.
 */
#include "task_groups.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "search.h"
#include "text.h"

/* Takes a number of 0 to 2^31 - 1 from the line. */
static bool take_number(struct tdat_span *line, int32_t *out)
{
	uint64_t v;
	size_t digits;

	tdat_take_blanks(line);
	digits = tdat_take_digits(line, 10, &v);
	*out = (int32_t)v;
	return digits && v <= INT32_MAX;
}

/* The next line that has a pid and a tgid; others are skipped. False: the end. */
bool tdat_task_group_next(struct tdat_span *text, struct tdat_task_group *group)
{
	struct tdat_span line;

	while (tdat_take_line(text, &line))
		if (take_number(&line, &group->pid) && take_number(&line, &group->tgid))
			return true;
	return false;
}

/* Line numbers break ties, so the last line of a pid comes last. */
static int by_pid(const void *a, const void *b)
{
	const struct tdat_task_group *x = a, *y = b;

	return x->pid != y->pid ? tdat_by_s32(&x->pid, &y->pid) : tdat_by_u32(&x->line, &y->line);
}

/* Parses and sorts the text. False: no memory. */
bool tdat_task_groups_init(struct tdat_task_groups *g, struct tdat_span text)
{
	struct tdat_task_group one = {.line = 0};
	size_t cap = 0, n = 0;

	memset(g, 0, sizeof(*g));
	for (; tdat_task_group_next(&text, &one); one.line++) {
		if (!TDAT_GROW(g->list, &cap, g->count + 1))
			return false;
		g->list[g->count++] = one;
	}
	if (g->count)
		qsort(g->list, g->count, sizeof(*g->list), by_pid);
	for (size_t i = 0; i < g->count; i++)
		if (i + 1 == g->count || g->list[i].pid != g->list[i + 1].pid)
			g->list[n++] = g->list[i];
	g->count = n;
	return true;
}

void tdat_task_groups_fini(struct tdat_task_groups *g)
{
	free(g->list);
	memset(g, 0, sizeof(*g));
}

/* NULL: the group of the task was not saved. */
const struct tdat_task_group *tdat_task_groups_find(const struct tdat_task_groups *g, int32_t pid)
{
	size_t i;

	TDAT_SEARCH(i, g->count, g->list[i].pid < pid);
	return i < g->count && g->list[i].pid == pid ? &g->list[i] : NULL;
}

/* A task without a saved group counts as its own. */
int32_t tdat_task_groups_of(const struct tdat_task_groups *g, int32_t pid)
{
	const struct tdat_task_group *found = tdat_task_groups_find(g, pid);

	return found && found->tgid ? found->tgid : pid;
}
