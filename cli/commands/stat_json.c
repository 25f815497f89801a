/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat stat" counted in a file as JSON. Values are exact, in the order of the
 * text. Sums, buffers, streams, events, tasks and gaps are members of one object for each file.
 * Called by stat.c.
 */
#include <string.h>

#include "commands/stat_facts.h"

static void json_sum(struct cli_json *j, const struct stat_facts *f, const struct stat_sum *s)
{
	uint64_t rate;

	cli_json_u64(j, "events", s->events);
	if (stat_rate(f, s->events, &rate))
		cli_json_u64(j, "events_per_second", rate);
	cli_json_u64(j, "lost", s->lost);
	cli_json_u64(j, "lost_unknown", s->lost_marks);
	cli_json_u64(j, "damaged_pages", s->bad_pages);
	cli_json_u64(j, "bytes", s->bytes);
	if (s->events) {
		cli_json_u64(j, "first_ts", s->first_ts);
		cli_json_u64(j, "last_ts", s->last_ts);
	} else {
		cli_json_null(j, "first_ts");
		cli_json_null(j, "last_ts");
	}
}

static void json_buffers(struct cli_json *j, const struct stat_facts *f)
{
	size_t b, i;

	cli_json_array(j, "buffers");
	for (b = 0; b < f->buffer_count; b++) {
		struct stat_sum sum = {0};
		bool any = false;

		for (i = 0; i < f->stream_count; i++) {
			if (f->streams[i].buffer != b)
				continue;
			stat_sum_add(&sum, &f->streams[i]);
			any = true;
		}
		if (!any)
			continue;
		cli_json_object(j, NULL);
		cli_json_str(j, "buffer", f->buffers[b].name);
		json_sum(j, f, &sum);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
}

static void json_streams(struct cli_json *j, const struct stat_facts *f)
{
	uint64_t columns[STAT_COLUMNS];
	size_t i, c, n;

	cli_json_array(j, "cpus");
	for (i = 0; i < f->stream_count; i++) {
		struct stat_sum sum = {0};

		stat_sum_add(&sum, &f->streams[i]);
		cli_json_object(j, NULL);
		cli_json_str(j, "buffer", f->buffers[f->streams[i].buffer].name);
		cli_json_u64(j, "cpu", f->streams[i].cpu);
		json_sum(j, f, &sum);
		n = stat_columns(f, &f->streams[i], columns);
		cli_json_array(j, "histogram");
		for (c = 0; c < n; c++)
			cli_json_u64(j, NULL, columns[c]);
		cli_json_array_end(j);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
}

static void json_events(struct cli_json *j, const struct stat_facts *f)
{
	size_t i;

	cli_json_array(j, "by_event");
	for (i = 0; i < f->event_count; i++) {
		const struct tdat_format *format = tdat_file_format_by_id(f->file, f->events[i].id);

		cli_json_object(j, NULL);
		cli_json_str(j, "system", format ? tdat_format_system(format) : NULL);
		cli_json_str(j, "event", format ? tdat_format_name(format) : NULL);
		cli_json_u64(j, "id", f->events[i].id);
		cli_json_u64(j, "events", f->events[i].count);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
}

static void json_tasks(struct cli_json *j, const struct stat_facts *f)
{
	size_t i;

	cli_json_array(j, "by_task");
	for (i = 0; i < f->task_count; i++) {
		struct tdat_span comm = stat_comm(f, f->tasks[i].pid);

		cli_json_object(j, NULL);
		cli_json_i64(j, "pid", f->tasks[i].pid);
		cli_json_strn(j, "comm", (const char *)comm.ptr, comm.len);
		cli_json_u64(j, "events", f->tasks[i].count);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
}

static void json_gaps(struct cli_json *j, const struct stat_facts *f)
{
	size_t i;

	cli_json_array(j, "gaps");
	for (i = 0; i < f->gap_count; i++) {
		const struct tdat_stat_gap *g = &f->gaps[i];

		cli_json_object(j, NULL);
		cli_json_str(j, "buffer", f->buffers[g->buffer].name);
		cli_json_u64(j, "cpu", g->cpu);
		cli_json_u64(j, "from", g->from);
		cli_json_u64(j, "to", g->to);
		cli_json_u64(j, "length", g->to - g->from);
		cli_json_bool(j, "lost", g->lost);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
}

void stat_json(struct cli_json *j, const struct stat_facts *f)
{
	cli_json_object(j, NULL);
	cli_json_str(j, "file", tdat_file_info(f->file)->name);
	cli_json_bool(j, "times_in_ns", f->seconds);
	json_sum(j, f, &f->total);
	json_buffers(j, f);
	json_streams(j, f);
	json_events(j, f);
	json_tasks(j, f);
	json_gaps(j, f);
	cli_json_object(j, "histogram");
	cli_json_u64(j, "start", f->bin_start);
	cli_json_u64(j, "length", f->bin_count * f->bin_width);
	cli_json_object_end(j);
	stat_kmem_json(j, f);
	cli_json_object_end(j);
}
