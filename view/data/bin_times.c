/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the times of a bin. The parts of its tasks give exact sums; its sixteenths, which have a
 * byte each, say where in the bin these lie. Used by shares.c, for columns whose edges cut a bin.
 */
#include "bin_times.h"

/* Sums up a time `all` by sixteenths; one that is too short for them is spread evenly. */
static void sum_up(double sums[VIEW_SUBS + 1], const uint8_t *sub, uint64_t all, unsigned subs)
{
	double sum = 0, scale;

	for (size_t i = 0; i < VIEW_SUBS; i++)
		sum += sub[i];
	scale = sum > 0 ? (double)all / sum : (double)all / subs;
	sums[0] = 0;
	for (size_t i = 0; i < VIEW_SUBS; i++)
		sums[i + 1] = sums[i] + (sum > 0 ? sub[i] : i < subs ? 1 : 0) * scale;
}

void bin_times_cut(struct bin_times *t)
{
	const unsigned subs = t->len < VIEW_SUBS ? (unsigned)t->len : VIEW_SUBS;

	if (!t->summed) {
		sum_up(t->busy, t->bin->busy, t->all_busy, subs);
		sum_up(t->known, t->bin->known, t->all_known, subs);
	}
	t->summed = true;
}

double bin_times_before(const double sums[VIEW_SUBS + 1], const struct bin_times *t, uint64_t off)
{
	const uint64_t i = off >> t->sub_shift, sub = UINT64_C(1) << t->sub_shift;

	if (i >= VIEW_SUBS)
		return sums[VIEW_SUBS];
	return sums[i] + (sums[i + 1] - sums[i]) * (double)(off & (sub - 1)) / (double)sub;
}

/* That of all other tasks is busy time: idle always has a part of its own. */
struct bin_times bin_times_of(const struct view_index *ix, const struct view_lane_index *lane,
			      uint32_t number)
{
	const uint64_t len = UINT64_C(1) << ix->shift;
	struct bin_times t = {.bin = &lane->bins[number],
			      .start = view_index_start(ix, number),
			      .len = len,
			      .sub_shift =
				      ix->shift > VIEW_SUB_SHIFT ? ix->shift - VIEW_SUB_SHIFT : 0};

	for (uint8_t i = 0; i < t.bin->part_count; i++) {
		const struct view_part *p = view_index_part(lane, t.bin->part + i);

		t.all_known += p->time;
		if (p->task >= VIEW_OTHER_TASKS || view_task(&ix->tasks, p->task)->pid)
			t.all_busy += p->time;
	}
	return t;
}
