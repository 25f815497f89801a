/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every thread does the same: takes the merge lock and fills a batch of events,
 * turns them to bytes without a lock, and writes when its batch's turn comes.
 * Merging is cheap beside formatting, so threads rarely wait; a batch is a slice
 * of the merged order, so the output cannot depend on their number.
 */
#include <tdat/sink.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../core/build.h"
#include "iter.h"

enum { BATCH_EVENTS = 1024, MAX_THREADS = 64 };

/* Pages that batches of all threads keep: few events of many pages make a batch, too. */
enum { PUMP_HELD_LEN = 16 * 1024 * 1024 };

struct pump {
	struct tdat_iter *iter;
	const struct tdat_sink_ops *sink;
	void *ctx;
	tdat_write_fn write;
	void *write_ctx;
	uint64_t left;      /* events still wanted */
	size_t held_most;   /* bytes of pages for one batch */

	pthread_mutex_t merge_lock;
	uint64_t batches;          /* filled so far */
	bool ended;
	bool has_before;
	struct tdat_event before;  /* last event of the batch before */

	pthread_mutex_t write_lock;
	pthread_cond_t turn;
	uint64_t written;          /* batches written so far */
	enum tdat_status status;   /* first failure, in output order where it can be */
	struct tdat_error err;
};

/* What one thread works with. */
struct batch {
	struct pump *pump;
	void *worker;
	struct tdat_build out;
	struct tdat_event *events;
	size_t count;
	uint64_t number;
	bool has_before;
	struct tdat_event before;
	struct read_block *released; /* blocks nobody but this batch needs */
	size_t released_len;
	struct read_block **held;    /* blocks referenced for it */
	size_t held_count, held_cap;
	enum tdat_status fill_status;
	struct tdat_error err;
};

static void take_released(void *ctx, struct read_block *b)
{
	struct batch *t = ctx;

	b->next = t->released;
	t->released = b;
	t->released_len += b->len;
}

static bool hold(struct batch *t, struct read_block *b)
{
	if (!b)
		return true;
	if (t->held_count == t->held_cap) {
		size_t cap = t->held_cap ? t->held_cap * 2 : 64;
		struct read_block **p = realloc(t->held, cap * sizeof(*p));

		if (!p)
			return false;
		t->held = p;
		t->held_cap = cap;
	}
	read_block_ref(b);
	t->held[t->held_count++] = b;
	return true;
}

static bool hold_list(struct batch *t, struct read_block *b)
{
	for (; b; b = b->next)
		if (!hold(t, b))
			return false;
	return true;
}

/* Keeps every block that an event of the batch may lie in. */
static bool hold_blocks(struct batch *t)
{
	struct tdat_iter *it = t->pump->iter;
	size_t i, k;

	if (!hold_list(t, it->held))
		return false;
	for (i = 0; i < it->lane_count; i++) {
		struct read_lane *l = &it->lanes[i];

		if (!hold_list(t, l->held))
			return false;
		for (k = 0; k < l->stream_count; k++)
			if (!hold(t, l->streams[k].block))
				return false;
	}
	return true;
}

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

/* Under the merge lock. False at the end. */
static bool fill(struct batch *t)
{
	struct pump *p = t->pump;
	bool more = true;

	t->count = 0;
	t->fill_status = TDAT_OK;
	if (p->ended)
		return false;
	t->has_before = p->has_before;
	t->before = p->before;
	p->iter->release = take_released;
	p->iter->release_ctx = t;
	while (t->count < BATCH_EVENTS && p->left && t->released_len < p->held_most) {
		t->fill_status = read_iter_next(p->iter, &t->events[t->count], &more, &t->err);
		if (t->fill_status != TDAT_OK || !more)
			break;
		t->count++;
		p->left--;
	}
	if (!hold_blocks(t) && t->fill_status == TDAT_OK)
		t->fill_status = tdat_error_set(&t->err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
						"no memory to hold pages");
	p->iter->release = NULL;
	if (!more || !p->left || t->fill_status != TDAT_OK)
		p->ended = true;
	if (t->count) {
		p->has_before = true;
		p->before = t->events[t->count - 1];
	}
	t->number = p->batches++;
	return true;
}

static enum tdat_status render(struct batch *t)
{
	struct pump *p = t->pump;
	enum tdat_status st = TDAT_OK;
	size_t i;

