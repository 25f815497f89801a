/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time filters find the events that lie between two times, wherever those are. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"

struct seen {
	uint64_t *ts;
	size_t count, cap;
};

static void see_all(struct seen *seen, struct tdat_file *file, const struct tdat_filter *filter)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	seen->count = 0;
	opts.filter = filter;
	ck_assert_msg(tdat_iter_new(&iter, &in, 1, &opts, &err) == TDAT_OK, "%s", err.message);
	for (;;) {
		ck_assert_int_eq(tdat_iter_next(iter, &ev, &err), TDAT_OK);
		if (!ev)
			break;
		if (seen->count == seen->cap) {
			seen->cap = seen->cap ? seen->cap * 2 : 1024;
			seen->ts = realloc(seen->ts, seen->cap * sizeof(*seen->ts));
		}
		seen->ts[seen->count++] = ev->ts;
	}
	tdat_iter_free(iter);
}

/* Events of all that lie between from and to are exactly those of some. */
static void same_events(const struct seen *all, const struct seen *some, uint64_t from, uint64_t to,
			const char *name)
{
	size_t i, k = 0;

	for (i = 0; i < all->count; i++) {
		if (all->ts[i] < from || all->ts[i] > to)
			continue;
		ck_assert_msg(k < some->count && some->ts[k] == all->ts[i],
			      "%s: from %llu to %llu, event %zu is not at %llu", name,
			      (unsigned long long)from, (unsigned long long)to, k,
			      (unsigned long long)all->ts[i]);
		k++;
	}
	ck_assert_uint_eq(k, some->count);
}

static void check_span(struct tdat_file *file, const struct seen *all, uint64_t from, uint64_t to,
		       const char *name)
{
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	const char *unit = tdat_file_shows_seconds(file) ? "ns" : "";
	struct seen some = {NULL, 0, 0};
	struct tdat_filter *filter;
	char a[40], b[40];

	snprintf(a, sizeof(a), "%llu%s", (unsigned long long)from, unit);
	snprintf(b, sizeof(b), "%llu%s", (unsigned long long)to, unit);
	opts.from = a;
	opts.to = b;
	ck_assert_int_eq(tdat_filter_new(&filter, &opts, NULL), TDAT_OK);
	see_all(&some, file, filter);
	same_events(all, &some, from, to, name);
	free(some.ts);
	tdat_filter_free(filter);
}

static void check_file(const char *path)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct seen all = {NULL, 0, 0};
	struct tdat_file *file;
	size_t i;

	opts.tolerate_damage = true;
	ck_assert_int_eq(tdat_file_open(&file, path, &opts, NULL), TDAT_OK);
	see_all(&all, file, NULL);
	for (i = 0; all.count && i < 24; i++) {
		uint64_t from = all.ts[all.count * i / 24], to = all.ts[all.count * (i + 1) / 25];

		check_span(file, &all, from, to > from ? to : from, path);
		check_span(file, &all, from + 1, from + 2000, path);
		check_span(file, &all, from ? from - 1 : 0, from, path);
	}
	if (all.count) {
		check_span(file, &all, 0, all.ts[0], path);
		check_span(file, &all, all.ts[all.count - 1], UINT64_MAX, path);
		check_span(file, &all, 0, 0, path);
	}
	free(all.ts);
	tdat_file_close(file);
}

START_TEST(test_spans)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char folder[512], path[1024];
	struct dirent *e;
	size_t files = 0;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/valid", dir ? dir : "tests/fixtures");
	d = opendir(folder);
	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d))) {
		if (!strstr(e->d_name, ".dat"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		check_file(path);
		files++;
	}
	closedir(d);
	ck_assert_uint_gt(files, 10);
}
END_TEST

/* The next event of one of two inputs, both of which are read. */
static const struct tdat_event *next_of(struct tdat_iter *iter, uint32_t input)
{
	const struct tdat_event *ev;

	do
		ck_assert_int_eq(tdat_iter_next(iter, &ev, NULL), TDAT_OK);
	while (ev && ev->input != input);
	return ev;
}

/* An iterator over one input of several gives what one over all gives of it, with its number. */
START_TEST(test_only_input)
{
	static const char *const names[] = {"i386-61-v7-buffers.dat", "s390x-61-v6-sched.dat"};
	const char *dir = getenv("TDAT_FIXTURES");
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input in[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
	char path[1024];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/valid/%s", dir ? dir : "tests/fixtures", names[i]);
		ck_assert_int_eq(tdat_file_open(&in[i].file, path, NULL, NULL), TDAT_OK);
	}
	for (uint32_t i = 0; i < 2; i++) {
		const struct tdat_event *a, *b;
		struct tdat_iter *all, *one;
		size_t count = 0;

		opts.only_input = 0;
		ck_assert_int_eq(tdat_iter_new(&all, in, 2, &opts, NULL), TDAT_OK);
		opts.only_input = i + 1;
		ck_assert_int_eq(tdat_iter_new(&one, in, 2, &opts, NULL), TDAT_OK);
		for (;; count++) {
			a = next_of(all, i);
			ck_assert_int_eq(tdat_iter_next(one, &b, NULL), TDAT_OK);
			if (!a || !b)
				break;
			ck_assert(b->input == i && a->off == b->off && a->ts == b->ts &&
				  a->cpu == b->cpu && a->buffer == b->buffer);
		}
		ck_assert(!a && !b);
		ck_assert_uint_gt(count, 100);
		tdat_iter_free(all);
		tdat_iter_free(one);
	}
	for (size_t i = 0; i < 2; i++)
		tdat_file_close(in[i].file);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("seek");
	TCase *tc = tcase_create("seek");

	tcase_add_test(tc, test_spans);
	tcase_add_test(tc, test_only_input);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
