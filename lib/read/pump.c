/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the events of an iterator to a sink on several threads. Batches of events are reused: a
 * free one is filled with the next events in merged order, named in that order, turned to
 * bytes, written in order, and is free again. A thread takes one batch through all of that,
 * since its events and text are in the cache of its CPU; only one thread at a time fills, names
 * or writes. A batch is a slice of the merged order, so the output cannot depend on the number
 * of threads. Why one thread takes one batch through all steps:
 * docs/decisions/014-one-thread-one-batch.md.
 */
#include <tdat/sink.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/grow.h"
#include "core/opts.h"
#include "core/thread.h"
#include "iter.h"

/*
 * SPINS: looks for a change before sleeping, some microseconds. OWN_BATCHES: one in work, others
 * waiting for their turn to be written.
 */
enum { MAX_THREADS = 64, SPINS = 2000, OWN_BATCHES = 3 };

/*
 * Bytes of a line of CPU caches. Members that one thread often writes share no line with those
 * that other threads use: fetching that line from another CPU takes as long as printing an
 * event.
 */
enum { LINE = 64 };

/*
 * Events of one batch: many, since to wake a thread takes as long as some hundred events; fewer
 * with many threads, to save memory; fewer with a single thread, which wakes none, so that they
 * fit in its cache.
 */
enum {
	BATCH_MOST = 4096,
	BATCH_ALONE = 1024,
	BATCH_LEAST = 512,
	EVENTS_OF_ALL = 65536,
	AT_ONCE = 32
};

/* Bytes of pages that all batches may hold: a batch is full also with few events of many pages. */
enum { PUMP_HELD_LEN = 16 * 1024 * 1024 };

/* Bytes of text that all batches may hold: a batch with more waits until it may write them. */
enum { PUMP_TEXT_LEN = 32 * 1024 * 1024, PUMP_TEXT_LEAST = 1024 * 1024 };

struct pump {
	struct tdat_iter *iter;
	const struct tdat_sink_ops *sink;
	void *ctx;
	tdat_write_fn write;
	void *write_ctx;
	size_t batch_most;    /* events of one batch */
	size_t held_most;     /* bytes of pages for one batch */
	size_t text_most;     /* bytes that a batch keeps before its turn, and one event */
	bool name_later;      /* events are named after filling, not during it */
	atomic_ullong events; /* that the sink took */

	_Alignas(LINE) uint64_t number; /* of the next batch; for the thread that fills */
	uint64_t left;			/* events still wanted; for the thread that fills */
	_Alignas(LINE) bool has_before; /* for the thread that names, as the next member */
	struct tdat_event before;	/* last event of the batch before */

	_Alignas(LINE) pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t changed;
	atomic_uint changes;	 /* made so far, it may wrap */
	uint32_t asleep;	 /* threads that wait for a change */
	struct batch *ready;	 /* in order of number */
	uint64_t named, written; /* batches so far */
	bool filling, writing;	 /* some thread fills, or writes */
	bool ended;		 /* there are no more events to fill with */
	bool stopped;		 /* after a failure */
	enum tdat_status status; /* first failure in the order of output */
	struct tdat_error err;
};

/* A slice of the merged events, then their bytes. */
struct batch {
	_Alignas(LINE) struct batch *next; /* of the list it is in */
	struct worker *owner;
	struct tdat_build out;
	struct tdat_event *events;
	size_t count;
	uint64_t number;
	bool has_before;
	struct tdat_event before;
	struct read_block *released; /* blocks nobody but this batch needs */
	size_t released_len;
	struct read_block **held; /* blocks referenced for it */
	size_t held_count, held_cap;
	enum tdat_status status;
	struct tdat_error err;
};

/* One thread. It uses its own batches only, since their memory is in the cache of its CPU. */
struct worker {
	_Alignas(LINE) struct pump *pump;
	void *sink;	    /* what the sink opened for it */
	struct batch *free; /* under the pump's lock */
	struct dat_inflater inflater;
};

