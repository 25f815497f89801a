/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the sums and rates of one file for "tdat stat". Text and JSON both take them from here:
 * sums, rates, columns of the histogram over time. They are made from one tdat_stat, which has read
 * all events.
 */
#include <string.h>

#include "commands/stat_facts.h"

#include "core/text.h"

/* Adds one CPU of a buffer. A CPU without events does not change the times. */
void stat_sum_add(struct stat_sum *sum, const struct tdat_stat_stream *s)
{
	sum->bytes += s->len;
	sum->lost += s->lost_count;
	sum->lost_marks += s->lost_marks;
	sum->bad_pages += s->bad_pages;
	if (!s->event_count)
		return;
	if (!sum->events || s->first_ts < sum->first_ts)
		sum->first_ts = s->first_ts;
	if (!sum->events || s->last_ts > sum->last_ts)
		sum->last_ts = s->last_ts;
	sum->events += s->event_count;
}

/*
 * Events a second over the whole file. False: the clock does not count nanoseconds, or all events
 * have one time.
 */
bool stat_rate(const struct stat_facts *f, uint64_t events, uint64_t *rate)
{
	double ns = (double)(f->total.last_ts - f->total.first_ts);

	if (!f->seconds || ns <= 0)
		return false;
	*rate = (uint64_t)((double)events * 1e9 / ns + 0.5);
	return true;
}

/*
 * Joins the bins of tdat_stat to at most `most` columns. Returns their number, the same for each
 * CPU of a file.
 */
size_t stat_columns(const struct stat_facts *f, const struct tdat_stat_stream *s, uint64_t *columns,
		    size_t most)
{
	size_t n = f->bin_count < most ? f->bin_count : most, i;

	memset(columns, 0, most * sizeof(*columns));
	for (i = 0; i < f->bin_count; i++)
		columns[i * n / f->bin_count] += s->bins[i];
	return n;
}

/* Pid 0 is the idle task of each CPU; a pid without a saved name has the kernel's "<...>". */
struct tdat_span stat_comm(const struct stat_facts *f, int32_t pid)
{
	const struct tdat_span comm = tdat_file_comm(f->file, pid);

	return pid && comm.ptr ? comm : tdat_span_of(pid ? "<...>" : "<idle>");
}

void stat_facts_init(struct stat_facts *f, const struct stat_args *a, struct tdat_file *file,
		     const struct tdat_stat *st)
{
	size_t i;

	memset(f, 0, sizeof(*f));
	f->args = a;
	f->file = file;
	f->buffers = tdat_file_buffers(file, &f->buffer_count);
	f->streams = tdat_stat_streams(st, &f->stream_count);
	f->events = tdat_stat_events(st, &f->event_count);
	f->tasks = tdat_stat_tasks(st, &f->task_count);
	f->gaps = tdat_stat_gaps(st, &f->gap_count);
	f->seconds = tdat_file_shows_seconds(file);
	for (i = 0; i < f->stream_count; i++)
		stat_sum_add(&f->total, &f->streams[i]);
	f->bin_count = tdat_stat_bins(st, &f->bin_start, &f->bin_width);
	/* Bins behind the last event are empty for each CPU, and left out. */
	if (f->total.events && f->total.last_ts >= f->bin_start &&
	    (f->total.last_ts - f->bin_start) / f->bin_width < f->bin_count)
		f->bin_count = (size_t)((f->total.last_ts - f->bin_start) / f->bin_width) + 1;
}

/* Adds up the CPUs of one buffer. False: the buffer has no CPU with data. */
bool stat_buffer_sum(const struct stat_facts *f, size_t buffer, struct stat_sum *sum)
{
	bool any = false;

	*sum = (struct stat_sum){0};
	for (size_t i = 0; i < f->stream_count; i++) {
		if (f->streams[i].buffer != buffer)
			continue;
		stat_sum_add(sum, &f->streams[i]);
		any = true;
	}
	return any;
}
