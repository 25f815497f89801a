/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts events on threads. Each thread takes pieces of streams; plain data is cut into pieces
 * of whole pages, so that one busy CPU does not keep one thread alone at work. Sums are merged
 * in the order of pieces, so the result does not depend on threads. A filter that may depend on
 * earlier events keeps its stream in one piece. Counting itself is in stat_count.c, the result
 * in stat_result.c.
 */
#include "stat.h"

#include <stdlib.h>

#include "core/opts.h"
#include "core/thread.h"
#include "summary.h"

/* PIECES_MOST: of all plain data, however much a file's holes claim. */
enum { PIECE_LEN = 8 * 1024 * 1024, PIECES_MOST = 4096, MAX_THREADS = 64 };

/* ---- what there is to count ---- */

static bool buffer_wanted(const struct tdat_iter_opts *o, const struct tdat_buffer *b)
{
	if (b->latency || (*b->name && o->top_only))
		return false;
	return !o->filter || read_select_buffer(o->filter, b);
}

/*
 * Returns the length of a piece, in whole pages. Compressed data is not cut, nor is any with a
 * filter, since what passes may depend on the events before.
 */
static uint64_t piece_len(const struct tdat_stat *st, const struct tdat_buffer *b, uint64_t len)
{
	if (b->compressed || st->iter.filter || !b->page_size)
		return len;
	if (b->page_size >= st->piece_len)
		return b->page_size;
	return st->piece_len / b->page_size * b->page_size;
}

/* Adds the pieces of one CPU's data: all but the last have equal lengths. False: no memory. */
static bool add_pieces(struct tdat_stat *st, const struct tdat_buffer *b,
		       const struct tdat_cpu *cpu)
{
	uint64_t step = piece_len(st, b, cpu->len), off = 0;
	size_t count = cpu->len ? (size_t)((cpu->len - 1) / step) + 1 : 0;
	struct stat_piece *p = realloc(st->pieces, (st->piece_count + count + 1) * sizeof(*p));

	if (!p)
		return false;
	st->pieces = p;
	for (; off < cpu->len; off += step) {
		uint64_t left = cpu->len - off;

		p = &st->pieces[st->piece_count++];
		*p = (struct stat_piece){.stream = st->stream_count, .part = *cpu};
		p->part.off = cpu->off + off;
		p->part.len = left < step ? left : step;
		p->last = left <= step;
	}
	return true;
}

/* Adds the streams of a buffer, as far as their CPUs are asked for. */
static enum tdat_status add_streams(struct tdat_stat *st, size_t input, size_t buffer,
				    struct tdat_error *err)
{
	const struct tdat_iter_input *in = &st->inputs[input];
	const struct tdat_buffer *b = &in->file->ix.buffers[buffer];
	uint32_t i;

	for (i = 0; i < b->cpu_count; i++) {
		const struct tdat_cpu *cpu = &b->cpus[i];

		if (!read_cpus_has(&st->cpus, cpu->cpu))
			continue;
		if (!add_pieces(st, b, cpu))
			return tdat_error_no_memory(err, "counts");
		read_clock_init(&st->clocks[st->stream_count], &in->file->clock, *b->name != '\0',
				in, &st->iter);
		st->streams[st->stream_count++] =
			(struct tdat_stat_stream){.input = (uint32_t)input,
						  .buffer = (uint32_t)buffer,
						  .cpu = cpu->cpu,
						  .len = cpu->len};
	}
	return TDAT_OK;
}

/*
 * Lists streams and pieces. A piece grows with the file, so that there are never more than about
 * PIECES_MOST.
 */
static enum tdat_status list_streams(struct tdat_stat *st, struct tdat_error *err)
{
	size_t i, b, n = 0;

