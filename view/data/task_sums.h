/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long each task ran in a span of time, and how long each CPU was busy. */
#ifndef VIEW_DATA_TASK_SUMS_H
#define VIEW_DATA_TASK_SUMS_H

#include "lane.h"

/* A task that ran. The time is in units of the clock, count the number of intervals. */
struct view_task_sum {
	uint32_t rec;
	int32_t pid;
	const char *comm; /* of the index */
	uint64_t time, count;
	uint64_t first, last; /* on a CPU; of the whole trace only */
};

struct view_task_sums {
	struct view_task_sum *v; /* those with the most time first */
	size_t count;
	/* By lane: the time that switches cover, and that of tasks other than idle. */
	struct view_lane_sum {
		uint64_t busy, known;
	} * lanes;
};

/*
 * Sums of a span, for which the index must be complete; NULL: of the trace, as far as the index is
 * made. view_task_sums_fini frees, also after a failure.
 */
enum tdat_status view_task_sums_make(struct view_task_sums *s, const struct view_index *ix,
				     const struct view_span *span, struct tdat_error *err);
void view_task_sums_fini(struct view_task_sums *s);

/* Joins the names of each pid to one task, with the name that it had longest. */
void view_task_sums_join(struct view_task_sums *s);

#endif
