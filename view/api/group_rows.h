/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the sums of several CPUs of a recording, by pixel column. */
#ifndef VIEW_API_GROUP_ROWS_H
#define VIEW_API_GROUP_ROWS_H

#include "data/lane.h"
#include "data/shares.h"

struct view_group {
	uint32_t rec;
	size_t first, end;	   /* CPUs in the order of their numbers */
	struct view_shares window; /* without cells */
	uint64_t *starts;	   /* of columns, and the end */
	struct view_sum *sums;	   /* by column; NULL: the trace has no such CPUs */
	bool partial, coarse;
};

/* Sums up the CPUs of a key "cpus:R:A-B". view_group_fini frees, also after a failure. */
enum tdat_status view_group_make(struct view_group *g, const struct view_index *ix, const char *key,
				 const struct view_span *span, uint32_t width,
				 struct tdat_error *err);
void view_group_fini(struct view_group *g);

#endif