	st->piece_len = PIECE_LEN;
	for (i = 0; i < st->input_count; i++) {
		/*
		 * Data of CPUs lies in the file and does not overlap: the length of the file
		 * bounds all of it.
		 */
		st->piece_len += tdat_source_len(st->inputs[i].file->src) / PIECES_MOST;
		for (b = 0; b < st->inputs[i].file->ix.buffer_count; b++)
			n += st->inputs[i].file->ix.buffers[b].cpu_count;
	}
	st->streams = calloc(n + 1, sizeof(*st->streams));
	st->clocks = calloc(n + 1, sizeof(*st->clocks));
	st->commons = calloc(st->input_count + 1, sizeof(*st->commons));
	if (!st->streams || !st->clocks || !st->commons)
		return tdat_error_no_memory(err, "counts");
	for (i = 0; i < st->input_count; i++) {
		const struct dat_index *ix = &st->inputs[i].file->ix;

		file_common_find(st->inputs[i].file, &st->commons[i]);
		for (b = 0; b < ix->buffer_count; b++) {
			enum tdat_status status = TDAT_OK;

			if (buffer_wanted(&st->iter, &ix->buffers[b]))
				status = add_streams(st, i, b, err);
			if (status != TDAT_OK)
				return status;
		}
	}
	return TDAT_OK;
}

/* ---- the bins ---- */

/* First and last time of all streams, from their ends: no page between is read. */
static enum tdat_status find_range(const struct tdat_stat *st, uint64_t *first, uint64_t *last,
				   struct tdat_error *err)
{
	size_t i;

	*first = UINT64_MAX;
	*last = 0;
	for (i = 0; i < st->stream_count; i++) {
		const struct tdat_stat_stream *s = &st->streams[i];
		struct tdat_cpu_summary sum;
		enum tdat_status status;
		size_t count;

		status = read_summary_ends(
			&st->inputs[s->input], &st->iter, s->buffer,
			*file_cpu_entries(st->inputs[s->input].file, s->buffer, s->cpu, &count),
			&sum, NULL, err);
		if (status != TDAT_OK)
			return status;
		if (!sum.has_events)
			continue;
		*first = sum.first_ts < *first ? sum.first_ts : *first;
		*last = sum.last_ts > *last ? sum.last_ts : *last;
	}
	return TDAT_OK;
}

/* Bins reach from the first event to the last, or as far as a filter lets them. */
static enum tdat_status size_bins(struct tdat_stat *st, const struct read_select *select,
				  struct tdat_error *err)
{
	uint64_t first, last;
	enum tdat_status status = find_range(st, &first, &last, err);

	if (status != TDAT_OK)
		return status;
	if (select && select->times.set) {
		first = select->times.from > first ? select->times.from : first;
		last = select->times.to < last ? select->times.to : last;
	}
	st->start = first;
	st->bin_count = STAT_BINS;
	while (st->bin_count > STAT_BINS_LEAST &&
	       st->bin_count > STAT_BINS_ALL / (st->stream_count + 1))
		st->bin_count /= 2;
	/* The width of a bin is a power of two: a shift finds the bin of an event. */
	while (last > first && (last - first) >> st->shift >= st->bin_count)
		st->shift++;
	return TDAT_OK;
}

/* ---- threads ---- */

static void thread_fini(struct stat_thread *t)
{
	size_t i;

	for (i = 0; t->ids && i < t->st->input_count; i++)
		free(t->ids[i]);
	for (i = 0; t->tasks && i < t->st->input_count; i++) {
		free(t->tasks[i].v);
		tdat_map_fini(&t->tasks[i].map);
	}
	for (i = 0; t->bins && i < t->st->stream_count; i++)
		free(t->bins[i]);
	free(t->ids);
	free(t->tasks);
	free(t->bins);
	read_select_free(t->select);
}

/* Each thread has a filter of its own, as programs are made on the way. */
static enum tdat_status thread_init(struct stat_thread *t, struct tdat_stat *st,
				    struct tdat_error *err)
{
	t->st = st;
	t->ids = calloc(st->input_count + 1, sizeof(uint64_t *));
	t->tasks = calloc(st->input_count + 1, sizeof(*t->tasks));
	t->bins = calloc(st->stream_count + 1, sizeof(uint64_t *));
	if (!t->ids || !t->tasks || !t->bins)
		return tdat_error_no_memory(err, "counts");
	if (!st->iter.filter)
		return TDAT_OK;
	return read_select_new(&t->select, st->iter.filter, st->inputs, st->input_count, &st->iter,
			       err);
}

