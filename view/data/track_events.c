/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds tracks that cannot have marks, because no event occurs that they are made from. The index
 * has noted the event ids that occur, so no pass is made for the others.
 */
#include <stdio.h>
#include <string.h>

#include "tracks.h"

/*
 * The beginnings of the names of events from which the tracks of a kind are made
 * (docs/analysis.md). Kinds that are not here are made from many, and are always read.
 */
static const char *const beginnings[VIEW_TRACK_KINDS][3] = {
	[VIEW_TRACK_TASK] = {"sched/sched_"},
	[VIEW_TRACK_PROCESS] = {"sched/sched_"},
	[VIEW_TRACK_WAKEUP] = {"sched/sched_"},
	[VIEW_TRACK_WAKEUP_TIMES] = {"sched/sched_"},
	[VIEW_TRACK_IRQ] = {"irq/irq_handler_"},
	[VIEW_TRACK_IRQ_KEYS] = {"irq/irq_handler_"},
	[VIEW_TRACK_SOFTIRQ] = {"irq/softirq_"},
	[VIEW_TRACK_SOFTIRQ_KEYS] = {"irq/softirq_"},
	[VIEW_TRACK_SLICE] = {"ftrace/print"},
	[VIEW_TRACK_SLICE_KEYS] = {"ftrace/print"},
	[VIEW_TRACK_SYSCALL] = {"syscalls/", "raw_syscalls/"},
	[VIEW_TRACK_SYSCALL_KEYS] = {"syscalls/", "raw_syscalls/"},
	[VIEW_TRACK_FUNCTION] = {"ftrace/funcgraph_"},
	[VIEW_TRACK_FUNCTION_KEYS] = {"ftrace/funcgraph_"},
	[VIEW_TRACK_BLOCK] = {"block/"},
	[VIEW_TRACK_BLOCK_KEYS] = {"block/"},
	[VIEW_TRACK_LATENCY] = {"ftrace/", "synthetic/"},
	[VIEW_TRACK_LATENCY_KEYS] = {"ftrace/", "synthetic/"},
};

static bool begins(const struct tdat_event_format *f, const char *const *list)
{
	char name[600];

	snprintf(name, sizeof(name), "%s/%s", tdat_event_format_system(f),
		 tdat_event_format_name(f));
	for (size_t i = 0; i < 3 && list[i]; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

bool view_track_may_exist(const struct view_index *ix, const struct view_track_key *key)
{
	const struct view_trace *t = ix->trace;
	const char *const *list = beginnings[key->kind];
	const size_t input = key->rec < t->rec_count ? t->recs[key->rec].input : SIZE_MAX;

	if (!*list || input == SIZE_MAX || !view_index_complete(ix))
		return true;
	/* Formats are found only for ids that occur. */
	for (uint32_t id = 0; id < VIEW_IDS; id++) {
		const struct tdat_event_format *f =
			view_index_has(ix, input, id)
				? tdat_file_format_by_id(t->inputs[input].file, id)
				: NULL;

		if (f && begins(f, list))
			return true;
	}
	return false;
}
