/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the events of a selection in each bin of the index. By these counts rows of lists have
 * numbers, and hits are found. They are made in the background, and the last few are kept.
 */
#ifndef VIEW_DATA_COUNTS_H
#define VIEW_DATA_COUNTS_H

#include "cache.h"

struct view_counts {
	struct view_cached head;
	uint64_t total;
	const uint32_t *bins; /* bin_count of the index */
};

extern const struct view_cache_ops view_counts_ops;

/*
 * Sets *counts to the counts of a selection, to be given back by view_cache_put, or to NULL while
 * they are being made. With a lane only the events of that lane are counted, with VIEW_ALL_LANES
 * those of all.
 */
enum tdat_status view_counts_get(struct view_cache *c, const struct view_selection *s, size_t lane,
				 const struct view_counts **counts, struct tdat_error *err);

#endif
