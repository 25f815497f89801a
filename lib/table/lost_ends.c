/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the CPUs whose data ends in damage, or before its end because the file is cut. No event
 * tells of such a loss, as none follows it, so derived tables get it from this list. The list is
 * made when the first derived table is read and kept by the trace.
 */
#include "lost_ends.h"

#include <stdlib.h>

#include "core/grow.h"
#include "core/search.h"
#include "read/summary.h"
#include "trace_data.h"

struct ends {
	struct lost_end *v;
	size_t count, cap;
};

static enum tdat_status add(struct ends *e, struct lost_end end, struct tdat_error *err)
{
	if (!TDAT_GROW(e->v, &e->cap, e->count + 1))
		return tdat_error_no_memory(err, "damaged CPUs");
	e->v[e->count++] = end;
	return TDAT_OK;
}

static enum tdat_status add_cpu(struct ends *e, const struct tdat_trace *t, struct lost_end end,
				size_t index, struct tdat_error *err)
{
	const struct tdat_iter_opts opts = trace_iter_opts(t);
	struct tdat_cpu_summary sum;
	enum tdat_status st = read_summary_ends(&t->iter_inputs[end.input], &opts, end.buffer,
						index, &sum, NULL, err);

	if (st != TDAT_OK || !sum.lost_end)
		return st;
	end.ts = sum.has_events ? sum.last_ts : 0;
	return add(e, end, err);
}

static enum tdat_status add_buffer(struct ends *e, const struct tdat_trace *t, uint32_t input,
				   uint32_t buffer, struct tdat_error *err)
{
	const struct tdat_buffer *b = &t->inputs[input].buffers[buffer];
	enum tdat_status st = TDAT_OK;

	if (b->latency)
		return TDAT_OK;
	if (b->lost_cpu_count)
		st = add(e, (struct lost_end){0, input, buffer, UINT32_MAX}, err);
	for (uint32_t c = 0; c < b->cpu_count && st == TDAT_OK; c++)
		st = add_cpu(e, t, (struct lost_end){0, input, buffer, b->cpus[c].cpu}, c, err);
	return st;
}

static int by_time(const void *a, const void *b)
{
	const struct lost_end *x = a, *y = b;

	return TDAT_ORDER(
		x->ts, y->ts,
		TDAT_ORDER(x->input, y->input,
			   TDAT_ORDER(x->buffer, y->buffer, TDAT_ORDER(x->cpu, y->cpu, 0))));
}

static enum tdat_status list_ends(struct ends *e, const struct tdat_trace *t,
				  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (uint32_t i = 0; i < t->input_count; i++)
		for (uint32_t b = 0; b < t->inputs[i].buffer_count && st == TDAT_OK; b++)
			st = add_buffer(e, t, i, b, err);
	if (st == TDAT_OK && e->count)
		qsort(e->v, e->count, sizeof(*e->v), by_time);
	return st;
}

enum tdat_status trace_lost_ends(const struct tdat_trace *trace, const struct lost_end **ends,
				 size_t *count, struct tdat_error *err)
{
	/* Only the list is added, under the lock: a trace is const to those who share it. */
	struct tdat_trace *t = (struct tdat_trace *)trace;
	enum tdat_status st = TDAT_OK;

	pthread_mutex_lock(&t->lock);
	if (!t->has_lost_ends) {
		struct ends e = {NULL, 0, 0};

		st = list_ends(&e, t, err);
		t->has_lost_ends = st == TDAT_OK;
		if (st == TDAT_OK) {
			t->lost_ends = e.v;
			t->lost_end_count = e.count;
		} else {
			free(e.v);
		}
	}
	*ends = t->lost_ends;
	*count = t->lost_end_count;
	pthread_mutex_unlock(&t->lock);
	return st;
}
