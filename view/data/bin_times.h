/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times of a bin of the index: how long tasks ran in it, and of how much it is known, in all
 * and before any moment of it.
 *
 * Threads: a struct bin_times belongs to one thread.
 */
#ifndef VIEW_DATA_BIN_TIMES_H
#define VIEW_DATA_BIN_TIMES_H

#include "index.h"

/* The exact times of a bin: what of them lies before each of its sixteenths, and all. */
struct bin_times {
	const struct view_bin *bin;
	uint64_t start, len;
	unsigned sub_shift; /* a sixteenth is 1 << sub_shift long */
	double busy[VIEW_SUBS + 1], known[VIEW_SUBS + 1];
	uint64_t all_busy, all_known;
	bool summed; /* the sums before sixteenths are made */
};

/* Sums up the parts of a bin of a lane. */
struct bin_times bin_times_of(const struct view_index *ix, const struct view_lane_index *lane,
			      uint32_t number);

/* Makes the sums of a bin that is cut at the edge of a column. */
void bin_times_cut(struct bin_times *t);
/* What of a time (busy, known) lies before an offset in the bin. */
double bin_times_before(const double sums[VIEW_SUBS + 1], const struct bin_times *t, uint64_t off);

#endif
