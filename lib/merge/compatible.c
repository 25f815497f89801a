/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks that several files can become one. A trace.dat has one byte order, one long size, one page
 * layout and one place for the common fields. Inputs that differ in something that cannot be
 * converted are refused with the names of both. Called by merge.c before anything is written.
 */
#include <stdio.h>

#include "merge.h"

/* Names input 0 and input i with their values. */
static enum tdat_status refuse(const struct merge *m, size_t i, struct tdat_error *err,
			       const char *first, const char *other)
{
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "%s %s, but %s %s: one file cannot hold both",
			      merge_name(&m->parts[0]), first, merge_name(&m->parts[i]), other);
}

/* Longs decide on the layout of pages and of records: they cannot be converted. */
static enum tdat_status check_longs(const struct merge *m, size_t i, struct tdat_error *err)
{
	const struct dat_index *a = &m->parts[0].file->ix, *b = &m->parts[i].file->ix;
	char one[64], two[64];

	if (a->long_size == b->long_size && a->kernel_long_size == b->kernel_long_size)
		return TDAT_OK;
	snprintf(one, sizeof(one), "has longs of %u bytes (kernel: %u)", a->long_size,
		 a->kernel_long_size);
	snprintf(two, sizeof(two), "has longs of %u bytes (kernel: %u)", b->long_size,
		 b->kernel_long_size);
	return refuse(m, i, err, one, two);
}

/* Readers look for the type and the pid of all events in the same place. */
static enum tdat_status check_common(const struct merge *m, size_t i, struct tdat_error *err)
{
	struct file_common a, b;
	char one[96], two[96];

	file_common_find(m->parts[0].file, &a);
	file_common_find(m->parts[i].file, &b);
	if (a.type_off == b.type_off && a.type_len == b.type_len && a.pid_off == b.pid_off &&
	    a.pid_len == b.pid_len)
		return TDAT_OK;
	snprintf(one, sizeof(one), "has common_type at %u and common_pid at %u of each event",
		 a.type_off, a.pid_off);
	snprintf(two, sizeof(two), "has them at %u and %u", b.type_off, b.pid_off);
	return refuse(m, i, err, one, two);
}

/* Seconds and ticks cannot be put into one order. */
static enum tdat_status check_clock(const struct merge *m, size_t i, struct tdat_error *err)
{
	const struct clock_facts *first = &m->parts[0].file->clock, *other;
	bool a = tdat_file_shows_seconds(m->parts[0].file);
	bool b = tdat_file_shows_seconds(m->parts[i].file);

	other = &m->parts[i].file->clock;
	if (a == b && first->ns == other->ns && first->tick_ns == other->tick_ns)
		return TDAT_OK;
	if (a == b)
		return refuse(m, i, err, first->ns ? "counts nanoseconds" : "counts longer ticks",
			      other->ns ? "counts nanoseconds" : "counts longer ticks");
	return refuse(m, i, err, a ? "shows times in seconds" : "shows times as its clock ticks",
		      b ? "shows them in seconds" : "shows them as its clock ticks");
}

/* A latency text takes the place of all CPU data. */
static enum tdat_status check_latency(const struct merge_part *part, struct tdat_error *err)
{
	const struct dat_index *ix = &part->file->ix;

	for (size_t i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].latency)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, ix->buffers[i].off,
					      "%s holds the text of a latency tracer, which cannot "
					      "be merged with events",
					      merge_name(part));
	return TDAT_OK;
}

/* True if raw timestamps of both files mean the same time. */
static bool same_time(const struct clock_facts *a, const struct clock_facts *b)
{
	return a->date_ns == b->date_ns && a->offset_ns == b->offset_ns && a->mult == b->mult &&
	       a->shift == b->shift && !a->sync_cpu_count && !b->sync_cpu_count;
}

/* Dates and offsets are nanoseconds: they cannot be added to longer ticks. */
static enum tdat_status check_ticks(const struct merge *m, struct tdat_error *err)
{
	for (size_t i = 0; !m->keep_time && i < m->count; i++)
		if (m->parts[i].file->clock.tick_ns)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
					      "%s counts ticks of %u ns, but merge can add an "
					      "offset or a date only to nanoseconds",
					      merge_name(&m->parts[i]),
					      m->parts[i].file->clock.tick_ns);
	return TDAT_OK;
}

/*
 * Runs all checks, and decides whether raw timestamps are kept: only if all inputs make times of
 * them alike.
 */
enum tdat_status merge_check(struct merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	m->keep_time = true;
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		if (m->inputs[i].ts_offset || m->inputs[i].ts2secs ||
		    !same_time(&m->parts[0].file->clock, &m->parts[i].file->clock))
			m->keep_time = false;
		st = check_latency(&m->parts[i], err);
		if (st == TDAT_OK)
			st = check_longs(m, i, err);
		if (st == TDAT_OK)
			st = check_common(m, i, err);
		if (st == TDAT_OK)
			st = check_clock(m, i, err);
	}
	return st == TDAT_OK ? check_ticks(m, err) : st;
}
