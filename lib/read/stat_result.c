/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds up what the threads counted, and makes the result of it. Gaps across the border of two
 * pieces are found here, from the last and first times of neighbors. Lists are sorted by count
 * and then by a name or number, so that ties have one order.
 */
#include <stdlib.h>

#include "stat.h"
#include "core/grow.h"
#include "core/search.h"

/* ---- streams: their pieces in order ---- */

/* Adds a piece to its stream. Pieces come in order, so the gap between two is found here. */
static void join_piece(struct tdat_stat_stream *s, struct stat_gaps *gaps,
		       const struct stat_piece *p)
{
	uint32_t i;

	s->lost_count += p->lost_count;
	s->lost_marks += p->lost_marks;
	s->losses += p->losses;
	s->bad_pages += p->bad_pages;
	for (i = 0; i < p->gaps.count; i++)
		stat_gap_add(gaps, p->gaps.v[i]);
	if (!p->count)
		return;
	if (!s->event_count)
		s->first_ts = p->first_ts;
	else if (p->first_ts > s->last_ts)
		stat_gap_add(gaps, (struct stat_gap){s->last_ts, p->first_ts, p->lost_first});
	s->last_ts = p->last_ts;
	s->event_count += p->count;
}

/* Longest first; the earlier of two of one length. */
static int gap_order(const void *a, const void *b)
{
	const struct tdat_stat_gap *x = a, *y = b;
	uint64_t dx = x->to - x->from, dy = y->to - y->from;

	return TDAT_ORDER(dy, dx, TDAT_ORDER(x->from, y->from, 0));
}

/* Joins pieces to streams, and keeps the longest gaps of all streams. */
static enum tdat_status join_streams(struct tdat_stat *st, struct tdat_error *err)
{
	size_t i, k = 0, n = 0;

	st->gaps = calloc(st->stream_count * TDAT_STAT_GAPS + 1, sizeof(*st->gaps));
	if (!st->gaps)
		return tdat_error_no_memory(err, "counts");
	for (i = 0; i < st->stream_count; i++) {
		struct tdat_stat_stream *s = &st->streams[i];
		struct stat_gaps gaps = {.count = 0};
		uint32_t g;

		for (; k < st->piece_count && st->pieces[k].stream == i; k++)
			join_piece(s, &gaps, &st->pieces[k]);
		for (g = 0; g < gaps.count; g++)
			st->gaps[n++] = (struct tdat_stat_gap){s->input,     s->buffer,
							       s->cpu,	     gaps.v[g].from,
							       gaps.v[g].to, gaps.v[g].lost};
	}
	qsort(st->gaps, n, sizeof(*st->gaps), gap_order);
	st->gap_count = n < TDAT_STAT_GAPS ? n : TDAT_STAT_GAPS;
	return TDAT_OK;
}

/* The bins of the first thread become those of the result, as there may be many. */
static enum tdat_status join_bins(struct tdat_stat *st, struct stat_thread *threads, size_t count,
				  struct tdat_error *err)
{
	static const uint64_t none[STAT_BINS];
	size_t i, s, b;

	st->bins = calloc(st->stream_count + 1, sizeof(*st->bins));
	if (!st->bins)
		return tdat_error_no_memory(err, "counts");
	for (s = 0; s < st->stream_count; s++) {
		for (i = 0; i < count; i++) {
			uint64_t *from = threads[i].bins ? threads[i].bins[s] : NULL;

			for (b = 0; from && st->bins[s] && b < st->bin_count; b++)
				st->bins[s][b] += from[b];
			if (!from || st->bins[s])
				continue;
			st->bins[s] = from;
			threads[i].bins[s] = NULL;
		}
		/* Streams without events share bins of zeros. */
		st->streams[s].bins = st->bins[s] ? st->bins[s] : none;
	}
	return TDAT_OK;
}

/* ---- events and tasks ---- */

static int event_order(const void *a, const void *b)
{
	const struct tdat_stat_event *x = a, *y = b;

	return TDAT_ORDER(y->count, x->count,
			  TDAT_ORDER(x->input, y->input, TDAT_ORDER(x->id, y->id, 0)));
}

/* Sums the counts of an id over all threads. */
static uint64_t sum_ids(const struct stat_thread *threads, size_t count, size_t input, uint32_t id)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (threads[i].ids && threads[i].ids[input])
			sum += threads[i].ids[input][id];
	return sum;
}

/* Lists the event types that occur, the most frequent first. */
static enum tdat_status join_events(struct tdat_stat *st, const struct stat_thread *threads,
				    size_t count, struct tdat_error *err)
{
	size_t input, cap = 0;
	uint32_t id;

	for (input = 0; input < st->input_count; input++) {
		for (id = 0; id < FILE_ID_COUNT; id++) {
			uint64_t sum = sum_ids(threads, count, input, id);

			if (!sum)
				continue;
			if (!TDAT_GROW(st->events, &cap, st->event_count + 1))
				return tdat_error_no_memory(err, "counts");
			st->events[st->event_count++] =
				(struct tdat_stat_event){(uint32_t)input, id, sum};
		}
	}
	if (st->event_count)
		qsort(st->events, st->event_count, sizeof(*st->events), event_order);
	return TDAT_OK;
}

static int task_order(const void *a, const void *b)
{
	const struct tdat_stat_task *x = a, *y = b;

	return TDAT_ORDER(y->count, x->count,
			  TDAT_ORDER(x->input, y->input, TDAT_ORDER(x->pid, y->pid, 0)));
}

/* Adds the tasks that all threads counted for an input to those of the first thread. */
static bool sum_tasks(struct stat_thread *threads, size_t count, size_t input)
{
	size_t i, k;

	for (i = 1; i < count; i++) {
		const struct stat_tasks *from = threads[i].tasks ? &threads[i].tasks[input] : NULL;

		for (k = 0; from && k < from->map.count; k++)
			if (!stat_task_add(&threads[0].tasks[input], from->v[k].pid,
					   from->v[k].count))
				return false;
	}
	return true;
}

/* Lists the tasks of all inputs, the most frequent first. */
static enum tdat_status join_tasks(struct tdat_stat *st, struct stat_thread *threads, size_t count,
				   struct tdat_error *err)
{
	size_t input, k, total = 0;

	for (input = 0; input < st->input_count; input++) {
		if (!sum_tasks(threads, count, input))
			return tdat_error_no_memory(err, "counts");
		total += threads[0].tasks[input].map.count;
	}
	st->tasks = calloc(total + 1, sizeof(*st->tasks));
	if (!st->tasks)
		return tdat_error_no_memory(err, "counts");
	for (input = 0; input < st->input_count; input++) {
		const struct stat_tasks *t = &threads[0].tasks[input];

		for (k = 0; k < t->map.count; k++)
			st->tasks[st->task_count++] = (struct tdat_stat_task){
				(uint32_t)input, t->v[k].pid, t->v[k].count};
	}
	qsort(st->tasks, st->task_count, sizeof(*st->tasks), task_order);
	return TDAT_OK;
}

/* Makes the result from the counts of all threads. */
enum tdat_status stat_result(struct tdat_stat *st, struct stat_thread *threads, size_t count,
			     struct tdat_error *err)
{
	enum tdat_status status = join_streams(st, err);

	if (status == TDAT_OK)
		status = join_bins(st, threads, count, err);
	if (status == TDAT_OK)
		status = join_events(st, threads, count, err);
	return status != TDAT_OK ? status : join_tasks(st, threads, count, err);
}
