/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the first and last time of an iterator's inputs, from which relative times count.
 * Finding the ends reads the first and last pages of each CPU, so it is done only if a time is
 * relative. Inputs whose clocks differ have no common time in seconds.
 */
#include "select_span.h"

#include "summary.h"

/* Extends the span by the ends of one CPU. */
static void widen(struct select_span *span, const struct tdat_cpu_summary *cpu)
{
	if (!cpu->has_events)
		return;
	if (!span->any || cpu->first_ts < span->first)
		span->first = cpu->first_ts;
	if (!span->any || cpu->last_ts > span->last)
		span->last = cpu->last_ts;
	span->any = true;
}

/* Reads the ends of all CPUs of an input. */
static enum tdat_status find_ends(struct select_span *span, const struct tdat_iter_input *in,
				  const struct tdat_iter_opts *opts, struct tdat_error *err)
{
	const struct dat_index *ix = &in->file->ix;
	size_t b, c;

	for (b = 0; b < ix->buffer_count; b++) {
		if (ix->buffers[b].latency)
			continue;
		for (c = 0; c < ix->buffers[b].cpu_count; c++) {
			struct tdat_cpu_summary cpu;
			enum tdat_status st = read_summary_ends(in, opts, b, c, &cpu, NULL, err);

			if (st != TDAT_OK)
				return st;
			widen(span, &cpu);
		}
	}
	return TDAT_OK;
}

/* Finds the unit of the inputs' clocks, and with ends their first and last times. */
static enum tdat_status find_span(struct select_span *span, const struct tdat_iter_input *inputs,
				  size_t input_count, const struct tdat_iter_opts *opts, bool ends,
				  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	*span = (struct select_span){
		.seconds = true, .raw_ns = opts->raw_ts, .wall = !opts->no_date};
	for (size_t i = 0; i < input_count && st == TDAT_OK; i++) {
		const struct clock_facts *clock = &inputs[i].file->clock;

		if (span->seconds && input_count > 1 && !clock_facts_seconds(clock, opts->raw_ts))
			span->ticks = tdat_file_info(inputs[i].file)->name;
		span->seconds &= clock_facts_seconds(clock, opts->raw_ts);
		span->raw_ns &= clock->ns && !clock->mult;
		span->wall &= span->seconds && clock->date_ns != 0;
		if (ends)
			st = find_ends(span, &inputs[i], opts, err);
	}
	return st;
}

static bool relative(const struct select_time *t)
{
	return t->kind == SELECT_TIME_AFTER_FIRST || t->kind == SELECT_TIME_BEFORE_LAST ||
	       t->kind == SELECT_TIME_WALL;
}

/* Resolves the two times of a filter. Without times nothing is read, and all is selected. */
enum tdat_status read_select_times(struct read_times *out, const struct select_time *from,
				   const struct select_time *to,
				   const struct tdat_iter_input *inputs, size_t input_count,
				   const struct tdat_iter_opts *opts, struct tdat_error *err)
{
	struct select_span span;
	enum tdat_status st;

	*out = (struct read_times){.to = UINT64_MAX};
	out->set = from->kind != SELECT_TIME_NONE || to->kind != SELECT_TIME_NONE;
	if (!out->set)
		return TDAT_OK;
	st = find_span(&span, inputs, input_count, opts, relative(from) || relative(to), err);
	if (st == TDAT_OK && from->kind != SELECT_TIME_NONE)
		st = select_time_resolve(from, &span, &out->from, err);
	if (st == TDAT_OK && to->kind != SELECT_TIME_NONE)
		st = select_time_resolve(to, &span, &out->to, err);
	/*
	 * From "-1s" to "+1s" is wrong usage where it is reversed; from "+1s" to "-1s" is then
	 * an empty span.
	 */
	if (st == TDAT_OK && out->from > out->to &&
	    ((from->kind == SELECT_TIME_BEFORE_LAST && to->kind == SELECT_TIME_AFTER_FIRST) ||
	     (from->kind == SELECT_TIME_WALL && to->kind == SELECT_TIME_WALL)))
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"the end of the time range, %.80s, is earlier than its start, %.80s",
			to->text, from->text);
	return st;
}

/* Resolves one time, for tables. */
enum tdat_status read_select_time(uint64_t *ts, const char *text,
				  const struct tdat_iter_input *inputs, size_t input_count,
				  const struct tdat_iter_opts *opts, struct tdat_error *err)
{
	struct select_span span;
	struct select_time t;
	enum tdat_status st = select_time_parse(&t, NULL, text, err);

	if (st == TDAT_OK)
		st = find_span(&span, inputs, input_count, opts, relative(&t), err);
	return st == TDAT_OK ? select_time_resolve(&t, &span, ts, err) : st;
}
