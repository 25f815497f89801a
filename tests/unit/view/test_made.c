/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that are made in the background, and given up: each asks while it reads, a cache forgets
 * what was given up, and the next question has it made anew. Steps are counted, not seconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"
#include "api/answer.h"
#include "api/api.h"

static struct tdat_iter_input input;
static struct view_engine *engine;
static struct tdat_error err;

static void ok(enum tdat_status st)
{
	ck_assert_msg(st == TDAT_OK, "%s", err.message);
}

static void open_engine(const char *name)
{
	const struct view_engine_opts opts = {2, 0};
	const char *fixtures = getenv("TDAT_FIXTURES");
	char path[4096];

	ck_assert_ptr_nonnull(fixtures);
	snprintf(path, sizeof(path), "%s/valid/%s", fixtures, name);
	input = (struct tdat_iter_input){NULL, 0, 0};
	ok(tdat_file_open(&input.file, path, NULL, &err));
	ok(view_engine_new(&engine, &input, 1, &opts, &err));
	view_engine_wait(engine);
}

static void close_engine(void)
{
	view_engine_free(engine);
	tdat_file_close(input.file);
}

/* ---- the cache ---- */

/* The first time an item is made it takes until nobody wants it, then it is made at once. */
static unsigned made, steps;
/* Long enough that a busy machine has begun the work by then. */
enum { FORSAKEN_MS = 1000 };

static void make_item(void *ctx, const bool *stop)
{
	struct view_cached *e = ctx, *own = e;
	const size_t count = view_cache_begin(e, NULL, &own, 1);

	while (!made && !view_cache_is_forsaken(e, FORSAKEN_MS) &&
	       !view_is_stopped((void *)(uintptr_t)stop)) {
		steps++;
		usleep(1000);
	}
	if (!made++)
		tdat_error_set(&e->err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "given up");
	view_cache_done(e, &own, count);
}

static bool same_item(const void *entry, const void *key)
{
	(void)entry;
	(void)key;
	return true;
}

static bool init_item(void *entry, const void *key)
{
	(void)entry;
	(void)key;
	return true;
}

static void free_item(void *entry)
{
	(void)entry;
}

START_TEST(forgotten)
{
	static const struct view_cache_ops ops = {.entry_len = sizeof(struct view_cached),
						  .kept = 4,
						  .pending_most = 1,
						  .too_many = "too many",
						  .same = same_item,
						  .init = init_item,
						  .make = make_item,
						  .free = free_item};
	struct view_cache *cache;
	const void *entry = NULL;

	open_engine("x64-61-v6-tiny.dat");
	ok(view_cache_new(&cache, &ops, engine, &err));
	for (unsigned i = 0; i < 2; i++) {
		ok(view_cache_get(cache, "", &entry, &err));
		ck_assert_ptr_null(entry);
		view_engine_wait(engine);
		ck_assert_uint_eq(made, i + 1);
		ck_assert(steps);
	}
	ok(view_cache_get(cache, "", &entry, &err));
	ck_assert_ptr_nonnull(entry);
	ck_assert_uint_eq(made, 2);
	view_cache_put(entry);
	close_engine();
	view_cache_free(cache);
}
END_TEST

/* ---- answers ---- */

/* Says yes from the last of so many questions on; 0: never. */
struct asked {
	uint64_t count, last;
};

static bool is_cancelled(void *ctx)
{
	struct asked *a = ctx;

	return __atomic_add_fetch(&a->count, 1, __ATOMIC_RELAXED) >= a->last && a->last;
}

static enum tdat_status ask(struct view_api *api, view_answer_fn answer, const char *text,
			    struct asked *asked)
{
	static const char *const names[] = {"rec", "pid", "pair", NULL};
	struct tdat_build out;
	struct view_query query;
	struct view_question q = {.api = api,
				  .query = &query,
				  .json = {.out = &out},
				  .err = &err,
				  .is_cancelled = is_cancelled,
				  .cancel_ctx = asked};
	enum tdat_status st;

	tdat_build_init(&out, false);
	ok(view_query_init(&query, text, names, &err));
	tdat_json_object(&q.json, NULL);
	st = answer(&q);
	view_query_fini(&query);
	tdat_build_fini(&out);
	return st;
}

/* Gives an answer up at its first question, in its midst, and at its last one. */
static void give_up(view_answer_fn answer, const char *text)
{
	struct asked all = {0, 0};
	struct view_api *api;

	ok(view_api_new(&api, engine, &err));
	ok(ask(api, answer, text, &all));
	ck_assert_uint_gt(all.count, 4);
	for (unsigned part = 0; part <= 2; part++) {
		struct asked some = {0, part ? all.count * part / 2 : 1};

		ck_assert_int_eq(ask(api, answer, text, &some), TDAT_E_CANCELLED);
		/* Two threads read: the other one asks once more. */
		ck_assert_uint_ge(some.count, some.last);
		ck_assert_uint_le(some.count, some.last + 1);
	}
	view_api_free(api);
}

START_TEST(given_up)
{
	open_engine("s390x-61-v6-sched.dat");
	give_up(view_answer_sums, "");
	give_up(view_answer_diff, "");
	give_up(view_answer_why, "rec=0&pid=14");
	give_up(view_answer_pair,
		"pair=sched/sched_switch(next_pid)%20->%20sched/sched_switch(prev_pid)");
	close_engine();
	open_engine("x64-lab612-stack-v6-fgraph.dat");
	give_up(view_answer_flame, "");
	close_engine();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("view/made");
	TCase *tc = tcase_create("made");

	tcase_add_test(tc, forgotten);
	tcase_add_test(tc, given_up);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
