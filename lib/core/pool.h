/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Jobs in, results out in the order the jobs went in, whatever the number of
 * threads. A pool belongs to the thread that puts and takes; run() is called on
 * others, several jobs at once, and must not fail but note failure in its job.
 */
#ifndef TDAT_CORE_POOL_H
#define TDAT_CORE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct tdat_pool;

/*
 * threads: 0 means one per online CPU; with 1, or when no thread can be had, jobs
 * run in tdat_pool_take. depth is the most jobs between put and take. NULL
 * without memory.
 */
struct tdat_pool *tdat_pool_new(uint32_t threads, size_t depth, void (*run)(void *job));

/* Waits for running jobs; those put and not taken are the caller's to free. */
void tdat_pool_free(struct tdat_pool *pool);

/* The number of jobs between put and take. */
size_t tdat_pool_count(const struct tdat_pool *pool);

/* Hands a job over; fewer than depth must be inside. */
void tdat_pool_put(struct tdat_pool *pool, void *job);

/* The oldest job, run; waits for it. NULL when there is none. */
void *tdat_pool_take(struct tdat_pool *pool);

#endif
