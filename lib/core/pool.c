/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs jobs on threads and gives their results back in the order of the jobs. Workers take jobs
 * in any order; tdat_pool_take() gives them back in the order of tdat_pool_put(), so output
 * does not depend on the number of threads. The number of jobs inside is bounded by depth. With
 * one thread, or without any to be had, jobs run in the caller.
 */
#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "thread.h"

/* Bound of threads if the caller asks for one per CPU. */
enum { THREADS_MOST = 4095 };

/* A job's place; done is set by its worker under the lock. */
struct pool_slot {
	void *job;
	bool done;
};

/* Jobs are numbered; job n is in slots[n % depth]. taken <= started <= put. */
struct tdat_pool {
	void (*run)(void *job);
	pthread_t *threads;
	uint32_t thread_count;
	size_t depth;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	uint64_t put, started, taken;
	bool stop;
	struct pool_slot slots[];
};

/* Takes the oldest job that nobody has begun. The lock is not held while it runs. */
static void *worker(void *arg)
{
	struct tdat_pool *pool = arg;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		struct pool_slot *slot;

		while (!pool->stop && pool->started == pool->put)
			pthread_cond_wait(&pool->work, &pool->lock);
		if (pool->stop)
			break;
		slot = &pool->slots[pool->started++ % pool->depth];
		pthread_mutex_unlock(&pool->lock);
		pool->run(slot->job);
		pthread_mutex_lock(&pool->lock);
		slot->done = true;
		pthread_cond_signal(&pool->done);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Threads that cannot be had are left out; with none, jobs run in tdat_pool_take(). */
struct tdat_pool *tdat_pool_new(uint32_t threads, size_t depth, void (*run)(void *job))
{
	struct tdat_pool *pool;

	if (!depth || depth > SIZE_MAX / sizeof(struct pool_slot) - sizeof(*pool))
		return NULL;
	if (!threads)
		threads = tdat_thread_count(0, THREADS_MOST);
	pool = calloc(1, sizeof(*pool) + depth * sizeof(struct pool_slot));
	if (!pool)
		return NULL;
	pool->run = run;
	pool->depth = depth;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	/* One thread would only take turns with the caller. */
	if (threads > 1) {
		pool->threads = calloc(threads, sizeof(*pool->threads));
		while (pool->threads && pool->thread_count < threads &&
		       tdat_thread_start(&pool->threads[pool->thread_count], worker, pool))
			pool->thread_count++;
	}
	return pool;
}

/* Jobs that run are waited for; jobs that nobody has begun stay unrun. */
void tdat_pool_free(struct tdat_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stop = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (uint32_t i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool->threads);
	free(pool);
}

size_t tdat_pool_count(const struct tdat_pool *pool)
{
	return (size_t)(pool->put - pool->taken); /* only the owner changes these */
}

/* depth bounds the jobs inside, so the slot is free. */
void tdat_pool_put(struct tdat_pool *pool, void *job)
{
	struct pool_slot *slot;

	pthread_mutex_lock(&pool->lock);
	slot = &pool->slots[pool->put++ % pool->depth];
	slot->job = job;
	slot->done = false;
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

/* Waits for the oldest job alone, so results come in the order of tdat_pool_put(). */
void *tdat_pool_take(struct tdat_pool *pool)
{
	struct pool_slot *slot = &pool->slots[pool->taken % pool->depth];
	void *job;

	if (pool->taken == pool->put)
		return NULL;
	if (!pool->thread_count) {
		pool->run(slot->job);
		pool->taken++;
		return slot->job;
	}
	pthread_mutex_lock(&pool->lock);
	while (!slot->done)
		pthread_cond_wait(&pool->done, &pool->lock);
	pool->taken++;
	job = slot->job;
	pthread_mutex_unlock(&pool->lock);
	return job;
}
