/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the counts of "tdat stat" as JSON. Values are exact, in the order of the text. Sums,
 * buffers, CPUs, events, tasks and gaps are members of one object for each file. Called by stat.c
 * for each file, with the values of stat_facts.c.
 */
#include <string.h>

#include "commands/stat_facts.h"

/* lost_unknown counts losses for which the kernel recorded no number. */
static void json_sum(struct tdat_json *j, const struct stat_facts *f, const struct stat_sum *s)
{
	uint64_t rate;

	tdat_json_u64(j, "events", s->events);
	if (stat_rate(f, s->events, &rate))
		tdat_json_u64(j, "events_per_second", rate);
	tdat_json_u64(j, "lost", s->lost);
	tdat_json_u64(j, "lost_unknown", s->lost_marks);
	tdat_json_u64(j, "damaged_pages", s->bad_pages);
	tdat_json_u64(j, "bytes", s->bytes);
	if (s->events) {
		tdat_json_u64(j, "first_ts", s->first_ts);
		tdat_json_u64(j, "last_ts", s->last_ts);
	} else {
		tdat_json_null(j, "first_ts");
		tdat_json_null(j, "last_ts");
	}
}

/* Buffers with data, the top one by the name "". */
static void json_buffers(struct tdat_json *j, const struct stat_facts *f)
{
	tdat_json_array(j, "buffers");
	for (size_t b = 0; b < f->buffer_count; b++) {
		struct stat_sum sum;

		if (!stat_buffer_sum(f, b, &sum))
			continue;
		tdat_json_object(j, NULL);
		tdat_json_str(j, "buffer", f->buffers[b].name);
		json_sum(j, f, &sum);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* Each CPU of each buffer has its histogram: all have the same number of columns. */
static void json_streams(struct tdat_json *j, const struct stat_facts *f)
{
	uint64_t columns[STAT_COLUMNS];
	size_t i, c, n;

	tdat_json_array(j, "cpus");
	for (i = 0; i < f->stream_count; i++) {
		struct stat_sum sum = {0};

		stat_sum_add(&sum, &f->streams[i]);
		tdat_json_object(j, NULL);
		tdat_json_str(j, "buffer", f->buffers[f->streams[i].buffer].name);
		tdat_json_u64(j, "cpu", f->streams[i].cpu);
		json_sum(j, f, &sum);
		n = stat_columns(f, &f->streams[i], columns, STAT_COLUMNS);
		tdat_json_array(j, "histogram");
		for (c = 0; c < n; c++)
			tdat_json_u64(j, NULL, columns[c]);
		tdat_json_array_end(j);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* An event type without a format has a null name, and its id. */
static void json_events(struct tdat_json *j, const struct stat_facts *f)
{
	size_t i;

	tdat_json_array(j, "by_event");
	for (i = 0; i < f->event_count; i++) {
		const struct tdat_event_format *format =
			tdat_file_format_by_id(f->file, f->events[i].id);

		tdat_json_object(j, NULL);
		tdat_json_str(j, "system", format ? tdat_event_format_system(format) : NULL);
		tdat_json_str(j, "event", format ? tdat_event_format_name(format) : NULL);
		tdat_json_u64(j, "id", f->events[i].id);
		tdat_json_u64(j, "events", f->events[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

static void json_tasks(struct tdat_json *j, const struct stat_facts *f)
{
	size_t i;

	tdat_json_array(j, "by_task");
	for (i = 0; i < f->task_count; i++) {
		struct tdat_span comm = stat_comm(f, f->tasks[i].pid);

		tdat_json_object(j, NULL);
		tdat_json_i64(j, "pid", f->tasks[i].pid);
		tdat_json_strn(j, "comm", (const char *)comm.ptr, comm.len);
		tdat_json_u64(j, "events", f->tasks[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The longest times without an event of a CPU; lost: events were dropped in it. */
static void json_gaps(struct tdat_json *j, const struct stat_facts *f)
{
	size_t i;

	tdat_json_array(j, "gaps");
	for (i = 0; i < f->gap_count; i++) {
		const struct tdat_stat_gap *g = &f->gaps[i];

		tdat_json_object(j, NULL);
		tdat_json_str(j, "buffer", f->buffers[g->buffer].name);
		tdat_json_u64(j, "cpu", g->cpu);
		tdat_json_u64(j, "from", g->from);
		tdat_json_u64(j, "to", g->to);
		tdat_json_u64(j, "length", g->to - g->from);
		tdat_json_bool(j, "lost", g->lost);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The object of one file; "histogram" tells the span of the columns. */
void stat_json(struct tdat_json *j, const struct stat_facts *f)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "file", tdat_file_info(f->file)->name);
	tdat_json_bool(j, "times_in_ns", f->seconds);
	json_sum(j, f, &f->total);
	json_buffers(j, f);
	json_streams(j, f);
	json_events(j, f);
	json_tasks(j, f);
	json_gaps(j, f);
	tdat_json_object(j, "histogram");
	tdat_json_u64(j, "start", f->bin_start);
	tdat_json_u64(j, "length", f->bin_count * f->bin_width);
	tdat_json_object_end(j);
	stat_kmem_json(j, f);
	tdat_json_object_end(j);
}