/*
 * The iterator's hook while a batch is filled: blocks go to the batch, not back, because its
 * events point into them.
 */
static void take_released(void *ctx, struct read_block *b)
{
	struct batch *t = ctx;

	b->next = t->released;
	t->released = b;
	t->released_len += b->len;
}

/* Takes a reference to a block, so that it lives until the bytes of the batch are made. */
static bool hold(struct batch *t, struct read_block *b)
{
	if (!b)
		return true;
	if (!TDAT_GROW(t->held, &t->held_cap, t->held_count + 1))
		return false;
	read_block_ref(b);
	t->held[t->held_count++] = b;
	return true;
}

/* Keeps all blocks of a list. */
static bool hold_list(struct batch *t, struct read_block *b)
{
	for (; b; b = b->next)
		if (!hold(t, b))
			return false;
	return true;
}

/* Takes references to all blocks that events of the batch may lie in. */
static bool hold_blocks(struct batch *t, const struct tdat_iter *it)
{
	size_t i, k;

	if (!hold_list(t, it->held))
		return false;
	for (i = 0; i < it->queue_count; i++) {
		const struct iter_queue *l = &it->queues[i];

		if (!hold_list(t, l->held))
			return false;
		for (k = 0; k < l->stream_count; k++)
			if (!hold(t, read_stream_block(&l->streams[k])))
				return false;
	}
	return true;
}

/*
 * Puts the blocks of a batch after its bytes were made; no event of it may be used from here
 * on.
 */
static void drop_blocks(struct batch *t)
{
	struct read_block *b;

	while ((b = t->released)) {
		t->released = b->next;
		read_block_put(b);
	}
	t->released_len = 0;
	while (t->held_count)
		read_block_put(t->held[--t->held_count]);
}

/* Fills a batch. Sets *last if no events follow it; false if the batch got none. */
static bool fill(struct pump *p, struct batch *t, bool *last)
{
	const size_t most = p->left < p->batch_most ? (size_t)p->left : p->batch_most;
	struct tdat_iter *it = p->iter;
	/* Names that a filter asks for depend on the events before. */
	const size_t at_once = p->name_later ? AT_ONCE : 1;
	bool more = true;
	size_t n = 0, got;

	t->status = TDAT_OK;
	t->number = p->number++;
	it->release = take_released;
	it->release_ctx = t;
	while (n < most && more && t->released_len < p->held_most && t->status == TDAT_OK) {
		t->status = read_iter_take_some(
			it, &t->events[n], most - n < at_once ? most - n : at_once, &got, &t->err);
		if (got && !p->name_later)
			read_iter_name(it, &t->events[n]);
		more = got != 0;
		n += got;
	}
	t->count = n;
	p->left -= n;
	if (!hold_blocks(t, p->iter) && t->status == TDAT_OK)
		t->status = tdat_error_set(&t->err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					   "no memory to hold pages");
	it->release = NULL;
	*last = !more || !p->left || t->status != TDAT_OK;
	return t->count || t->status != TDAT_OK;
}

/*
 * Names the events of a batch and hands its last event to the next batch. Batches come here in
 * their order, since a name depends on the events before.
 */
static void name(struct pump *p, struct batch *t)
{
	if (p->name_later)
		read_iter_name_some(p->iter, t->events, t->count);
	t->has_before = p->has_before;
	t->before = p->before;
	if (t->count) {
		p->has_before = true;
		p->before = t->events[t->count - 1];
	}
}

/* ---- under the lock, too ---- */

/*
 * Tells the others that something changed; it wakes nobody while nobody sleeps, which is the
 * usual case.
 */
static void note_change(struct pump *p)
{
	atomic_fetch_add(&p->changes, 1);
	if (p->asleep)
		pthread_cond_broadcast(&p->changed);
}

/*
 * Tells the CPU that the thread waits in a loop, so that the sibling thread of the core gets
 * its units.
 */
