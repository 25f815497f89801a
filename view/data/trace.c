/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the recordings of a trace, their CPUs, and their first and last times. A recording is a
 * buffer of a file; a lane is one of its CPUs. Lanes are sorted for binary search. Everything here
 * is fixed when the program starts.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"

/*
 * Returns a pattern of fnmatch(3) that matches one name only; free() frees it. The top buffer has
 * no name, and filters call it "top".
 */
static char *exact_pattern(const char *name)
{
	const size_t len = strlen(name);
	char *pattern = len < SIZE_MAX / 2 ? malloc(2 * len + 4) : NULL, *p = pattern;

	if (!pattern)
		return NULL;
	if (!len)
		memcpy(p, "top", 3), p += 3;
	for (size_t i = 0; i < len; i++) {
		if (strchr("*?[\\", name[i]))
			*p++ = '\\';
		*p++ = name[i];
	}
	*p = 0;
	return pattern;
}

/* Reads the first and last page of a CPU for its times, not the pages between. */
static enum tdat_status add_lane(struct view_trace *t, const struct view_rec *rec, size_t cpu_index,
				 const struct tdat_cpu *cpu, struct tdat_error *err)
{
	struct view_lane *lane;
	const int64_t offset = t->inputs[rec->input].ts_offset;
	struct tdat_cpu_summary sum;
	enum tdat_status st = tdat_file_cpu_summary(t->inputs[rec->input].file, rec->buffer,
						    cpu_index, false, &sum, err);

	if (st != TDAT_OK)
		return st;
	if (!TDAT_GROW(t->lanes, &t->lane_cap, t->lane_count + 1))
		return tdat_error_no_memory(err, "the list of CPUs");
	lane = &t->lanes[t->lane_count++];
	if (sum.has_events) { /* as an iterator adds it */
		sum.first_ts += (uint64_t)offset;
		sum.last_ts += (uint64_t)offset;
	}
	*lane = (struct view_lane){.rec = (uint32_t)t->rec_count,
				   .cpu = cpu->cpu,
				   .len = cpu->len,
				   .missing_len = cpu->missing_len,
				   .lost_end = sum.lost_end,
				   .has_events = sum.has_events,
				   .first_ts = sum.first_ts,
				   .last_ts = sum.last_ts};
	if (!sum.has_events)
		return TDAT_OK;
	/* In a file whose time goes back the last event may be an early one. */
	if (lane->last_ts < lane->first_ts)
		lane->last_ts = lane->first_ts;
	if (t->empty || lane->first_ts < t->from)
		t->from = lane->first_ts;
	if (t->empty || lane->last_ts > t->to)
		t->to = lane->last_ts;
	t->empty = false;
	return TDAT_OK;
}

/* alone: the file's only buffer needs no pattern. Latency buffers hold text, and get no lane. */
static enum tdat_status add_rec(struct view_trace *t, size_t input, size_t index, bool alone,
				const struct tdat_buffer *b, struct tdat_error *err)
{
	struct view_rec *rec;
	enum tdat_status st = TDAT_OK;

	if (!TDAT_GROW(t->recs, &t->rec_cap, t->rec_count + 1))
		return tdat_error_no_memory(err, "the list of CPUs");
	rec = &t->recs[t->rec_count];
	*rec = (struct view_rec){.input = (uint32_t)input,
				 .buffer = (uint32_t)index,
				 .name = b->name,
				 .clock = b->clock,
				 .pattern = alone ? NULL : exact_pattern(b->name),
				 .first_lane = t->lane_count,
				 .lost_cpus = b->lost_cpu_count != 0};
	if (!alone && !rec->pattern)
		return tdat_error_no_memory(err, "names of buffers");
	for (uint32_t c = 0; st == TDAT_OK && !b->latency && c < b->cpu_count; c++)
		st = add_lane(t, rec, c, &b->cpus[c], err);
	rec->lane_count = t->lane_count - rec->first_lane;
	t->rec_count++;
	return st;
}

/* ns and date hold only if all files agree: times are shown in one unit. */
static enum tdat_status add_recs(struct view_trace *t, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	t->first_rec = calloc(t->input_count + 1, sizeof(*t->first_rec));
	if (!t->first_rec)
		return tdat_error_no_memory(err, "the list of CPUs");
	t->empty = t->ns = t->date = true;
	for (size_t i = 0; i < t->input_count; i++) {
		struct tdat_file *file = t->inputs[i].file;
		size_t n;
		const struct tdat_buffer *b = tdat_file_buffers(file, &n);

		t->first_rec[i] = (uint32_t)t->rec_count;
		t->ns = t->ns && tdat_file_shows_seconds(file);
		t->date = t->date && tdat_file_option_by_id(file, TDAT_OPTION_DATE);
		for (size_t k = 0; st == TDAT_OK && k < n; k++)
			st = add_rec(t, i, k, n == 1, &b[k], err);
	}
	return st;
}

