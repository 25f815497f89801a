/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the threads that make the index lane by lane, and then the work that answers need. A thread
 * takes lanes of the index first, then jobs in order; a job that needs the index waits until it is
 * complete. Only READERS_MOST questions read the file at once. Stopping is a flag that every loop
 * checks.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/thread.h"

/* Bounds of the threads that make the index, and of the questions that read at once. */
enum { THREADS_MOST = 4, READERS_MOST = 4 };

/* A piece of work in the queue, freed when it was done. */
struct job {
	struct job *next;
	view_work_fn work;
	void *ctx;
	bool after_index;
};

/*
 * All members but trace and index are changed under the lock. jobs counts work that is queued or
 * running, busy threads at work.
 */
struct view_engine {
	struct view_trace *trace;
	struct view_index *index;
	struct tdat_stream_damage *damage; /* by lane; without a message: none */
	pthread_t threads[THREADS_MOST];
	unsigned thread_count;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t next_lane, lanes_done; /* of the index */
	struct job *first, **last;
	size_t jobs, busy;
	unsigned held;
	unsigned readers;
	bool stop;
};

/*
 * Indexes one lane. A lane that could not be read keeps its message as damage, and the others are
 * still made.
 */
static void make_lane(struct view_engine *e, size_t lane)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_stream_damage damage = {.bad_pages = 0};

	if (view_index_lane(e->index, lane, &damage, &err)) {
		damage.bad_pages = 0;
		snprintf(damage.message, sizeof(damage.message), "%.255s", err.message);
	}
	pthread_mutex_lock(&e->lock);
	e->damage[lane] = damage;
	pthread_mutex_unlock(&e->lock);
}

/*
 * Removes the first job that may begin now; NULL: there is none. Needs the lock. While the queue is
 * held no job begins.
 */
static struct job *take_job(struct view_engine *e)
{
	/* Lanes that failed count as done: jobs work with the rest of the index. */
	const bool indexed = e->lanes_done == e->trace->lane_count;

	for (struct job **at = &e->first; *at && !e->held; at = &(*at)->next) {
		struct job *job = *at;

		if (job->after_index && !indexed)
			continue;
		*at = job->next;
		if (!*at)
			e->last = at;
		return job;
	}
	return NULL;
}

/*
 * Does one piece of work, if there is any. The caller holds the lock, which is released during the
 * work.
 */
static bool work_once(struct view_engine *e)
{
	struct job *job = NULL;
	size_t lane = 0;

	if (e->next_lane < e->trace->lane_count)
		lane = e->next_lane++;
	else if (!(job = take_job(e)))
		return false;
	e->busy++;
	pthread_mutex_unlock(&e->lock);
	if (job)
		job->work(job->ctx, &e->stop);
	else
		make_lane(e, lane);
	pthread_mutex_lock(&e->lock);
	e->busy--;
	e->jobs -= job ? 1 : 0;
	e->lanes_done += job ? 0 : 1;
	/* While there are lanes no thread waits, and who waits for the engine waits for all of
	 * them. */
	if (job || e->lanes_done == e->trace->lane_count)
		pthread_cond_broadcast(&e->changed);
	free(job);
	return true;
}

/* A thread of the engine: works until stop is set. */
static void *run(void *arg)
{
	struct view_engine *e = arg;

	pthread_mutex_lock(&e->lock);
	while (!e->stop)
		if (!work_once(e))
			pthread_cond_wait(&e->changed, &e->lock);
	pthread_mutex_unlock(&e->lock);
	return NULL;
}

bool view_is_stopped(void *stop)
{
	return __atomic_load_n((const bool *)stop, __ATOMIC_RELAXED);
}

int64_t view_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Fewer threads than wanted are enough, as long as there is one. */
static enum tdat_status start(struct view_engine *e, unsigned threads, struct tdat_error *err)
{
	const unsigned want = tdat_thread_count(threads, THREADS_MOST);

	while (e->thread_count < want && tdat_thread_start(&e->threads[e->thread_count], run, e))
		e->thread_count++;
	return e->thread_count ? TDAT_OK
			       : tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
						"no thread could be started");
}