static void spin(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Inflates a chunk ahead while another thread fills, without the lock. False: none was wanted. */
static bool work_ahead(struct worker *w)
{
	bool done;

	pthread_mutex_unlock(&w->pump->lock);
	done = read_iter_ahead(w->pump->iter, &w->inflater);
	pthread_mutex_lock(&w->pump->lock);
	return done;
}

/* The number of changes so far; await_change waits until it differs. */
static unsigned int changes(struct pump *p)
{
	return atomic_load(&p->changes);
}

/*
 * Waits for a change, without the lock. It looks for one again and again at first, since to
 * sleep and be woken takes as long as to fill a batch.
 */
static void await_change(struct pump *p, unsigned int seen)
{
	int i;

	pthread_mutex_unlock(&p->lock);
	for (i = 0; i < SPINS && atomic_load(&p->changes) == seen; i++)
		spin();
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->changes) == seen) {
		p->asleep++;
		pthread_cond_wait(&p->changed, &p->lock);
		p->asleep--;
	}
}

/* ---- without the lock ---- */

/*
 * Writes the bytes of a batch. A batch that failed has those of the events before its failure;
 * they are written, too. A failure to write becomes the failure of the batch.
 */
static void write_batch(const struct pump *p, struct batch *t)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	if (!t->out.len)
		return;
	st = p->write(p->write_ctx, t->out.ptr, t->out.len, &err);
	if (st == TDAT_OK)
		return;
	t->status = st;
	t->err = err;
}

/*
 * Waits until all batches before this one are written, and writes the bytes that it has so far.
 * False: the pump has stopped or writing failed, and the batch needs no more bytes.
 */
static bool write_part(struct pump *p, struct batch *t)
{
	bool stopped;

	pthread_mutex_lock(&p->lock);
	while (!p->stopped && (p->writing || p->written != t->number))
		await_change(p, changes(p));
	stopped = p->stopped;
	if (!stopped) {
		p->writing = true;
		pthread_mutex_unlock(&p->lock);
		write_batch(p, t);
		t->out.len = 0;
		pthread_mutex_lock(&p->lock);
		p->writing = false;
		note_change(p);
	}
	pthread_mutex_unlock(&p->lock);
	return !stopped && t->status == TDAT_OK;
}

/* Makes bytes of the first events of left, and takes these events out of it. */
static enum tdat_status render_some(struct pump *p, void *sink, struct tdat_batch *left,
				    struct batch *t)
{
	size_t done = 0;
	enum tdat_status st = p->sink->batch(sink, left, &done, &t->out, &t->err);

	atomic_fetch_add(&p->events, done);
	if (st != TDAT_OK)
		return st;
	if (!done || done > left->count || (done < left->count && t->out.len < p->text_most))
		return tdat_error_set(&t->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the sink wrote bytes of %zu events instead of %zu", done,
				      left->count);
	left->before = &left->events[done - 1];
	left->events += done;
	left->count -= done;
	return TDAT_OK;
}

/* Makes bytes of the batch's events. A failure of fill stays the batch's if none comes before. */
static void render(struct pump *p, void *sink, struct batch *t, bool stopped)
{
	struct tdat_batch left = {.events = t->events,
				  .count = t->count,
				  .before = t->has_before ? &t->before : NULL,
				  .text_most = p->text_most};
	enum tdat_status st = TDAT_OK;

	t->out.len = 0;
	while (left.count && st == TDAT_OK && !stopped) {
		st = render_some(p, sink, &left, t);
		if (t->out.len >= p->text_most)
			stopped = !write_part(p, t);
	}
	if (st == TDAT_OK && t->out.failed)
		st = tdat_error_no_memory(&t->err, "text");
	if (st != TDAT_OK)
		t->status = st;
	drop_blocks(t);
}

/* ---- what follows is under the lock ---- */