/* Sets the end of each recording to the last event of its file, in any buffer. */
static void find_ends(struct view_trace *t)
{
	for (size_t i = 0, end; i < t->rec_count; i = end) {
		uint64_t to = t->from;

		for (end = i; end < t->rec_count && t->recs[end].input == t->recs[i].input; end++)
			for (size_t k = 0; k < t->recs[end].lane_count; k++) {
				const struct view_lane *lane =
					&t->lanes[t->recs[end].first_lane + k];

				if (lane->has_events && lane->last_ts > to)
					to = lane->last_ts;
			}
		for (size_t k = i; k < end; k++)
			t->recs[k].to = to;
	}
}

/*
 * Lanes of a recording by CPU; equal numbers, which damaged files may have, in the order of the
 * file.
 */
static int compare_lanes(const void *a, const void *b)
{
	const struct view_lane *x = *(const struct view_lane *const *)a;
	const struct view_lane *y = *(const struct view_lane *const *)b;

	return TDAT_ORDER(x->cpu, y->cpu, TDAT_ORDER(x, y, 0));
}

static bool sort_lanes(struct view_trace *t)
{
	t->by_cpu = calloc(t->lane_count + 1, sizeof(*t->by_cpu));
	if (!t->by_cpu)
		return false;
	for (size_t k = 0; k < t->lane_count; k++)
		t->by_cpu[k] = &t->lanes[k];
	for (size_t i = 0; i < t->rec_count; i++)
		qsort(t->by_cpu + t->recs[i].first_lane, t->recs[i].lane_count, sizeof(*t->by_cpu),
		      compare_lanes);
	return true;
}

/* Derived tables of a single file need a trace of that file alone, hence by_input. */
enum tdat_status view_trace_new(struct view_trace **out, const struct tdat_iter_input *inputs,
				size_t input_count, struct tdat_error *err)
{
	struct view_trace *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*out = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a trace");
	t->inputs = inputs;
	t->input_count = input_count;
	st = tdat_trace_new(&t->tables, inputs, input_count, NULL, err);
	if (st == TDAT_OK)
		st = tdat_printer_new(&t->printer, inputs, input_count, NULL, err);
	t->by_input = calloc(input_count + 1, sizeof(struct tdat_trace *));
	t->groups = calloc(input_count + 1, sizeof(*t->groups));
	if (st == TDAT_OK && (!t->by_input || !t->groups))
		st = tdat_error_no_memory(err, "a trace");
	for (size_t i = 0; st == TDAT_OK && i < input_count; i++) {
		st = tdat_trace_new(&t->by_input[i], &inputs[i], 1, NULL, err);
		if (st == TDAT_OK)
			if (!tdat_task_groups_init(&t->groups[i],
						   tdat_file_part(inputs[i].file, TDAT_PART_TGIDS)))
				st = tdat_error_no_memory(err, "thread groups");
	}
	if (st == TDAT_OK)
		st = add_recs(t, err);
	if (st == TDAT_OK && !sort_lanes(t))
		st = tdat_error_no_memory(err, "a trace");
	if (st == TDAT_OK)
		find_ends(t);
	if (st == TDAT_OK)
		*out = t;
	else
		view_trace_free(t);
	return st;
}

void view_trace_free(struct view_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->recs && i < t->rec_count; i++)
		free(t->recs[i].pattern);
	for (size_t i = 0; t->by_input && i < t->input_count; i++)
		tdat_trace_free(t->by_input[i]);
	for (size_t i = 0; t->groups && i < t->input_count; i++)
		tdat_task_groups_fini(&t->groups[i]);
	free(t->groups);
	free(t->by_input);
	tdat_trace_free(t->tables);
	tdat_printer_free(t->printer);
	free(t->recs);
	free(t->first_rec);
	free(t->lanes);
	free(t->by_cpu);
	free(t);
}

const struct view_lane *view_trace_lane(const struct view_trace *t, uint64_t rec, uint64_t cpu)
{
	const struct view_rec *r = rec < t->rec_count ? &t->recs[rec] : NULL;
	const struct view_lane **lanes = r ? t->by_cpu + r->first_lane : NULL;
	size_t i;

	if (!r)
		return NULL;
	TDAT_SEARCH(i, r->lane_count, lanes[i]->cpu < cpu);
	return i < r->lane_count && lanes[i]->cpu == cpu ? lanes[i] : NULL;
}

uint32_t view_trace_rec(const struct view_trace *t, uint32_t input, uint32_t buffer)
{
	return t->first_rec[input] + buffer;
}
