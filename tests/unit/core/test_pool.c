/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of a pool are run once each and taken in the order they were put, by any number of threads.
 */
#include <check.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../common/run.h"
#include "core/pool.h"
#include "core/thread.h"

enum { JOBS = 500 };

struct job {
	unsigned int number;
	atomic_uint runs;
};

/* Early jobs take longer than those behind them. */
static void run(void *arg)
{
	struct job *job = arg;

	if (job->number % 16 == 0)
		usleep(200);
	atomic_fetch_add(&job->runs, 1);
}

static const uint32_t thread_counts[] = {0, 1, 2, 3, 16};

/* _i: threads; all depths from 1 on, also ones that do not divide the number of jobs. */
START_TEST(in_order)
{
	static struct job jobs[JOBS];

	for (size_t depth = 1; depth < 40; depth += 6) {
		struct tdat_pool *pool = tdat_pool_new(thread_counts[_i], depth, run);
		unsigned int put = 0, taken = 0;

		ck_assert_ptr_nonnull(pool);
		ck_assert_ptr_null(tdat_pool_take(pool));
		while (taken < JOBS) {
			struct job *job;

			while (put < JOBS && tdat_pool_count(pool) < depth) {
				jobs[put] = (struct job){.number = put};
				tdat_pool_put(pool, &jobs[put++]);
			}
			ck_assert_uint_eq(tdat_pool_count(pool), put - taken);
			job = tdat_pool_take(pool);
			ck_assert_ptr_eq(job, &jobs[taken++]);
			ck_assert_uint_eq(atomic_load(&job->runs), 1);
		}
		ck_assert_ptr_null(tdat_pool_take(pool));
		ck_assert_uint_eq(tdat_pool_count(pool), 0);
		tdat_pool_free(pool);
	}
}
END_TEST

/* What was put and not taken is run at most once, and nothing runs after the pool is freed. */
START_TEST(freed_with_jobs)
{
	static struct job jobs[8];

	for (int round = 0; round < 50; round++) {
		struct tdat_pool *pool = tdat_pool_new(thread_counts[_i], 8, run);
		unsigned int runs[8];

		for (unsigned int i = 0; i < 8; i++) {
			jobs[i] = (struct job){.number = i + 1};
			tdat_pool_put(pool, &jobs[i]);
		}
		ck_assert_ptr_eq(tdat_pool_take(pool), &jobs[0]);
		tdat_pool_free(pool);
		ck_assert_uint_eq(atomic_load(&jobs[0].runs), 1);
		for (unsigned int i = 0; i < 8; i++) {
			runs[i] = atomic_load(&jobs[i].runs);
			ck_assert_uint_le(runs[i], 1);
		}
		for (unsigned int i = 0; i < 8; i++)
			ck_assert_uint_eq(atomic_load(&jobs[i].runs), runs[i]);
	}
}
END_TEST

START_TEST(edges)
{
	ck_assert_ptr_null(tdat_pool_new(2, 0, run));
	ck_assert_ptr_null(tdat_pool_new(2, SIZE_MAX, run));
	ck_assert_ptr_null(tdat_pool_new(1, SIZE_MAX / sizeof(void *), run));
	ck_assert_uint_ge(tdat_thread_count(0, 64), 1);
	ck_assert_uint_eq(tdat_thread_count(0, 1), 1);
	ck_assert_uint_eq(tdat_thread_count(7, 64), 7);
	ck_assert_uint_eq(tdat_thread_count(UINT32_MAX, 64), 64);
	tdat_pool_free(NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pool");
	TCase *t = tcase_create("pool");
	const int counts = sizeof(thread_counts) / sizeof(thread_counts[0]);

	tcase_add_loop_test(t, in_order, 0, counts);
	tcase_add_loop_test(t, freed_with_jobs, 0, counts);
	tcase_add_test(t, edges);
	suite_add_tcase(s, t);
	return run_suite(s);
}