/* Puts a batch into the list of those ready to be written, which is short, by its number. */
static void put_ready(struct pump *p, struct batch *t)
{
	struct batch **at = &p->ready;

	while (*at && (*at)->number < t->number)
		at = &(*at)->next;
	t->next = *at;
	*at = t;
}

/* Gives a batch back to the thread that owns it, not to the one that wrote it. */
static void put_free(struct batch *t)
{
	t->next = t->owner->free;
	t->owner->free = t;
}

/* Writes, without the lock, the ready batches that follow those already written. */
static void write_ready(struct pump *p)
{
	struct batch *t;

	p->writing = true;
	while ((t = p->ready) && t->number == p->written) {
		p->ready = t->next;
		if (!p->stopped) {
			pthread_mutex_unlock(&p->lock);
			write_batch(p, t);
			pthread_mutex_lock(&p->lock);
		}
		if (t->status != TDAT_OK && !p->stopped) {
			p->status = t->status;
			p->err = t->err;
			p->stopped = true;
			p->ended = true;
		}
		p->written++;
		put_free(t);
		note_change(p);
	}
	p->writing = false;
}

/* Fills a batch, without the lock. NULL: there were no more events. */
static struct batch *fill_one(struct worker *w)
{
	struct pump *p = w->pump;
	struct batch *t = w->free;
	bool any, last;

	w->free = t->next;
	p->filling = true;
	pthread_mutex_unlock(&p->lock);
	any = fill(p, t, &last);
	pthread_mutex_lock(&p->lock);
	p->filling = false;
	p->ended |= last;
	if (!any) {
		drop_blocks(t);
		put_free(t);
	}
	note_change(p);
	return any ? t : NULL;
}

/* Names and renders a batch, without the lock. Once the pump has stopped no bytes are made. */
static void render_one(struct pump *p, void *sink, struct batch *t)
{
	bool stopped;

	while (p->named != t->number)
		await_change(p, changes(p));
	pthread_mutex_unlock(&p->lock);
	name(p, t);
	pthread_mutex_lock(&p->lock);
	p->named++;
	note_change(p);
	stopped = p->stopped;
	pthread_mutex_unlock(&p->lock);
	render(p, sink, t, stopped);
	pthread_mutex_lock(&p->lock);
	put_ready(p, t);
	if (!p->writing)
		write_ready(p);
}

/*
 * The life of one thread: it fills a batch when nobody else does, names, renders and writes
 * it, and inflates ahead when there is nothing to fill.
 */
