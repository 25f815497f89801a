/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folds the CPUs of a recording. A machine with many CPUs has rows of several CPUs, and each of
 * these opens to the next level. Page and report take the rows of each level from here.
 */
#include <inttypes.h>
#include <stdio.h>

#include "answer.h"

enum {
	SINGLE_CPUS = 64, /* a recording with no more has a row for each */
	FOLD = 16	  /* most rows of a level otherwise */
};

/* [first, end) are indexes in by_cpu. */
void view_cpu_rows_of(const struct view_trace *t, uint32_t rec, size_t first, size_t end,
		      view_cpu_row_fn fn, void *ctx)
{
	const struct view_lane **lanes = t->by_cpu + t->recs[rec].first_lane;
	size_t size = 1;
	char key[64];

	while ((end - first + size - 1) / size > FOLD)
		size *= FOLD;
	for (size_t i = first; i < end; i += size) {
		const size_t next = end - i < size ? end : i + size;

		if (size == 1)
			snprintf(key, sizeof(key), "cpu:%" PRIu32 ":%" PRIu32, rec, lanes[i]->cpu);
		else
			snprintf(key, sizeof(key), "cpus:%" PRIu32 ":%" PRIu32 "-%" PRIu32, rec,
				 lanes[i]->cpu, lanes[next - 1]->cpu);
		fn(ctx, key, i, next);
	}
}

void view_cpu_rows(const struct view_trace *t, uint32_t rec, view_cpu_row_fn fn, void *ctx)
{
	const size_t count = t->recs[rec].lane_count;

	if (count > SINGLE_CPUS)
		view_cpu_rows_of(t, rec, 0, count, fn, ctx);
	for (size_t i = 0; count <= SINGLE_CPUS && i < count; i++)
		view_cpu_rows_of(t, rec, i, i + 1, fn, ctx);
}

void view_put_cpu_row(void *ctx, const char *key, size_t first, size_t end)
{
	(void)first;
	(void)end;
	tdat_json_str(ctx, NULL, key);
}
