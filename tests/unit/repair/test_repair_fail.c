/* SPDX-License-Identifier: GPL-2.0-or-later */
/* After a repair that failed in its midst no file can be made of what the writer holds. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/run.h"
#include "make_damaged.h"

/* Ends the repair with the given status at its first finding; err stays as it was. */
static enum tdat_status refuse(void *ctx, const struct tdat_finding *finding,
			       struct tdat_error *err)
{
	(void)finding;
	(void)err;
	return *(const enum tdat_status *)ctx;
}

/* The same with a sentence. */
static enum tdat_status refuse_aloud(void *ctx, const struct tdat_finding *finding,
				     struct tdat_error *err)
{
	(void)finding;
	return tdat_error_set(err, *(const enum tdat_status *)ctx, TDAT_NO_OFFSET, "enough");
}

static void fail_with(const struct tdat_file *file, tdat_finding_fn fn, enum tdat_status status,
		      const char *sentence)
{
	char dir[] = "/tmp/tdat-fail-XXXXXX", path[64];
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/new.dat", dir);
	opts.version = tdat_file_info(file)->version;
	opts.threads = 1;
	ck_assert_int_eq(tdat_writer_new(&w, path, &opts, &err), TDAT_OK);
	ck_assert_int_eq(tdat_repair(w, file, NULL, fn, &status, NULL, &err), status);
	tdat_error_reset(&err);
	ck_assert_int_eq(tdat_writer_finish(w, &err), status);
	ck_assert_msg(strstr(err.message, sentence) != NULL, "%s", err.message);
	tdat_writer_free(w);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(rmdir(dir), 0);
}

START_TEST(stopped_by_findings)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	struct damaged d;

	damaged_make(&d, _i ? 7 : 6, false, NULL, 300);
	opts.tolerate_damage = true;
	/* Cut in its CPU data: opening finds that, and the first finding comes. */
	ck_assert_msg(tdat_file_open_memory(&file, d.ptr, d.len - 5000, "cut", &opts, &err) ==
			      TDAT_OK,
		      "%s", err.message);
	fail_with(file, refuse, TDAT_E_LIMIT, "failed");
	fail_with(file, refuse, TDAT_E_USAGE, "failed");
	fail_with(file, refuse_aloud, TDAT_E_DAMAGED, "enough");
	tdat_file_close(file);
	damaged_free(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("repair_fail");
	TCase *t = tcase_create("repair_fail");

	tcase_add_loop_test(t, stopped_by_findings, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
