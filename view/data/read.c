/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes filters from selections and spans of time, and reads events through them in batches. All
 * reading of events in view/ goes through it: filters of the library are made here, and events come
 * in batches from tdat_pump.
 */
#include "read.h"

#include <inttypes.h>
#include <stdio.h>

#include <tdat/sink.h>

#include "contains.h"

/* The library parses times of filters as text; "ns" makes the number exact. */
static void time_text(const struct view_trace *t, uint64_t ts, char out[32])
{
	snprintf(out, 32, "%" PRIu64 "%s", ts, t->ns ? "ns" : "");
}

/*
 * *out stays NULL if all events pass. Stacks are not added behind matching events: rows and counts
 * are of matching events only.
 */
enum tdat_status view_read_filter(const struct view_trace *t, const struct view_span *span,
				  const struct view_selection *s, const char *buffer,
				  struct tdat_filter **out, struct tdat_error *err)
{
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	char from[32], to[32];

	*out = NULL;
	if (!span && !buffer && view_selection_is_all(s))
		return TDAT_OK;
	if (s)
		opts = s->filter;
	opts.stacks = TDAT_STACKS_NONE;
	/* A selection with buffers of its own keeps them; take_own leaves out the others. */
	if (buffer && !opts.buffer_count) {
		opts.buffers = &buffer;
		opts.buffer_count = 1;
	}
	/* An end of the span that is also that of the trace needs no search. */
	if (span && span->from > t->from) {
		time_text(t, span->from, from);
		opts.from = from;
	}
	if (span && span->to < t->to) {
		time_text(t, span->to, to);
		opts.to = to;
	}
	return tdat_filter_new(out, &opts, err);
}

/* ---- a sink that makes no bytes ---- */

/* tdat_pump wants a sink: this one passes batches to the caller and writes nothing. */
struct pass {
	view_take_fn take;
	void *ctx;
	bool one_buffer; /* events of other buffers are left out */
	uint32_t buffer;
	bool enough;
};

static enum tdat_status pass_open(void *ctx, void **worker, struct tdat_error *err)
{
	(void)err;
	*worker = ctx;
	return TDAT_OK;
}

static void pass_close(void *worker)
{
	(void)worker;
}

/*
 * Passes on the runs of events that are of the wanted buffer. An instance may be called "top",
 * which is also the pattern of the top buffer: the filter alone would mix them.
 */
static size_t take_own(struct pass *p, const struct tdat_event *events, size_t count)
{
	size_t done = 0;

	while (done < count && !p->enough) {
		size_t n = 0;

		while (done < count && events[done].buffer != p->buffer)
			done++;
		while (done + n < count && events[done + n].buffer == p->buffer)
			n++;
		p->enough = n && p->take(p->ctx, events + done, n) < n;
		done += n;
	}
	return done;
}

/* Stopping early is a cancellation for the pump; run_pass takes it back. */
static enum tdat_status pass_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				   struct tdat_build *out, struct tdat_error *err)
{
	struct pass *p = worker;

	(void)out;
	if (p->one_buffer)
		take_own(p, batch->events, batch->count);
	else
		p->enough = p->take(p->ctx, batch->events, batch->count) < batch->count;
	*done = batch->count;
	return p->enough ? tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough")
			 : TDAT_OK;
}

static enum tdat_status pass_write(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)ctx;
	(void)data;
	(void)len;
	(void)err;
	return TDAT_OK;
}

/* The first damage of the buffer that is read. */
static void take_damage(const struct pass *p, struct tdat_iter *iter,
			struct tdat_stream_damage *damage)
{
	size_t count;
	const struct tdat_stream_damage *list = tdat_iter_damage(iter, &count);

	for (size_t i = 0; i < count && !damage->bad_pages; i++)
		if (!p->one_buffer || list[i].buffer == p->buffer)
			*damage = list[i];
}

/*
 * Reads until the end or until the caller has enough. One thread: questions run in parallel
 * already.
 */
