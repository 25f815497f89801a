/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a track is made of: intervals or values, single ones or several that were put together. */
#ifndef VIEW_DATA_MARK_H
#define VIEW_DATA_MARK_H

#include <stdint.h>

/*
 * The states that are told apart where many share a pixel. Blocked is uninterruptible; sleeping are
 * all others that do not want a CPU. A CPU is running a task, or sleeping (idle).
 */
enum view_state { VIEW_RUNNING, VIEW_RUNNABLE, VIEW_BLOCKED, VIEW_SLEEPING, VIEW_STATES };

/* Times of a mark that stands for several intervals. */
struct view_sums {
	uint64_t time;	       /* of the name with the most, at least */
	uint64_t worst, known; /* the longest one, and all together */
};

/* An interval, or a value; or several short ones that were put together (track_merge.h). */
struct view_mark {
	uint64_t from, to;
	union {
		struct view_sums sums; /* of intervals, if count is not 1 */
		/* The same of a task's states; seven digits are enough to draw. */
		struct {
			float share[VIEW_STATES];
			uint64_t worst;
		} states;
		struct {
			double last, least, most;
		} value;
		uint64_t wakeup; /* of a wakeup: wakeup_ts; UINT64_MAX: none */
	};
	uint32_t name;	   /* among the names of the track; of a wakeup: the waker's pid */
	int32_t cpu;	   /* -1: none */
	int32_t depth;	   /* of a wakeup: the waker's CPU */
	unsigned open : 2; /* enum view_open; of several that of the last */
	unsigned count : 30;
};

#endif
