/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the rows that the page asks for first, before it asks. Runs on a thread of the engine when
 * the index is complete.
 */
#include <string.h>

#include "answer.h"
#include "api.h"
#include "data/task_sums.h"

/*
 * The page begins with the rows of CPUs, irqs above them, and with the tasks that ran longest.
 * LANES and TASKS bound the work for machines with many CPUs.
 */
enum { LANES = 16, TASKS = 8 };

/* Begins a track; the cache keeps it until the page asks. */
static void make(struct view_api *api, enum view_track_kind kind, uint32_t rec, int64_t id)
{
	view_track_begin(api->tracks, &(const struct view_track_key){kind, rec, id, "", "", false});
}

/* Held as a whole, so that tasks share one pass, and each CPU's irqs and softirqs another. */
static void make_rows(void *ctx, const bool *stop)
{
	struct view_api *api = ctx;
	const struct view_trace *t = api->trace;
	struct view_task_sums tasks;
	size_t made = 0;

	/* Without memory there is no task. */
	view_task_sums_make(&tasks, api->index, NULL, NULL);
	view_task_sums_join(&tasks);
	view_engine_hold(api->engine);
	for (size_t i = 0; i < tasks.count && made < TASKS; i++) {
		if (!tasks.v[i].pid || __atomic_load_n(stop, __ATOMIC_RELAXED))
			continue;
		make(api, VIEW_TRACK_TASK, tasks.v[i].rec, tasks.v[i].pid);
		make(api, VIEW_TRACK_WAKEUP, tasks.v[i].rec, tasks.v[i].pid);
		made++;
	}
	for (size_t i = 0; made && i < t->lane_count && i < LANES; i++) {
		make(api, VIEW_TRACK_IRQ, t->lanes[i].rec, t->lanes[i].cpu);
		make(api, VIEW_TRACK_SOFTIRQ, t->lanes[i].rec, t->lanes[i].cpu);
	}
	view_engine_unhold(api->engine);
	view_task_sums_fini(&tasks);
}

/* False: no memory; then the rows are made when they are asked for. */
bool view_api_warm(struct view_api *api)
{
	return view_engine_do(api->engine, make_rows, api, true);
}