/* The index begins at once. *out is NULL after a failure. */
enum tdat_status view_engine_new(struct view_engine **out, const struct tdat_iter_input *inputs,
				 size_t input_count, const struct view_engine_opts *opts,
				 struct tdat_error *err)
{
	struct view_engine *e = calloc(1, sizeof(*e));
	enum tdat_status st;

	*out = NULL;
	if (!e)
		return tdat_error_no_memory(err, "the trace");
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->changed, NULL);
	e->last = &e->first;
	st = view_trace_new(&e->trace, inputs, input_count, err);
	if (st == TDAT_OK)
		st = view_index_new(&e->index, e->trace, err);
	if (st == TDAT_OK && opts->read_always)
		e->index->read_always = opts->read_always;
	if (st == TDAT_OK) {
		e->damage = calloc(e->trace->lane_count + 1, sizeof(*e->damage));
		st = e->damage ? start(e, opts->threads, err)
			       : tdat_error_no_memory(err, "the trace");
	}
	if (st == TDAT_OK)
		*out = e;
	else
		view_engine_free(e);
	return st;
}

/* Wakes all waiters: threads end, and waiting questions are let in to end. */
void view_engine_stop(struct view_engine *e)
{
	if (!e)
		return;
	pthread_mutex_lock(&e->lock);
	/* Loops read the flag without the lock, hence it is stored atomically. */
	__atomic_store_n(&e->stop, true, __ATOMIC_RELAXED);
	if (e->index)
		__atomic_store_n(&e->index->stop, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
}

void view_engine_free(struct view_engine *e)
{
	if (!e)
		return;
	view_engine_stop(e);
	for (unsigned i = 0; i < e->thread_count; i++)
		pthread_join(e->threads[i], NULL);
	/* Jobs that never began; their contexts belong to their caches. */
	while (e->first) {
		struct job *next = e->first->next;

		free(e->first);
		e->first = next;
	}
	view_index_free(e->index);
	view_trace_free(e->trace);
	free(e->damage);
	pthread_cond_destroy(&e->changed);
	pthread_mutex_destroy(&e->lock);
	free(e);
}

const struct view_index *view_engine_index(const struct view_engine *e)
{
	return e->index;
}

/*
 * Returns early when the engine stops. For reports and still pictures, which need complete answers.
 */
void view_engine_wait(struct view_engine *e)
{
	pthread_mutex_lock(&e->lock);
	while (!e->stop && (e->next_lane < e->trace->lane_count || e->first || e->busy))
		pthread_cond_wait(&e->changed, &e->lock);
	pthread_mutex_unlock(&e->lock);
}

bool view_engine_damage(struct view_engine *e, size_t lane, struct tdat_stream_damage *out)
{
	pthread_mutex_lock(&e->lock);
	*out = e->damage[lane];
	pthread_mutex_unlock(&e->lock);
	return *out->message;
}

size_t view_engine_jobs(struct view_engine *e)
{
	size_t jobs;

	pthread_mutex_lock(&e->lock);
	jobs = e->jobs;
	pthread_mutex_unlock(&e->lock);
	return jobs;
}

/* Appends a job; the order of jobs is that of the questions. */
bool view_engine_do(struct view_engine *e, view_work_fn work, void *ctx, bool after_index)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return false;
	*job = (struct job){NULL, work, ctx, after_index};
	pthread_mutex_lock(&e->lock);
	*e->last = job;
	e->last = &job->next;
	e->jobs++;
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
	return true;
}

/* Counted, because questions on several threads may hold the queue at once. */
void view_engine_hold(struct view_engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->held++;
	pthread_mutex_unlock(&e->lock);
}

void view_engine_unhold(struct view_engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->held--;
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
}

/*
 * Each reader may decompress and map pages, so their number bounds memory. A stopped engine lets
 * all in, to end.
 */
void view_engine_enter(struct view_engine *e)
{
	pthread_mutex_lock(&e->lock);
	while (e->readers >= READERS_MOST && !e->stop)
		pthread_cond_wait(&e->changed, &e->lock);
	e->readers++;
	pthread_mutex_unlock(&e->lock);
}

void view_engine_leave(struct view_engine *e)
{
	pthread_mutex_lock(&e->lock);
	e->readers--;
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
}
