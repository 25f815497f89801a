/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries of a trace agree with each other, with a count of the same rows one by one, and
 * with tdat_stat; what they cannot be made of is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/stat.h>
#include <tdat/summary.h>

#include "../common/run.h"

static struct tdat_iter_input input;
static struct tdat_trace *trace;
static struct tdat_error err;

static void open_trace(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/valid/%s", getenv("TDAT_FIXTURES"), name);
	ck_assert_int_eq(tdat_file_open(&input.file, path, NULL, &err), TDAT_OK);
	ck_assert_int_eq(tdat_trace_new(&trace, &input, 1, NULL, &err), TDAT_OK);
}

static void close_trace(void)
{
	tdat_trace_free(trace);
	tdat_file_close(input.file);
}

static struct tdat_summary *run(struct tdat_summary *s)
{
	ck_assert_msg(tdat_summary_run(s, NULL, &err) == TDAT_OK, "%s", err.message);
	return s;
}

static struct tdat_summary *groups(const char *table, const char *key, const char *value)
{
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;
	struct tdat_summary *s;

	opts.table = table;
	opts.keys = &key;
	opts.key_count = 1;
	opts.value = value;
	opts.worst = 5;
	ck_assert_msg(tdat_summary_groups(&s, trace, &opts, &err) == TDAT_OK, "%s", err.message);
	return run(s);
}

static bool key_is(struct tdat_summary_key key, const char *text)
{
	return key.text.ptr && key.text.len == strlen(text) &&
	       !memcmp(key.text.ptr, text, key.text.len);
}

/* Numbers of events by type are those of tdat_stat, the greatest first. */
START_TEST(counts)
{
	struct tdat_stat *st;
	const struct tdat_stat_event *events;
	struct tdat_summary *s;
	struct tdat_group g, all;
	uint64_t sum = 0, before = UINT64_MAX;
	size_t count;

	open_trace("i386-61-v7-zstd-sched.dat");
	ck_assert_int_eq(tdat_stat_new(&st, &input, 1, NULL, &err), TDAT_OK);
	events = tdat_stat_events(st, &count);
	s = groups(NULL, "event", NULL);
	ck_assert_uint_eq(tdat_groups_facts(s)->group_count, count);
	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		ck_assert_int_eq(tdat_group(s, i, &g, &err), TDAT_OK);
		ck_assert_uint_le(g.row_count, before);
		before = g.row_count;
		sum += g.row_count;
		while (!key_is(
			tdat_group_key(s, i, 0),
			tdat_event_format_name(tdat_file_format_by_id(input.file, events[k].id))))
			ck_assert_uint_lt(++k, count);
		ck_assert_uint_eq(g.row_count, events[k].count);
	}
	ck_assert_int_eq(tdat_group(s, TDAT_ALL_GROUPS, &all, &err), TDAT_OK);
	ck_assert_uint_eq(all.row_count, sum);
	ck_assert_uint_eq(tdat_groups_facts(s)->rows, sum);
	tdat_summary_free(s);
	tdat_stat_free(st);
	close_trace();
}
END_TEST

