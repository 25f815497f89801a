/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the events of a file and feeds them to their triggers. An iterator gives the events
 * with raw timestamps, as the kernel's triggers see them; each event id has its list of
 * triggers. Events without triggers cost one look at a table. Batches of events are counted
 * together if nothing needs each event before the next one.
 */
#include <stdlib.h>

#include "batch.h"
#include "hit.h"
#include "read/iter.h"
#include "stacks.h"
#include "tasks.h"
#include "trigger.h"

/* The state of one run; it ends with tdat_hist_run(). */
struct replay {
	struct tdat_hist *h;
	struct tdat_iter *iter;
	struct hist_stacks *stacks; /* NULL: no trigger needs stacks */
	bool names;		    /* names of tasks are followed */
	bool one_buffer;
	/* Blocks that events of the batch may still point to; put back behind each batch. */
	struct read_block *released;
};

/* Synthetic events are counted for each event of the file anew. */
static enum tdat_status handle(struct tdat_hist *h, struct hist_event *e,
			       const struct hist_hit *hit)
{
	h->made = 0;
	return hist_hit_event(h, e, hit);
}

/* With the names of tasks before and after the event. */
static enum tdat_status handle_named(struct tdat_hist *h, struct hist_event *e,
				     const struct hist_hit *hit, uint32_t id)
{
	enum tdat_status st = TDAT_OK;

	if (h->names)
		hist_tasks_before(h, id, hit);
	if (e)
		st = handle(h, e, hit);
	if (h->names)
		hist_tasks_after(h, id, hit);
	return st;
}

/* Handles one event by itself. Its place in by_id is NULL for events without triggers. */
static enum tdat_status take(struct replay *r, const struct tdat_event *ev)
{
	struct tdat_hist *h = r->h;
	struct hist_event *e = h->by_id[ev->id & (FILE_ID_COUNT - 1)];
	const struct hist_hit hit = hist_hit_of(ev);

	/* Other buffer instances have triggers of their own in the kernel. */
	if (!r->one_buffer && ev->buffer != h->buffer)
		return TDAT_OK;
	/* Counts are then lower than the kernel's: note_gaps() warns. */
	if (ev->lost_before)
		h->lost = true;
	if (r->stacks)
		return hist_stacks_take(r->stacks, ev, e);
	if (r->names)
		return handle_named(h, e, &hit, ev->id);
	return e ? handle(h, e, &hit) : TDAT_OK;
}

/* The key of an event that can be counted with others of its batch. */
static void begin(const struct replay *r, const struct tdat_event *ev, struct hist_plain_hit *p)
{
	const struct hist_event *e = r->h->by_id[ev->id & (FILE_ID_COUNT - 1)];
	const struct hist_hit hit = hist_hit_of(ev);

	p->data = NULL;
	/* Gaps and short records take the slow way, which reports them. */
	if (e && e->plain && hit.len >= e->plain->need_len && !ev->lost_before &&
	    (r->one_buffer || ev->buffer == r->h->buffer))
		hist_plain_key(r->h, e->plain, &hit, p);
}

static enum tdat_status take_some(struct replay *r, const struct tdat_event *events, size_t count)
{
	struct hist_plain_hit plain[HIST_BATCH];
	enum tdat_status st = TDAT_OK;

	/* Both need each event before the next one. */
	if (r->stacks || r->names) {
		for (size_t i = 0; st == TDAT_OK && i < count; i++)
			st = take(r, &events[i]);
		return st;
	}
	/* Three passes over the batch, so that loads of several events overlap (batch.c). */
	for (size_t i = 0; i < count; i++)
		begin(r, &events[i], &plain[i]);
	for (size_t i = 0; i < count; i++)
		if (plain[i].data)
			hist_plain_fetch(&plain[i]);
	for (size_t i = 0; st == TDAT_OK && i < count; i++)
		st = plain[i].data ? hist_plain_count(r->h, &plain[i], &events[i])
				   : take(r, &events[i]);
	return st;
}

/* The iterator releases a block once it has moved on, but the batch still has records in it. */
static void take_released(void *ctx, struct read_block *b)
{
	struct replay *r = ctx;

	b->next = r->released;
	r->released = b;
}

