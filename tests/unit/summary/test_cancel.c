/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A caller cancels what reads a trace: each way to read tables asks at every page, and ends at the
 * first answer. Steps are counted, not seconds.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include <tdat/rows.h>
#include <tdat/summary.h>

#include "../common/run.h"

static struct tdat_iter_input input;
static struct tdat_trace *trace;
static struct tdat_error err;
static uint64_t pages;

static void open_trace(const char *name)
{
	const struct tdat_buffer *buffers;
	char path[256];
	size_t count;

	snprintf(path, sizeof(path), "%s/valid/%s", getenv("TDAT_FIXTURES"), name);
	ck_assert_int_eq(tdat_file_open(&input.file, path, NULL, &err), TDAT_OK);
	ck_assert_int_eq(tdat_trace_new(&trace, &input, 1, NULL, &err), TDAT_OK);
	buffers = tdat_file_buffers(input.file, &count);
	pages = 0;
	for (size_t i = 0; i < count; i++)
		for (uint32_t c = 0; c < buffers[i].cpu_count; c++)
			pages += buffers[i].cpus[c].len / buffers[i].page_size;
	ck_assert_uint_gt(pages, 4);
}

static void close_trace(void)
{
	tdat_trace_free(trace);
	tdat_file_close(input.file);
}

/* Says yes from the last of so many questions on; 0: never. */
struct asked {
	uint64_t count, last;
};

static bool is_cancelled(void *ctx)
{
	struct asked *a = ctx;

	return __atomic_add_fetch(&a->count, 1, __ATOMIC_RELAXED) >= a->last && a->last;
}

typedef enum tdat_status (*read_fn)(const struct tdat_table_opts *opts);

static enum tdat_status run(enum tdat_status st, struct tdat_summary *s,
			    const struct tdat_table_opts *opts)
{
	ck_assert_msg(st == TDAT_OK, "%s", err.message);
	st = tdat_summary_run(s, opts, &err);
	tdat_summary_free(s);
	return st;
}

static enum tdat_status read_groups(const struct tdat_table_opts *opts)
{
	static const char *const key = "event";
	struct tdat_groups_opts groups = TDAT_GROUPS_OPTS_INIT;
	struct tdat_summary *s;
	enum tdat_status st;

	groups.keys = &key;
	groups.key_count = 1;
	st = tdat_summary_groups(&s, trace, &groups, &err);
	return run(st, s, opts);
}

static enum tdat_status read_profile(const struct tdat_table_opts *opts)
{
	struct tdat_summary *s;
	const enum tdat_status st = tdat_summary_profile(&s, trace, &err);

	return run(st, s, opts);
}

static enum tdat_status read_flame(const struct tdat_table_opts *opts)
{
	struct tdat_summary *s;
	const enum tdat_status st = tdat_summary_flame(&s, trace, TDAT_FLAME_FUNCTION, false, &err);

	return run(st, s, opts);
}

static enum tdat_status read_why(const struct tdat_table_opts *opts)
{
	struct tdat_why_opts why = TDAT_WHY_OPTS_INIT;
	struct tdat_summary *s;
	const enum tdat_status st = tdat_summary_why(&s, trace, &why, &err);

	return run(st, s, opts);
}

static enum tdat_status read_diff(const struct tdat_table_opts *opts)
{
	struct tdat_diff *d;
	enum tdat_status st = tdat_diff_new(&d, NULL, &err);

	ck_assert_int_eq(st, TDAT_OK);
	st = tdat_diff_add(d, TDAT_DIFF_A, trace, opts, NULL, NULL, &err);
	tdat_diff_free(d);
	return st;
}

static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	(void)ctx;
	(void)table;
	(void)v;
	return true;
}

/* No event of the file is one of the table's: there is no row at which to stop. */
static enum tdat_status read_nothing(const struct tdat_table_opts *opts)
{
	static const char *const columns[] = {"ts", NULL};
	const struct tdat_rows_table table = {tdat_trace_find(trace, "net"), columns};

	ck_assert_ptr_nonnull(table.table);
	return tdat_trace_rows(trace, &table, 1, opts, take_row, NULL, &err);
}

static enum tdat_status read_stream(const struct tdat_table_opts *opts)
{
	const struct tdat_table *table = tdat_trace_find(trace, "events");
	struct ArrowArrayStream stream;
	struct ArrowArray rows;
	enum tdat_status st = tdat_trace_stream(trace, table, opts, &stream, &err);
	int rc = 0;

	if (st != TDAT_OK)
		return st;
	while (!(rc = stream.get_next(&stream, &rows)) && rows.release)
		rows.release(&rows);
	ck_assert(!rc || rc == ECANCELED);
	if (rc)
		ck_assert_ptr_nonnull(stream.get_last_error(&stream));
	stream.release(&stream);
	return rc ? TDAT_E_CANCELLED : TDAT_OK;
}

/* Cancels at the first page, in the middle, and at the last one: nothing is asked again. */
static void cancel(read_fn read)
{
	struct asked all = {0, 0};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;

	opts.is_cancelled = is_cancelled;
	opts.cancel_ctx = &all;
	opts.threads = 1;
	ck_assert_msg(read(&opts) == TDAT_OK, "%s", err.message);
	ck_assert_uint_ge(all.count, pages);
	for (unsigned threads = 1; threads <= 2; threads++)
		for (unsigned part = 0; part <= 2; part++) {
			struct asked some = {0, part ? all.count * part / 2 : 1};

			opts.cancel_ctx = &some;
			opts.threads = threads;
			ck_assert_int_eq(read(&opts), TDAT_E_CANCELLED);
			/* Each further thread asks once more. */
			ck_assert_uint_ge(some.count, some.last);
			ck_assert_uint_lt(some.count, some.last + threads);
		}
}

START_TEST(reading)
{
	static const read_fn of_tasks[] = {read_groups, read_profile, read_why,
					   read_diff,	read_nothing, read_stream};

	open_trace("s390x-61-v6-sched.dat");
	for (size_t i = 0; i < sizeof(of_tasks) / sizeof(of_tasks[0]); i++)
		cancel(of_tasks[i]);
	close_trace();
	open_trace("x64-lab612-stack-v6-fgraph.dat");
	cancel(read_flame);
	close_trace();
}
END_TEST

/* A comparison reads nothing any more: it asks at each key. */
START_TEST(comparing)
{
	struct asked all = {0, 0}, one = {0, 1};
	struct tdat_diff_opts opts = TDAT_DIFF_OPTS_INIT;
	struct asked *const asked[] = {&all, &one};
	struct tdat_diff *d;

	open_trace("s390x-61-v6-sched.dat");
	opts.is_cancelled = is_cancelled;
	for (size_t i = 0; i < 2; i++) {
		opts.cancel_ctx = asked[i];
		ck_assert_int_eq(tdat_diff_new(&d, &opts, &err), TDAT_OK);
		for (int side = 0; side < TDAT_DIFF_SIDES; side++)
			ck_assert_int_eq(tdat_diff_add(d, (enum tdat_diff_side)side, trace, NULL,
						       NULL, NULL, &err),
					 TDAT_OK);
		ck_assert_uint_eq(asked[i]->count, 0);
		ck_assert_int_eq(tdat_diff_run(d, &err), i ? TDAT_E_CANCELLED : TDAT_OK);
		tdat_diff_free(d);
	}
	ck_assert_uint_gt(all.count, 20);
	ck_assert_uint_eq(one.count, 1);
	close_trace();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cancel");
	TCase *tc = tcase_create("cancel");

	tcase_add_test(tc, reading);
	tcase_add_test(tc, comparing);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