static enum tdat_status pump(struct pass *p, const struct view_trace *t,
			     const struct tdat_iter_opts *opts, struct tdat_stream_damage *damage,
			     struct tdat_error *err)
{
	static const struct tdat_sink_ops ops = {
		.size = sizeof(ops), .open = pass_open, .close = pass_close, .batch = pass_batch};
	struct tdat_pump_opts pump_opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	pump_opts.threads = 1;
	st = tdat_iter_new(&iter, t->inputs, t->input_count, opts, err);
	if (st == TDAT_OK) {
		st = tdat_pump(iter, &ops, p, &pump_opts, pass_write, NULL, err);
		if (damage)
			take_damage(p, iter, damage);
	}
	tdat_iter_free(iter);
	if (st != TDAT_E_CANCELLED || !p->enough)
		return st;
	/* Stopping because there was enough is not a failure, and leaves no sentence. */
	if (err)
		*err = (struct tdat_error)TDAT_ERROR_INIT;
	return TDAT_OK;
}

/* Reads, and frees the filter. A text that events must contain is looked for on the way. */
static enum tdat_status run_pass(struct pass *p, const struct view_trace *t,
				 const struct view_selection *s, struct tdat_iter_opts *opts,
				 struct tdat_filter *filter, struct tdat_stream_damage *damage,
				 struct tdat_error *err)
{
	struct view_contains c = {.trace = t};
	enum tdat_status st = TDAT_OK;

	opts->filter = filter;
	if (s && s->contains) {
		st = view_contains_init(&c, s->contains, p->take, p->ctx, err);
		p->take = view_contains_take;
		p->ctx = &c;
	}
	if (st == TDAT_OK)
		st = pump(p, t, opts, damage, err);
	if (st == TDAT_OK && c.line.failed)
		st = tdat_error_no_memory(err, "a search");
	view_contains_fini(&c);
	tdat_filter_free(filter);
	return st;
}

/* Without a list all CPUs are chosen. */
static bool has_cpu(const struct view_selection *s, uint32_t cpu)
{
	for (size_t i = 0; s && i < s->cpu_count; i++)
		if (s->cpus[i] == cpu)
			return true;
	return !s || !s->has_cpus;
}

enum tdat_status view_read_lane(const struct view_trace *t, const struct view_lane *lane,
				const struct view_span *span, const struct view_selection *s,
				view_take_fn take, void *ctx, struct tdat_stream_damage *damage,
				struct tdat_error *err)
{
	const struct view_rec *rec = &t->recs[lane->rec];
	struct pass p = {
		.take = take, .ctx = ctx, .one_buffer = rec->pattern, .buffer = rec->buffer};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_filter *filter;
	enum tdat_status st;

	if (damage)
		damage->bad_pages = 0;
	/* A lane without events is read for its damage only. */
	if (!(lane->has_events || (damage && lane->len)) || !has_cpu(s, lane->cpu) ||
	    (span && span->from > span->to))
		return TDAT_OK;
	st = view_read_filter(t, span, s, rec->pattern, &filter, err);
	if (st != TDAT_OK)
		return st;
	opts.cpus = &lane->cpu;
	opts.cpu_count = 1;
	opts.only_input = (size_t)rec->input + 1;
	return run_pass(&p, t, s, &opts, filter, damage, err);
}

enum tdat_status view_read_all(const struct view_trace *t, const struct view_span *span,
			       const struct view_selection *s, view_take_fn take, void *ctx,
			       struct tdat_error *err)
{
	struct pass p = {.take = take, .ctx = ctx};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_filter *filter;
	enum tdat_status st;

	if (span && span->from > span->to)
		return TDAT_OK;
	st = view_read_filter(t, span, s, NULL, &filter, err);
	if (st != TDAT_OK)
		return st;
	opts.cpus = s ? view_selection_cpus(s) : NULL;
	opts.cpu_count = s ? s->cpu_count : 0;
	return run_pass(&p, t, s, &opts, filter, NULL, err);
}

/* Makes a filter and an iterator for it, which parses all expressions, and reads no event. */
enum tdat_status view_read_check(const struct view_trace *t, const struct view_selection *s,
				 struct tdat_error *err)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_filter *filter;
	struct tdat_iter *iter = NULL;
	enum tdat_status st = view_read_filter(t, NULL, s, NULL, &filter, err);

	if (st != TDAT_OK || !filter)
		return st;
	opts.filter = filter;
	st = tdat_iter_new(&iter, t->inputs, t->input_count, &opts, err);
	tdat_iter_free(iter);
	tdat_filter_free(filter);
	/* A name that no file has is a mistake of the question; no part of the trace is missing. */
	if (st == TDAT_E_NOT_FOUND) {
		st = TDAT_E_USAGE;
		if (err)
			err->status = st;
	}
	return st;
}
