/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads saved_tgids, and finds the thread group of a task. The list is sorted by pid once and
 * searched by halves; of a pid that is there twice the last one counts. It is immutable and
 * shared by threads.
 */
#include "task_groups.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "search.h"

/* Takes blanks and a decimal number from the front of line. */
static bool take_number(struct tdat_span *line, int32_t *out)
{
	uint64_t v = 0;
	size_t digits = 0;

	while (line->len && (*line->ptr == ' ' || *line->ptr == '\t')) {
		line->ptr++;
		line->len--;
	}
	while (line->len && *line->ptr >= '0' && *line->ptr <= '9' && v <= INT32_MAX) {
		v = v * 10 + (uint64_t)(*line->ptr - '0');
		line->ptr++;
		line->len--;
		digits++;
	}
	*out = (int32_t)v;
	return digits && v <= INT32_MAX;
}

static int by_pid(const void *a, const void *b)
{
	const struct tdat_task_group *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid > y->pid ? 1 : -1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Keeps the last line of each pid. */
static void sort(struct tdat_task_groups *g)
{
	size_t n = 0;

	if (g->count)
		qsort(g->list, g->count, sizeof(*g->list), by_pid);
	for (size_t i = 0; i < g->count; i++)
		if (i + 1 == g->count || g->list[i + 1].pid != g->list[i].pid)
			g->list[n++] = g->list[i];
	g->count = n;
}

enum tdat_status tdat_task_groups_init(struct tdat_task_groups *g, struct tdat_span text,
				       struct tdat_error *err)
{
	size_t cap = 0;

	memset(g, 0, sizeof(*g));
	while (text.len) {
		const uint8_t *end = memchr(text.ptr, '\n', text.len);
		struct tdat_span line = {text.ptr, end ? (size_t)(end - text.ptr) : text.len};
		const size_t taken = line.len + (end != NULL);
		struct tdat_task_group group, *grown;

		text.ptr += taken;
		text.len -= taken;
		if (!take_number(&line, &group.pid) || !take_number(&line, &group.tgid))
			continue;
		grown = tdat_grown(g->list, &cap, g->count + 1, sizeof(*grown));
		if (!grown)
			return tdat_error_no_memory(err, "thread groups");
		g->list = grown;
		group.line = (uint32_t)g->count;
		g->list[g->count++] = group;
	}
	sort(g);
	return TDAT_OK;
}

void tdat_task_groups_fini(struct tdat_task_groups *g)
{
	free(g->list);
	memset(g, 0, sizeof(*g));
}

const struct tdat_task_group *tdat_task_groups_find(const struct tdat_task_groups *g, int32_t pid)
{
	size_t i;

	TDAT_SEARCH(i, g->count, g->list[i].pid < pid);
	return i < g->count && g->list[i].pid == pid ? &g->list[i] : NULL;
}

int32_t tdat_task_groups_of(const struct tdat_task_groups *g, int32_t pid)
{
	const struct tdat_task_group *found = tdat_task_groups_find(g, pid);

	return found && found->tgid ? found->tgid : pid;
}