static void put_released(struct replay *r)
{
	struct read_block *b;

	while ((b = r->released)) {
		r->released = b->next;
		read_block_put(b);
	}
}

static enum tdat_status read_all(struct replay *r)
{
	struct tdat_hist *h = r->h;
	struct tdat_event events[HIST_BATCH];
	enum tdat_status st;
	size_t count;

	do {
		/* Failures of the file end the run; histograms keep the hits so far. */
		st = read_iter_take_some(r->iter, events, HIST_BATCH, &count, h->err);
		if (st == TDAT_OK)
			st = take_some(r, events, count);
		h->events_read += count;
		put_released(r);
	} while (st == TDAT_OK && count && !h->nomem);
	if (st == TDAT_OK && r->stacks)
		st = hist_stacks_end(r->stacks);
	if (st == TDAT_OK && h->nomem)
		st = tdat_error_no_memory(h->err, "histograms");
	return st;
}

/* stacks: true if a trigger needs kernel stacks; else: names of tasks. */
static bool needs(const struct tdat_hist *h, bool stacks)
{
	for (const struct hist_event *e = h->shown; e; e = e->next_shown)
		if (stacks ? e->stack && !e->is_made : e->execname)
			return true;
	return false;
}

static enum tdat_status open_iter(struct replay *r)
{
	const struct tdat_iter_input in = {r->h->file, 0, 0};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	size_t buffers;

	opts.cpus = r->h->opts.cpus;
	opts.cpu_count = r->h->opts.cpu_count;
	opts.filter = r->h->opts.filter;
	/* The kernel's triggers see timestamps before offsets and dates are added. */
	opts.raw_ts = true;
	opts.no_date = true;
	tdat_file_buffers(r->h->file, &buffers);
	/* The top buffer alone needs no other streams, so they are not opened. */
	opts.top_only = r->h->buffer == 0 && !(r->h->opts.buffer && *r->h->opts.buffer);
	r->one_buffer = opts.top_only || buffers == 1;
	return tdat_iter_new(&r->iter, &in, 1, &opts, r->h->err);
}

static void note_gaps(struct tdat_hist *h)
{
	if (h->lost)
		hist_note(h, "events were lost during recording, but triggers in the kernel would "
			     "have counted them");
	if (h->no_stack)
		hist_note(h,
			  "%llu hits are not counted, because they need a kernel stack that the "
			  "file lacks (trace-cmd record -O stacktrace)",
			  (unsigned long long)h->no_stack);
	if (h->short_records)
		hist_note(h,
			  "%llu records are not counted, because they are too short for the fields "
			  "of a trigger",
			  (unsigned long long)h->short_records);
}

enum tdat_status tdat_hist_run(struct tdat_hist *h, struct tdat_error *err)
{
	struct replay r = {.h = h};
	enum tdat_status st;

	if (h->ran)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the events were already read");
	h->ran = true;
	h->err = err;
	if (!hist_plan(h))
		return tdat_error_no_memory(err, "histograms");
	/* hist_plan() has set the needs of each event. */
	r.names = h->names = needs(h, false);
	if (needs(h, true)) {
		r.stacks = hist_stacks_new(h, handle_named);
		if (!r.stacks)
			return tdat_error_no_memory(err, "stacks");
	}
	/* UINT32_MAX: the file has no top buffer, so histograms stay empty. */
	st = h->buffer == UINT32_MAX ? TDAT_OK : open_iter(&r);
	h->iter = r.iter;
	if (st == TDAT_OK && r.iter) {
		r.iter->release = take_released;
		r.iter->release_ctx = &r;
		st = read_all(&r);
		r.iter->release = NULL;
	}
	hist_stacks_free(r.stacks);
	note_gaps(h);
	return st;
}

uint64_t tdat_hist_events(const struct tdat_hist *h)
{
	return h->events_read;
}

const struct tdat_stream_damage *tdat_hist_damage(struct tdat_hist *h, size_t *count)
{
	*count = 0;
	return h->iter ? tdat_iter_damage(h->iter, count) : NULL;
}
