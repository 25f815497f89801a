/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on threads for several files: warnings in the order of the files, the first failure. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "../common/run.h"
#include "import/crew.h"

enum { FILES = 40 };

struct told {
	char text[4096];
	unsigned int refused_at; /* the warning that is refused; 0: none */
	unsigned int count;
};

static enum tdat_status tell(void *ctx, const char *input, uint64_t off, const char *sentence,
			     struct tdat_error *err)
{
	struct told *t = ctx;
	size_t used = strlen(t->text);

	(void)input;
	snprintf(t->text + used, sizeof(t->text) - used, "%u:%s ", (unsigned int)off, sentence);
	if (++t->count == t->refused_at)
		return tdat_error_set(err, TDAT_E_CANCELLED, off, "refused");
	return TDAT_OK;
}

static const struct tdat_emit_ops ops = {.size = sizeof(struct tdat_emit_ops), .warn = tell};

struct job {
	size_t fails; /* the file that fails after its first warning; FILES: none */
	bool done[FILES];
};

/* Every third file warns twice; earlier files take longer. */
static enum tdat_status work(void *ctx, size_t i, const struct tdat_emit *emit,
			     struct tdat_error *err)
{
	struct job *j = ctx;
	volatile unsigned int sum = 0;
	enum tdat_status st = TDAT_OK;

	for (size_t k = 0; k < (FILES - i) * 2000; k++)
		sum += (unsigned int)k;
	for (unsigned int n = 0; i % 3 == 0 && n < 2 && st == TDAT_OK; n++) {
		st = tdat_emit_warnf(emit, NULL, i, err, "%c", "ab"[n]);
		if (st == TDAT_OK && i == j->fails)
			return tdat_error_set(err, TDAT_E_DAMAGED, i, "file %zu is damaged", i);
	}
	j->done[i] = st == TDAT_OK;
	return st;
}

static const uint32_t threads[] = {1, 2, 5, 0};

START_TEST(all_done_and_told_in_order)
{
	struct told told = {.refused_at = 0};
	struct job job = {.fails = FILES};
	const struct tdat_emit emit = {&ops, &told};
	char expected[4096] = "";

	ck_assert_int_eq(import_crew_run(threads[_i], FILES, work, &job, &emit, NULL), TDAT_OK);
	for (unsigned int i = 0; i < FILES; i++) {
		size_t used = strlen(expected);

		ck_assert(job.done[i]);
		if (i % 3 == 0)
			snprintf(expected + used, sizeof(expected) - used, "%u:a %u:b ", i, i);
	}
	ck_assert_str_eq(told.text, expected);
}
END_TEST

START_TEST(the_first_failure_ends_it)
{
	struct told told = {.refused_at = 0};
	struct job job = {.fails = 6};
	const struct tdat_emit emit = {&ops, &told};
	struct tdat_error err = TDAT_ERROR_INIT;

	ck_assert_int_eq(import_crew_run(threads[_i], FILES, work, &job, &emit, &err),
			 TDAT_E_DAMAGED);
	ck_assert_str_eq(err.message, "file 6 is damaged");
	ck_assert_uint_eq(err.off, 6);
	ck_assert_str_eq(told.text, "0:a 0:b 3:a 3:b 6:a ");
}
END_TEST

START_TEST(a_refused_warning_ends_it)
{
	struct told told = {.refused_at = 4};
	struct job job = {.fails = FILES};
	const struct tdat_emit emit = {&ops, &told};
	struct tdat_error err = TDAT_ERROR_INIT;

	ck_assert_int_eq(import_crew_run(threads[_i], FILES, work, &job, &emit, &err),
			 TDAT_E_CANCELLED);
	ck_assert_str_eq(err.message, "refused");
	ck_assert_str_eq(told.text, "0:a 0:b 3:a 3:b ");
	ck_assert(job.done[0] && job.done[1] && job.done[2] && !job.done[3]);
}
END_TEST

START_TEST(no_files)
{
	const struct tdat_emit emit = {&ops, NULL};

	ck_assert_int_eq(import_crew_run(threads[_i], 0, work, NULL, &emit, NULL), TDAT_OK);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import_crew");
	TCase *tc = tcase_create("crew");
	const int n = sizeof(threads) / sizeof(threads[0]);

	tcase_add_loop_test(tc, all_done_and_told_in_order, 0, n);
	tcase_add_loop_test(tc, the_first_failure_ends_it, 0, n);
	tcase_add_loop_test(tc, a_refused_warning_ends_it, 0, n);
	tcase_add_loop_test(tc, no_files, 0, n);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
