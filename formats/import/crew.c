/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs work for several files on threads, and reports its warnings in the order of the files.
 * Work items are begun in order and run on any thread; a warning waits until all items before
 * its own are done, and is reported by the thread of the import. So warnings come as if one
 * thread had done all, and so do failures. A pool (core/pool.h) runs jobs that ask nothing; here
 * the thread of the import answers them while they run.
 */
#include "crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/thread.h"

/* Threads of one import, at most. */
enum { THREADS_MAX = 64 };

struct crew;

/* A thread of the crew. Fields are guarded by the crew's lock. */
struct worker {
	struct crew *crew;
	pthread_t thread;
	size_t at; /* the work it does */
	/* A warning that waits for its turn; the thread of the import sets the answer. */
	bool asks;
	const char *input, *sentence;
	uint64_t off;
	enum tdat_status answer;
	struct tdat_error why;
};

struct crew {
	import_crew_fn fn;
	void *ctx;
	size_t count;
	pthread_mutex_t lock;
	pthread_cond_t news;   /* for the thread of the import: work is done, or a warning waits */
	pthread_cond_t answer; /* for workers: a warning was reported, or all is to stop */
	size_t next;	       /* work that nobody has begun */
	bool *done;	       /* by work */
	size_t failed;	       /* the first work that failed; count: none */
	struct tdat_error err; /* its */
	bool stop;
	struct worker workers[THREADS_MAX];
	size_t worker_count;
};

/* Failure of a worker whose warning nobody will report any more. */
static enum tdat_status stopped(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET,
			      "stopped, because an earlier file failed");
}

/*
 * The emit's warn of a worker: leaves the warning and sleeps until the import's thread has reported
 * it.
 */
static enum tdat_status post_warning(void *ctx, const char *input, uint64_t off,
				     const char *sentence, struct tdat_error *err)
{
	struct worker *w = ctx;
	struct crew *c = w->crew;
	enum tdat_status st;

	pthread_mutex_lock(&c->lock);
	w->input = input;
	w->off = off;
	w->sentence = sentence;
	w->asks = true;
	pthread_cond_signal(&c->news);
	while (w->asks && !c->stop)
		pthread_cond_wait(&c->answer, &c->lock);
	/* Still asking after the wait: the crew was stopped, and the warning is dropped. */
	st = w->asks ? stopped(err) : w->answer;
	if (!w->asks && st != TDAT_OK && err)
		*err = w->why;
	w->asks = false;
	pthread_mutex_unlock(&c->lock);
	return st;
}

static const struct tdat_emit_ops worker_ops = {.size = sizeof(struct tdat_emit_ops),
						.warn = post_warning};

/* Body of a worker: takes the next work item until none is left or the crew stops. */
static void *work(void *arg)
{
	struct worker *w = arg;
	struct crew *c = w->crew;
	const struct tdat_emit emit = {&worker_ops, w};

	pthread_mutex_lock(&c->lock);
	while (!c->stop && c->next < c->count) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const size_t i = w->at = c->next++;
		enum tdat_status st;

		pthread_mutex_unlock(&c->lock);
		st = c->fn(c->ctx, i, &emit, &err);
		pthread_mutex_lock(&c->lock);
		c->done[i] = true;
		/*
		 * The first failed item wins, not the first in time: the result is the same for any
		 * thread count.
		 */
		if (st != TDAT_OK && i < c->failed) {
			c->failed = i;
			c->err = err;
			c->err.status = st;
		}
		pthread_cond_signal(&c->news);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Starts up to count workers. Fewer are fine: the rest do all the work. */
static void start_workers(struct crew *c, size_t count)
{
	while (c->worker_count < count) {
		struct worker *w = &c->workers[c->worker_count];

		w->crew = c;
		w->at = c->count;
		if (!tdat_thread_start(&w->thread, work, w))
			break;
		c->worker_count++;
	}
}

/* Worker whose warning belongs to item i, or NULL. */
static struct worker *who_asks(struct crew *c, size_t i)
{
	for (size_t k = 0; k < c->worker_count; k++)
		if (c->workers[k].asks && c->workers[k].at == i)
			return &c->workers[k];
	return NULL;
}

/*
 * Waits until item i is done, and reports its warnings meanwhile. The lock is held, except during
 * the report.
 */
static void see_through(struct crew *c, size_t i, const struct tdat_emit *emit)
{
	while (!c->done[i]) {
		struct worker *w = who_asks(c, i);

		if (!w) {
			pthread_cond_wait(&c->news, &c->lock);
			continue;
		}
		pthread_mutex_unlock(&c->lock);
		w->answer = tdat_emit_warn(emit, w->input, w->off, w->sentence, &w->why);
		pthread_mutex_lock(&c->lock);
		w->asks = false;
		pthread_cond_broadcast(&c->answer);
	}
}

/*
 * Attends to the items in order, so that warnings come in order too. Items behind a failed one are
 * not waited for.
 */
static enum tdat_status run_threads(struct crew *c, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->count && c->failed >= i; i++)
		see_through(c, i, emit);
	c->stop = true;
	pthread_cond_broadcast(&c->answer);
	pthread_mutex_unlock(&c->lock);
	for (size_t k = 0; k < c->worker_count; k++)
		pthread_join(c->workers[k].thread, NULL);
	if (c->failed == c->count)
		return TDAT_OK;
	if (err)
		*err = c->err;
	return c->err.status;
}

/* Runs all on the calling thread; warnings go straight to emit. */
static enum tdat_status run_alone(size_t count, import_crew_fn fn, void *ctx,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = fn(ctx, i, emit, err);
	return st;
}

/*
 * Runs fn for items 0 to count - 1 on that many threads. Returns the failure of the first item
 * that failed.
 */
enum tdat_status import_crew_run(uint32_t threads, size_t count, import_crew_fn fn, void *ctx,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	size_t want = tdat_thread_count(threads, THREADS_MAX);
	enum tdat_status st;
	struct crew *c;

	want = want < count ? want : count;
	c = want > 1 ? calloc(1, sizeof(*c)) : NULL;
	if (!c)
		return run_alone(count, fn, ctx, emit, err);
	c->fn = fn;
	c->ctx = ctx;
	c->count = c->failed = count;
	c->done = calloc(count, sizeof(*c->done));
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->news, NULL);
	pthread_cond_init(&c->answer, NULL);
	/* Without memory for the flags, and without a thread, all is done here. */
	if (c->done)
		start_workers(c, want);
	st = c->worker_count ? run_threads(c, emit, err) : run_alone(count, fn, ctx, emit, err);
	pthread_cond_destroy(&c->answer);
	pthread_cond_destroy(&c->news);
	pthread_mutex_destroy(&c->lock);
	free(c->done);
	free(c);
	return st;
}