/* Time on a CPU, of a profile, is the sum of the table sched by pid; pid 0 is idle. */
START_TEST(times)
{
	const struct tdat_profile_task *t;
	const struct tdat_profile_cpu *c;
	struct tdat_summary *s, *p;
	struct tdat_group g;
	int64_t busy = 0, idle = 0, sum = 0;
	uint64_t log2[TDAT_GROUP_LOG2], values = 0;

	open_trace("i386-61-v7-zstd-sched.dat");
	s = groups("sched", "pid", NULL);
	ck_assert_int_eq(tdat_summary_profile(&p, trace, &err), TDAT_OK);
	run(p);
	for (size_t i = 0; (c = tdat_profile_cpu(p, i)); i++) {
		busy += (int64_t)c->busy;
		idle += (int64_t)c->idle;
	}
	for (size_t i = 0; (t = tdat_profile_task(p, i)); i++)
		sum += (int64_t)t->on_cpu;
	ck_assert_int_eq(sum, busy);
	sum = 0;
	for (size_t i = 0; i < tdat_groups_facts(s)->group_count; i++) {
		ck_assert_int_eq(tdat_group(s, i, &g, &err), TDAT_OK);
		ck_assert(g.least <= g.quantiles[0] && g.quantiles[3] <= g.greatest);
		if (key_is(tdat_group_key(s, i, 0), "0"))
			ck_assert_int_eq(g.sum, idle);
		else
			sum += g.sum;
	}
	ck_assert_int_eq(sum, busy);
	ck_assert_int_gt(busy, 0);
	tdat_group_log2(s, TDAT_ALL_GROUPS, log2);
	for (size_t i = 0; i < TDAT_GROUP_LOG2; i++)
		values += log2[i];
	ck_assert_int_eq(tdat_group(s, TDAT_ALL_GROUPS, &g, &err), TDAT_OK);
	ck_assert_uint_eq(values, g.value_count);
	ck_assert_ptr_nonnull(tdat_group_worst(s, 0));
	ck_assert_int_eq(tdat_group_worst(s, 0)->value, g.greatest);
	ck_assert_ptr_null(tdat_group_worst(s, 5));
	tdat_summary_free(s);
	tdat_summary_free(p);
	close_trace();
}
END_TEST

/* Each stack counts one, and a node has what its children and it have. */
START_TEST(stacks)
{
	struct tdat_summary *s;
	const struct tdat_flame *f;

	open_trace("arm64-16k-612-kstack.dat");
	ck_assert_int_eq(tdat_summary_flame(&s, trace, TDAT_FLAME_KERNEL_STACK, false, &err),
			 TDAT_OK);
	f = tdat_flame(run(s));
	ck_assert_uint_gt(f->stacks, 0);
	ck_assert_uint_eq(f->nodes[0].total, f->stacks);
	for (size_t i = 0; i < f->node_count; i++) {
		uint64_t sum = f->nodes[i].self;

		for (uint32_t c = f->nodes[i].child; c; c = f->nodes[c].next) {
			sum += f->nodes[c].total;
			ck_assert(!f->nodes[c].next ||
				  strcmp(tdat_flame_name(s, c),
					 tdat_flame_name(s, f->nodes[c].next)) < 0);
		}
		ck_assert_uint_eq(f->nodes[i].total, sum);
	}
	tdat_summary_free(s);
	close_trace();
}
END_TEST

static enum tdat_status refuse(void *ctx, const void *data, size_t len, struct tdat_error *e)
{
	(void)ctx;
	(void)data;
	(void)len;
	return tdat_error_set(e, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough");
}

START_TEST(refusals)
{
	static const char *const twice[] = {"cpu", "cpu"}, *const nothing[] = {"nothing"};
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;
	struct tdat_summary *s;

	open_trace("i386-61-v7-zstd-sched.dat");
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_USAGE);
	ck_assert_ptr_null(s);
	opts.table = "nothing";
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_NOT_FOUND);
	opts.table = "sched";
	opts.value = "comm";
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_USAGE);
	opts.value = NULL;
	opts.keys = nothing;
	opts.key_count = 1;
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_USAGE);
	opts.table = NULL;
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_NOT_FOUND);
	opts.keys = twice;
	opts.key_count = 2;
	ck_assert_int_eq(tdat_summary_groups(&s, trace, &opts, &err), TDAT_E_USAGE);
	s = groups("sched", "cpu", NULL);
	ck_assert_int_eq(tdat_summary_run(s, NULL, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_summary_json(s, 0, refuse, NULL, &err), TDAT_E_CANCELLED);
	ck_assert_str_eq(err.message, "enough");
	tdat_summary_free(s);
	close_trace();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("summary");
	TCase *tc = tcase_create("summary");

	tcase_add_test(tc, counts);
	tcase_add_test(tc, times);
	tcase_add_test(tc, stacks);
	tcase_add_test(tc, refusals);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
