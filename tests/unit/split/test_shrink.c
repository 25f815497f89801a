/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece without what no event of it refers to prints the same text as with all,
 * in every style; and is smaller.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "../common/run.h"

struct text {
	char *v;
	size_t len, room;
};

static void put(struct text *t, struct tdat_span s)
{
	if (t->len + s.len > t->room) {
		t->room = (t->len + s.len) * 2;
		t->v = realloc(t->v, t->room);
		ck_assert_ptr_nonnull(t->v);
	}
	memcpy(t->v + t->len, s.ptr, s.len);
	t->len += s.len;
}

static void print(struct text *t, const char *path, const struct tdat_print_opts *po)
{
	struct tdat_iter_opts io = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input in = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_printer *printer;
	const struct tdat_event *e;
	struct tdat_iter *iter;
	struct tdat_span line;

	io.plugin_state = !po->raw_fields && !po->no_plugins;
	ck_assert_msg(!tdat_file_open(&in.file, path, NULL, &err), "%s", err.message);
	ck_assert_msg(!tdat_iter_new(&iter, &in, 1, &io, &err), "%s", err.message);
	ck_assert_msg(!tdat_printer_new(&printer, &in, 1, po, &err), "%s", err.message);
	for (;;) {
		ck_assert_msg(!tdat_iter_next(iter, &e, &err), "%s", err.message);
		if (!e)
			break;
		ck_assert_msg(!tdat_printer_line(printer, e, &line, &err), "%s", err.message);
		put(t, line);
	}
	tdat_printer_free(printer);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
}

/* A piece from a place on into path; its bytes. */
static uint64_t write_piece(struct tdat_file *file, const struct tdat_filter *filter,
			    uint64_t count, bool shrink, const char *path)
{
	struct tdat_split_opts o = TDAT_SPLIT_OPTS_INIT;
	struct tdat_writer_opts wo = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_split *split;
	struct tdat_writer *w;
	struct tdat_file *out;
	uint64_t len;
	bool more;

	o.filter = filter;
	o.shrink = shrink;
	o.unit = count ? TDAT_SPLIT_EVENTS : TDAT_SPLIT_ALL;
	o.count = count;
	wo.version = tdat_file_info(file)->version;
	wo.compression = "none";
	wo.force = true;
	ck_assert_msg(!tdat_split_new(&split, file, &o, &err), "%s", err.message);
	ck_assert_msg(!tdat_writer_new(&w, path, &wo, &err), "%s", err.message);
	ck_assert_msg(!tdat_split_next(split, w, &more, &err), "%s", err.message);
	ck_assert_msg(!tdat_writer_finish(w, &err), "%s", err.message);
	tdat_writer_free(w);
	tdat_split_free(split);
	ck_assert_msg(!tdat_file_open(&out, path, NULL, &err), "%s", err.message);
	len = tdat_file_info(out)->len;
	tdat_file_close(out);
	return len;
}

static void compare(const char *name, const char *whole, const char *small)
{
	static const char *const parent[] = {"parent", "offset", NULL};
	struct tdat_print_opts styles[4] = {TDAT_PRINT_OPTS_INIT, TDAT_PRINT_OPTS_INIT,
					    TDAT_PRINT_OPTS_INIT, TDAT_PRINT_OPTS_INIT};

	styles[1].raw_fields = true;
	styles[2].no_plugins = true;
	styles[3].plugin_options = parent;
	for (int i = 0; i < 4; i++) {
		struct text a = {NULL, 0, 0}, b = {NULL, 0, 0};

		print(&a, whole, &styles[i]);
		print(&b, small, &styles[i]);
		ck_assert_msg(a.len == b.len && (!a.len || !memcmp(a.v, b.v, a.len)),
			      "%s: other text in style %d", name, i);
		free(a.v);
		free(b.v);
	}
}

/* From the beginning, from the midst, and the whole file. */
static void try(const char *path)
{
	static const struct {
		const char *from;
		uint64_t count;
	} cases[] = {{NULL, 20}, {"+100ms", 20}, {"+1s", 300}, {NULL, 0}};
	const char *dir = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm"; /* each is flushed */
	char whole[64], small[64];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	ck_assert_msg(!tdat_file_open(&file, path, NULL, &err), "%s", err.message);
	if (tdat_file_info(file)->latency) {
		tdat_file_close(file);
		return;
	}
	snprintf(whole, sizeof(whole), "%s/tdat-test-XXXXXX", dir);
	snprintf(small, sizeof(small), "%s/tdat-test-XXXXXX", dir);
	close(mkstemp(whole));
	close(mkstemp(small));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tdat_filter_opts fo = TDAT_FILTER_OPTS_INIT;
		struct tdat_filter *filter;
		uint64_t a, b;

		fo.from = tdat_file_shows_seconds(file) ? cases[i].from : NULL;
		ck_assert(!tdat_filter_new(&filter, &fo, &err));
		a = write_piece(file, filter, cases[i].count, false, whole);
		b = write_piece(file, filter, cases[i].count, true, small);
		ck_assert_msg(b <= a, "%s: %llu bytes became %llu", path, (unsigned long long)a,
			      (unsigned long long)b);
		compare(path, whole, small);
		tdat_filter_free(filter);
	}
	tdat_file_close(file);
	unlink(whole);
	unlink(small);
}

static size_t try_all(const char *pattern)
{
	glob_t g;
	size_t count;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	count = g.gl_pathc;
	for (size_t i = 0; i < count; i++)
		try(g.gl_pathv[i]);
	globfree(&g);
	return count;
}

START_TEST(fixtures)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char pattern[512];

	snprintf(pattern, sizeof(pattern), "%s/valid/*.dat", dir ? dir : "tests/fixtures");
	ck_assert_uint_gt(try_all(pattern), 20);
}
END_TEST

START_TEST(shared)
{
	const char *dir = getenv("TDAT_SHARED");
	char pattern[512];

	if (!dir || access(dir, F_OK)) /* none, or tests/CMakeLists.txt wants none */
		return;
	snprintf(pattern, sizeof(pattern), "%s/corpus/files/*.dat", dir);
	ck_assert_uint_gt(try_all(pattern), 50);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("split_shrink");
	TCase *tc = tcase_create("shrink");

	tcase_set_timeout(tc, 240);
	tcase_add_test(tc, fixtures);
	tcase_add_test(tc, shared);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