static void *run(void *arg)
{
	struct worker *w = arg;
	struct pump *p = w->pump;

	pthread_mutex_lock(&p->lock);
	while (!p->ended) {
		const unsigned int seen = changes(p);
		struct batch *t;

		if (p->filling || !w->free) {
			if (!p->filling || !work_ahead(w))
				await_change(p, seen);
			continue;
		}
		t = fill_one(w);
		if (t)
			render_one(p, w->sink, t);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Frees what a batch has, also after a failure halfway. */
static void batch_fini(struct batch *t)
{
	drop_blocks(t);
	tdat_build_fini(&t->out);
	free(t->events);
	free(t->held);
}

/* Gives a batch room for its events and to its owner. The room is kept for the whole run. */
static enum tdat_status batch_init(struct batch *t, struct worker *owner, struct tdat_error *err)
{
	tdat_build_init(&t->out, false);
	t->owner = owner;
	t->events = calloc(owner->pump->batch_most, sizeof(*t->events));
	if (!t->events)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	put_free(t);
	return TDAT_OK;
}

/*
 * Opens the sink once for each thread. The count of those opened tells which ones to close
 * after a failure.
 */
static enum tdat_status open_workers(struct pump *p, struct worker *workers, uint32_t count,
				     uint32_t *opened, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (*opened = 0; *opened < count && st == TDAT_OK; ++*opened)
		st = p->sink->open(p->ctx, &workers[*opened].sink, err);
	return st;
}

/* The number of batches: each thread has one that it works on, and others that wait for writing. */
static uint32_t batches_of(uint32_t threads)
{
	return threads > 1 ? OWN_BATCHES * threads : 1;
}

/*
 * Makes the batches and the threads, runs them, and frees them on every path. The status is
 * that of the first failure in the order of the output.
 */
static enum tdat_status pump_run(struct pump *p, uint32_t count, struct tdat_error *err)
{
	const uint32_t batch_count = batches_of(count);
	struct worker workers[MAX_THREADS] = {{.pump = NULL}};
	struct batch *batches = aligned_alloc(LINE, batch_count * sizeof(*batches));
	enum tdat_status st = TDAT_OK;
	uint32_t i, opened = 0;

	if (!batches)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	memset(batches, 0, batch_count * sizeof(*batches));
	for (i = 0; i < count; i++)
		workers[i].pump = p;
	for (i = 0; i < batch_count && st == TDAT_OK; i++)
		st = batch_init(&batches[i], &workers[i % count], err);
	if (st == TDAT_OK)
		st = open_workers(p, workers, count, &opened, err);
	if (st == TDAT_OK) {
		tdat_thread_team(count, run, workers, sizeof(*workers));
		st = p->status;
		if (st != TDAT_OK && err)
			*err = p->err;
	}
	for (i = 0; i < count; i++)
		dat_inflater_fini(&workers[i].inflater);
	for (i = 0; i < opened; i++)
		if (workers[i].sink)
			p->sink->close(workers[i].sink);
	for (i = 0; i < batch_count; i++)
		batch_fini(&batches[i]);
	free(batches);
	return st;
}

/*
 * The public entry: divides the limits of memory by the number of batches, so that more
 * threads do not take more memory for events and text.
 */
enum tdat_status tdat_pump(struct tdat_iter *iter, const struct tdat_sink_ops *sink, void *ctx,
			   const struct tdat_pump_opts *opts, tdat_write_fn write, void *write_ctx,
			   struct tdat_error *err)
{
	struct pump p = {
		.iter = iter, .sink = sink, .ctx = ctx, .write = write, .write_ctx = write_ctx};
	struct tdat_pump_opts own = TDAT_PUMP_OPTS_INIT;
	enum tdat_status st = tdat_ops_check(sink, offsetof(struct tdat_sink_ops, in_order),
					     "tdat_sink_ops", err);
	size_t share, most;
	uint32_t count;
	bool in_order;

	if (st != TDAT_OK)
		return st;
	in_order = TDAT_HAS(sink, in_order) && sink->in_order(ctx);
	tdat_opts_copy(&own, sizeof(own), opts);
	count = tdat_thread_count(in_order ? 1 : own.threads, MAX_THREADS);
	share = EVENTS_OF_ALL / batches_of(count);
	most = count > 1 ? BATCH_MOST : BATCH_ALONE;
	p.left = own.limit ? own.limit : UINT64_MAX;
	p.batch_most = share > most ? most : share < BATCH_LEAST ? BATCH_LEAST : share;
	p.text_most = PUMP_TEXT_LEN / batches_of(count);
	if (p.text_most < PUMP_TEXT_LEAST)
		p.text_most = PUMP_TEXT_LEAST;
	p.held_most = PUMP_HELD_LEN / batches_of(count);
	p.name_later = read_iter_can_name_later(iter);
	pthread_mutex_init(&p.lock, NULL);
	pthread_cond_init(&p.changed, NULL);
	st = pump_run(&p, count, err);
	if (own.events)
		*own.events = atomic_load(&p.events);
	if (st == TDAT_OK) /* a limit may end it before the iterator does */
		st = read_iter_memory(iter, err);
	pthread_cond_destroy(&p.changed);
	pthread_mutex_destroy(&p.lock);
	return st;
}

size_t tdat_text_len(const struct tdat_build *out)
{
	return out->len;
}

void tdat_text_append(struct tdat_build *out, const void *ptr, size_t len)
{
	tdat_build_bytes(out, ptr, len);
}
