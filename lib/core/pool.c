/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs jobs on threads and gives their results back in the order of the jobs. */
#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

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

uint32_t tdat_pool_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 && n < 4096 ? (uint32_t)n : 1;
}

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

/*
 * Blocks all signals in the new threads, where that can be asked for: the program's threads get
 * them.
 */
static void start_threads(struct tdat_pool *pool, uint32_t count)
{
	pthread_attr_t attr;

	if (pthread_attr_init(&attr))
		return;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
	{
		sigset_t all;

		sigfillset(&all);
		pthread_attr_setsigmask_np(&attr, &all);
	}
#endif
	while (pool->thread_count < count &&
	       !pthread_create(&pool->threads[pool->thread_count], &attr, worker, pool))
		pool->thread_count++;
	pthread_attr_destroy(&attr);
}

struct tdat_pool *tdat_pool_new(uint32_t threads, size_t depth, void (*run)(void *job))
{
	struct tdat_pool *pool;

	if (!depth || depth > SIZE_MAX / sizeof(struct pool_slot) - sizeof(*pool))
		return NULL;
	if (!threads)
		threads = tdat_pool_cpus();
	pool = calloc(1, sizeof(*pool) + depth * sizeof(struct pool_slot));
	if (!pool)
		return NULL;
	pool->run = run;
	pool->depth = depth;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	if (threads > 1) {
		pool->threads = calloc(threads, sizeof(*pool->threads));
		if (pool->threads)
			start_threads(pool, threads);
	}
	return pool;
}

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
