/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocates the index of a trace within a bound, and reports how much of it is made. The number of
 * bins is chosen from the number of lanes, so that the index stays below its bound for every trace.
 * Why: docs/decisions/017-bounded-index.md.
 */
#include "index.h"

#include <stdlib.h>
#include <string.h>

/*
 * INDEX_LEN is in bytes. BINS_MOST and BINS_LEAST bound the bins of a lane. Windows of at most
 * READ_ALWAYS events are read from the file, which is fast and exact.
 */
enum { INDEX_LEN = 88 << 20, BINS_MOST = 1 << 16, BINS_LEAST = 16, READ_ALWAYS = 30000 };

/* Whether the events of a file are stored as they are. */
static bool is_plain(const struct tdat_file *file)
{
	const char *compression = tdat_file_info(file)->compression;

	return !*compression || !strcmp(compression, "none");
}

/*
 * The most bytes that an index with `most` bins a lane can take. A bin has a part for each interval
 * in it, of which there are no more than events; these are at least 8 bytes long.
 */
static uint64_t size_of(const struct view_trace *t, uint64_t most)
{
	const uint64_t full = (VIEW_PARTS + 1) * most;
	uint64_t parts = 0;

	for (size_t i = 0; i < t->lane_count; i++) {
		const struct view_lane *lane = &t->lanes[i];
		const struct tdat_file *file = t->inputs[t->recs[lane->rec].input].file;
		const uint64_t events = lane->len / 8;

		parts += is_plain(file) && events < full - most ? most + events : full;
	}
	return (t->lane_count + 1) * most * sizeof(struct view_bin) +
	       (parts + full) * sizeof(struct view_part);
}

/* Bins are a power of two long, so a time is mapped to its bin by a shift. */
static void choose_bins(struct view_index *ix)
{
	const struct view_trace *t = ix->trace;
	uint64_t most = BINS_MOST;

	while (most > BINS_LEAST && size_of(t, most) > INDEX_LEN)
		most /= 2;
	while ((t->to - t->from) >> ix->shift >= most)
		ix->shift++;
	ix->bin_count = (uint32_t)((t->to - t->from) >> ix->shift) + 1;
	while ((t->to - t->from) >> ix->all_shift >= VIEW_ALL_BINS)
		ix->all_shift++;
}

/*
 * Pointers of all chunks are allocated, chunks only when parts are added: a lane with few tasks
 * needs few.
 */
static bool make_lane(struct view_index *ix, struct view_lane_index *l)
{
	l->chunk_count = (size_t)ix->bin_count * (VIEW_PARTS + 1) / VIEW_PART_CHUNK + 1;
	l->bins = calloc(ix->bin_count, sizeof(*l->bins));
	l->parts = calloc(l->chunk_count, sizeof(*l->parts));
	return l->bins && l->parts;
}

/* Failures leave *out set; view_index_free takes a half-made index. */
enum tdat_status view_index_new(struct view_index **out, const struct view_trace *t,
				struct tdat_error *err)
{
	struct view_index *ix = calloc(1, sizeof(*ix));
	enum tdat_status st = TDAT_OK;
	bool ok;

	*out = ix;
	if (!ix)
		return tdat_error_no_memory(err, "the index");
	ix->trace = t;
	ix->read_always = READ_ALWAYS;
	choose_bins(ix);
	ix->switches = calloc(t->input_count + 1, sizeof(*ix->switches));
	ix->lanes = calloc(t->lane_count + 1, sizeof(*ix->lanes));
	ix->seen = calloc(t->input_count + 1, VIEW_IDS);
	ix->all = calloc(VIEW_ALL_BINS, sizeof(*ix->all));
	ok = view_tasks_init(&ix->tasks) && ix->switches && ix->lanes && ix->seen && ix->all;
	for (size_t i = 0; ok && i < t->lane_count; i++)
		ok = make_lane(ix, &ix->lanes[i]);
	if (!ok)
		st = tdat_error_no_memory(err, "the index");
	for (size_t i = 0; st == TDAT_OK && i < t->input_count; i++)
		st = view_switches_init(&ix->switches[i], t->inputs[i].file, err);
	return st;
}

/* True as soon as one task was seen, hence it may become true while the index is made. */
bool view_index_tells_tasks(const struct view_index *ix)
{
	return __atomic_load_n(&ix->tasks.count, __ATOMIC_ACQUIRE) > 0;
}

void view_index_free(struct view_index *ix)
{
	if (!ix)
		return;
	for (size_t i = 0; ix->lanes && i < ix->trace->lane_count; i++) {
		struct view_lane_index *l = &ix->lanes[i];

		for (size_t k = 0; l->parts && k < l->chunk_count; k++)
			free(l->parts[k]);
		free(l->parts);
		free(l->bins);
		free(l->losses);
		free(l->early);
	}
	for (size_t i = 0; ix->switches && i < ix->trace->input_count; i++)
		view_switches_fini(&ix->switches[i]);
	view_tasks_fini(&ix->tasks);
	free(ix->switches);
	free(ix->seen);
	free(ix->all);
	free(ix->lanes);
	free(ix);
}

uint64_t view_index_events(const struct view_index *ix, size_t lane, const struct view_span *span,
			   uint64_t most)
{
	const uint32_t last = view_index_bin(ix, span->to);
	uint64_t n = 0;

	const bool all = lane == VIEW_ALL_LANES;
	const size_t end = all ? ix->trace->lane_count : lane + 1;

	for (size_t i = all ? 0 : lane; i < end; i++)
		for (uint32_t b = view_index_bin(ix, span->from); b <= last && n <= most; b++)
			n += ix->lanes[i].bins[b].events;
	return n;
}

/* Lanes count by their bytes: a long lane takes longer. May be called at any time. */
double view_index_progress(const struct view_index *ix)
{
	double done = 0, all = 0;

	for (size_t i = 0; i < ix->trace->lane_count; i++) {
		const double len = (double)ix->trace->lanes[i].len;

		all += len;
		done += len * view_index_counted(&ix->lanes[i]) / ix->bin_count;
	}
	return view_index_complete(ix) ? 1 : all > 0 ? done / all : 0;
}

/* Acquire order: after true, all of the index can be read without further care. */
bool view_index_complete(const struct view_index *ix)
{
	for (size_t i = 0; i < ix->trace->lane_count; i++)
		if (!__atomic_load_n(&ix->lanes[i].complete, __ATOMIC_ACQUIRE))
			return false;
	return true;
}
