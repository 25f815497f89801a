/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads saved_tgids, and finds the thread group of a task. The list is sorted by pid once and
 * searched by halves; of a pid that is there twice the last one counts. It is immutable and
 * shared by threads.
 */
#include "task_groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

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

static bool by_pid_is_sorted(const struct task_groups *g)
{
	for (size_t i = 1; i < g->count; i++)
		if (g->list[i - 1].pid >= g->list[i].pid)
			return false;
	return true;
}

static int by_pid(const void *a, const void *b)
{
	const struct task_group *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Sorts in a way that keeps the order of equal pids, and keeps the last of them. */
static bool sort(struct task_groups *g)
{
	struct task_group *pairs = g->list;
	size_t n = 0;

	if (by_pid_is_sorted(g))
		return true;
	/* The place in the text goes into the order by way of a second list. */
	struct placed {
		struct task_group group;
		size_t at;
	} *placed = calloc(g->count + 1, sizeof(*placed));

	if (!placed)
		return false;
	for (size_t i = 0; i < g->count; i++)
		placed[i] = (struct placed){pairs[i], i};
	qsort(placed, g->count, sizeof(*placed), by_pid);
	for (size_t i = 0; i < g->count; i++) {
		size_t last = i;

		while (i + 1 < g->count && placed[i + 1].group.pid == placed[i].group.pid) {
			i++;
			last = placed[i].at > placed[last].at ? i : last;
		}
		pairs[n++] = placed[last].group;
	}
	g->count = n;
	free(placed);
	return true;
}

enum tdat_status task_groups_init(struct task_groups *g, struct tdat_span text,
				  struct tdat_error *err)
{
	size_t cap = 0;

	memset(g, 0, sizeof(*g));
	while (text.len) {
		const uint8_t *end = memchr(text.ptr, '\n', text.len);
		struct tdat_span line = {text.ptr, end ? (size_t)(end - text.ptr) : text.len};
		const size_t taken = line.len + (end != NULL);
		struct task_group group, *grown;

		text.ptr += taken;
		text.len -= taken;
		if (!take_number(&line, &group.pid) || !take_number(&line, &group.tgid))
			continue;
		grown = tdat_grown(g->list, &cap, g->count + 1, sizeof(*grown));
		if (!grown)
			return tdat_error_no_memory(err, "thread groups");
		g->list = grown;
		g->list[g->count++] = group;
	}
	return sort(g) ? TDAT_OK : tdat_error_no_memory(err, "thread groups");
}

void task_groups_fini(struct task_groups *g)
{
	free(g->list);
	memset(g, 0, sizeof(*g));
}

const struct task_group *task_groups_find(const struct task_groups *g, int32_t pid)
{
	const struct task_group key = {pid, 0};

	return g->count ? bsearch(&key, g->list, g->count, sizeof(key), by_pid) : NULL;
}
