/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files cut anywhere: opening says so in a sentence, nothing crashes, and every
 * event of every page that is still whole is given.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "unit/common/seen.h"

static const char *const names[] = {
	"x64-61-v6-tiny",      "x64-lab612-lost-v6",	"i386-61-v7-buffers",
	"x64-61-conv-v7-zlib", "i386-61-v7-zstd-sched", "s390x-61-v6-sched",
};
enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), FAR_CUTS = 200 };

static void check_cut(const char *name, const struct bytes *b, const struct seen_all *ends,
		      size_t cut)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	uint8_t *copy = bytes_cut(b, cut);
	struct seen_all got = {NULL, 0, 0, 0};
	struct tdat_file *file;
	size_t damage, want = seen_before(ends, cut);

	ck_assert_int_ne(tdat_file_open_memory(&file, copy, cut, name, NULL, &err), TDAT_OK);
	ck_assert_int_gt((int)strlen(err.message), 10);
	opts.tolerate_damage = true;
	tdat_error_reset(&err);
	if (tdat_file_open_memory(&file, copy, cut, name, &opts, &err) == TDAT_OK) {
		tdat_file_damage(file, &damage);
		ck_assert_uint_ge(damage, 1);
		seen_read(&got, file);
		tdat_file_close(file);
	} else {
		ck_assert_int_gt((int)strlen(err.message), 10);
	}
	ck_assert_msg(got.count >= want && got.count <= ends->count,
		      "%s cut at %zu: %zu events, %zu are in whole pages, %zu in all", name, cut,
		      got.count, want, ends->count);
	seen_free(&got);
	free(copy);
}

START_TEST(cut_anywhere)
{
	struct seen_all ends = {NULL, 0, 0, 0};
	const char *dir = getenv("TDAT_FIXTURES");
	struct tdat_file *file;
	uint32_t seed = 12345;
	struct bytes b;
	char path[4096];
	size_t i;

	ck_assert_ptr_nonnull(dir);
	snprintf(path, sizeof(path), "%s/valid/%s.dat", dir, names[_i]);
	bytes_load(&b, path);
	ck_assert_int_eq(tdat_file_open_memory(&file, b.ptr, b.len, names[_i], NULL, NULL),
			 TDAT_OK);
	seen_read(&ends, file);
	ck_assert_uint_gt(ends.count, 0);
	tdat_file_close(file);
	for (i = 0; i < 4096; i++)
		check_cut(names[_i], &b, &ends, i);
	for (i = 0; i < FAR_CUTS; i++) {
		seed = seed * 1664525 + 1013904223;
		check_cut(names[_i], &b, &ends, 4096 + seed % (b.len - 4096));
	}
	seen_free(&ends);
	free(b.ptr);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cut");
	TCase *t = tcase_create("cut");

	tcase_add_loop_test(t, cut_anywhere, 0, NAME_COUNT);
	suite_add_tcase(s, t);
	return run_suite(s);
}