/* Takes the next piece until none is left or one fails. */
static void *work(void *arg)
{
	struct stat_thread *t = arg;
	struct tdat_stat *st = t->st;

	while (t->status == TDAT_OK) {
		size_t i = atomic_fetch_add(&st->next, 1);

		if (i >= st->piece_count)
			break;
		t->status = stat_count_piece(t, &st->pieces[i], &t->err);
	}
	return NULL;
}

static size_t thread_count(const struct tdat_stat *st)
{
	const size_t n = tdat_thread_count(st->threads, MAX_THREADS);

	return n < st->piece_count ? n : st->piece_count ? st->piece_count : 1;
}

/* Failures are taken in the order of threads; the first one is returned. */
static enum tdat_status run(struct tdat_stat *st, struct stat_thread *threads, size_t count,
			    struct tdat_error *err)
{
	tdat_thread_team((uint32_t)count, work, threads, sizeof(*threads));
	for (size_t i = 0; i < count; i++) {
		if (threads[i].status == TDAT_OK)
			continue;
		if (err)
			*err = threads[i].err;
		return threads[i].status;
	}
	return stat_result(st, threads, count, err);
}

/* Bins are sized before threads start, as all of them use the same. */
static enum tdat_status count_all(struct tdat_stat *st, struct tdat_error *err)
{
	size_t i, count = thread_count(st);
	struct stat_thread *threads = calloc(count, sizeof(*threads));
	enum tdat_status status = TDAT_OK;

	if (!threads)
		return tdat_error_no_memory(err, "counts");
	for (i = 0; i < count; i++)
		threads[i].st = st;
	for (i = 0; i < count && status == TDAT_OK; i++)
		status = thread_init(&threads[i], st, err);
	if (status == TDAT_OK)
		status = size_bins(st, threads[0].select, err);
	if (status == TDAT_OK)
		status = run(st, threads, count, err);
	for (i = 0; i < count; i++)
		thread_fini(&threads[i]);
	free(threads);
	return status;
}

/* Counts events by type, task, stream and time. inputs are needed only during the call. */
enum tdat_status tdat_stat_new(struct tdat_stat **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_stat_opts *opts,
			       struct tdat_error *err)
{
	struct tdat_stat_opts own = TDAT_STAT_OPTS_INIT;
	struct tdat_stat *st = calloc(1, sizeof(*st));
	enum tdat_status status;

	*out = NULL;
	if (!st)
		return tdat_error_no_memory(err, "counts");
	tdat_opts_copy(&own, sizeof(own), opts);
	tdat_opts_copy(&st->iter, sizeof(st->iter), own.iter);
	st->threads = own.threads;
	st->inputs = inputs;
	st->input_count = input_count;
	if (read_cpus_init(&st->cpus, st->iter.cpus, st->iter.cpu_count))
		status = list_streams(st, err);
	else
		status = tdat_error_no_memory(err, "counts");
	if (status == TDAT_OK)
		status = count_all(st, err);
	st->inputs = NULL;
	if (status != TDAT_OK) {
		tdat_stat_free(st);
		return status;
	}
	*out = st;
	return TDAT_OK;
}

void tdat_stat_free(struct tdat_stat *st)
{
	if (!st)
		return;
	read_cpus_fini(&st->cpus);
	free(st->clocks);
	free(st->commons);
	free(st->streams);
	free(st->pieces);
	for (size_t i = 0; st->bins && i < st->stream_count; i++)
		free(st->bins[i]);
	free(st->bins);
	free(st->events);
	free(st->tasks);
	free(st->gaps);
	free(st);
}

const struct tdat_stat_stream *tdat_stat_streams(const struct tdat_stat *st, size_t *count)
{
	*count = st->stream_count;
	return st->streams;
}

const struct tdat_stat_event *tdat_stat_events(const struct tdat_stat *st, size_t *count)
{
	*count = st->event_count;
	return st->events;
}

const struct tdat_stat_task *tdat_stat_tasks(const struct tdat_stat *st, size_t *count)
{
	*count = st->task_count;
	return st->tasks;
}

const struct tdat_stat_gap *tdat_stat_gaps(const struct tdat_stat *st, size_t *count)
{
	*count = st->gap_count;
	return st->gaps;
}

size_t tdat_stat_bins(const struct tdat_stat *st, uint64_t *start, uint64_t *width)
{
	*start = st->start;
	*width = 1ull << st->shift;
	return st->bin_count;
}