	t->out.len = 0;
	if (p->sink->resume)
		p->sink->resume(t->worker, t->has_before ? &t->before : NULL);
	for (i = 0; i < t->count && st == TDAT_OK; i++)
		st = p->sink->event(t->worker, &t->events[i], &t->out, &t->err);
	if (st == TDAT_OK && t->out.failed)
		st = tdat_error_set(&t->err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for text");
	return st != TDAT_OK ? st : t->fill_status;
}

static void fail(struct pump *p, enum tdat_status st, const struct tdat_error *err)
{
	if (p->status != TDAT_OK)
		return;
	p->status = st;
	p->err = *err;
}

/* Writes the batch in its turn; also what was made before a failure. */
static void write_out(struct batch *t, enum tdat_status st)
{
	struct pump *p = t->pump;

	pthread_mutex_lock(&p->write_lock);
	while (p->written != t->number)
		pthread_cond_wait(&p->turn, &p->write_lock);
	if (p->status == TDAT_OK && t->out.len) {
		struct tdat_error err = TDAT_ERROR_INIT;
		enum tdat_status wst = p->write(p->write_ctx, t->out.ptr, t->out.len, &err);

		if (wst != TDAT_OK)
			fail(p, wst, &err);
	}
	if (st != TDAT_OK)
		fail(p, st, &t->err);
	if (p->status != TDAT_OK) {
		pthread_mutex_unlock(&p->write_lock);
		pthread_mutex_lock(&p->merge_lock);
		p->ended = true;
		pthread_mutex_unlock(&p->merge_lock);
		pthread_mutex_lock(&p->write_lock);
	}
	p->written++;
	pthread_cond_broadcast(&p->turn);
	pthread_mutex_unlock(&p->write_lock);
}

static void *run(void *arg)
{
	struct batch *t = arg;
	struct pump *p = t->pump;

	for (;;) {
		bool more;

		pthread_mutex_lock(&p->merge_lock);
		more = fill(t);
		pthread_mutex_unlock(&p->merge_lock);
		if (!more)
			return NULL;
		write_out(t, render(t));
		drop_blocks(t);
	}
}

static void batch_fini(struct batch *t)
{
	drop_blocks(t);
	if (t->worker)
		t->pump->sink->close(t->worker);
	tdat_build_fini(&t->out);
	free(t->events);
	free(t->held);
}

static enum tdat_status batch_init(struct batch *t, struct pump *p, struct tdat_error *err)
{
	memset(t, 0, sizeof(*t));
	t->pump = p;
	tdat_build_init(&t->out, false);
	t->events = calloc(BATCH_EVENTS, sizeof(*t->events));
	if (!t->events)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	return p->sink->open(p->ctx, &t->worker, err);
}

static uint32_t thread_count(uint32_t wanted)
{
	long n = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (uint32_t)n;
}

/* The calling thread works, too; threads that cannot be had are done without. */
static void run_threads(struct batch *batches, uint32_t count)
{
	pthread_t threads[MAX_THREADS];
	uint32_t i, started = 0;

	for (i = 1; i < count; i++)
		if (!pthread_create(&threads[started], NULL, run, &batches[i]))
			started++;
	run(&batches[0]);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

enum tdat_status tdat_pump(struct tdat_iter *iter, const struct tdat_sink_ops *sink, void *ctx,
			   const struct tdat_pump_opts *opts, tdat_write_fn write,
			   void *write_ctx, struct tdat_error *err)
{
	struct pump p = {.iter = iter, .sink = sink, .ctx = ctx, .write = write,
			 .write_ctx = write_ctx};
	uint32_t i, made = 0, count = thread_count(opts ? opts->threads : 0);
	struct batch *batches = calloc(count, sizeof(*batches));
	enum tdat_status st = TDAT_OK;

	if (!batches)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	p.left = opts && opts->limit ? opts->limit : UINT64_MAX;
	p.held_most = PUMP_HELD_LEN / count;
	pthread_mutex_init(&p.merge_lock, NULL);
	pthread_mutex_init(&p.write_lock, NULL);
	pthread_cond_init(&p.turn, NULL);
	for (i = 0; i < count && st == TDAT_OK; i++) {
		st = batch_init(&batches[i], &p, err);
		made++;
	}
	if (st == TDAT_OK) {
		run_threads(batches, count);
		st = p.status;
		if (st != TDAT_OK && err)
			*err = p.err;
	}
	for (i = 0; i < made; i++)
		batch_fini(&batches[i]);
	free(batches);
	pthread_cond_destroy(&p.turn);
	pthread_mutex_destroy(&p.write_lock);
	pthread_mutex_destroy(&p.merge_lock);
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
