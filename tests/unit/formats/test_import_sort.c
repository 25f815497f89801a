/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the external sort of importers: in memory, with runs on disk, and its failures. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/endian.h"
#include "import/sort.h"

/* As ck_assert, but free when it holds: that writes to a pipe each time. */
#define EXPECT(cond)                                                                               \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ck_abort_msg("%s", #cond);                                                 \
	} while (0)

struct seen {
	uint64_t count;
	uint64_t ts;
	uint32_t cpu;
	uint32_t serial;
	uint64_t sum;
};

/* Records hold a serial number and then bytes made of it. */
static size_t make(uint8_t *buf, uint32_t serial, size_t max)
{
	size_t len = 4 + serial % max;

	tdat_store32(buf, serial, false);
	memset(buf + 4, (int)(serial & 0xff), len - 4);
	return len;
}

static enum tdat_status on_record(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span data,
				  struct tdat_error *err)
{
	struct seen *s = ctx;
	uint32_t serial;

	(void)err;
	EXPECT(data.len >= 4);
	serial = tdat_load32(data.ptr, false);
	for (size_t i = 4; i < data.len; i++)
		EXPECT(data.ptr[i] == (serial & 0xff));
	if (s->count) {
		EXPECT(ts >= s->ts);
		EXPECT(ts != s->ts || cpu >= s->cpu);
		EXPECT(ts != s->ts || cpu != s->cpu || serial > s->serial);
	}
	*s = (struct seen){s->count + 1, ts, cpu, serial, s->sum + serial};
	return TDAT_OK;
}

static void sort_many(uint32_t count, size_t memory, size_t max, uint64_t ts_range)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct import_sort *s;
	struct seen seen = {0};
	uint64_t x = 88172645463325252ull, sum = 0;
	uint8_t *buf = malloc(4 + max);

	ck_assert_ptr_nonnull(buf);
	ck_assert_int_eq(import_sort_new(&s, memory, &err), TDAT_OK);
	for (uint32_t i = 0; i < count; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		EXPECT(import_sort_add(s, x % ts_range, (uint32_t)(x >> 32) % 3, buf,
				       make(buf, i, max), &err) == TDAT_OK);
		sum += i;
	}
	ck_assert_msg(import_sort_each(s, on_record, &seen, &err) == TDAT_OK, "%s", err.message);
	ck_assert_uint_eq(seen.count, count);
	ck_assert_uint_eq(seen.sum, sum);
	ck_assert_int_eq(import_sort_add(s, 1, 0, buf, 1, &err), TDAT_E_USAGE);
	import_sort_free(s);
	free(buf);
}

START_TEST(in_memory)
{
	sort_many(0, 0, 1, 10);
	sort_many(1, 0, 1, 10);
	sort_many(5000, 0, 40, 1000);
}
END_TEST

START_TEST(one_merge)
{
	sort_many(20000, 256 * 1024, 60, 1u << 20);
	sort_many(20000, 256 * 1024, 60, 7);
}
END_TEST

/* 64 KiB hold about 1200 records and 3 runs: five rounds of merging. */
START_TEST(many_rounds)
{
	sort_many(200000, 1, 60, 100000);
}
END_TEST

START_TEST(long_records)
{
	sort_many(300, 1, 200000, 50);
}
END_TEST

static enum tdat_status stop(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span data,
			     struct tdat_error *err)
{
	(void)ctx, (void)ts, (void)cpu, (void)data;
	return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough");
}

START_TEST(callback_stops)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct import_sort *s;

	ck_assert_int_eq(import_sort_new(&s, 0, &err), TDAT_OK);
	ck_assert_int_eq(import_sort_add(s, 1, 2, "abcd", 4, &err), TDAT_OK);
	ck_assert_int_eq(import_sort_each(s, stop, NULL, &err), TDAT_E_CANCELLED);
	import_sort_free(s);
	import_sort_free(NULL);
}
END_TEST

START_TEST(no_tmpdir)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct import_sort *s;
	uint8_t big[40000] = {0};
	enum tdat_status st = TDAT_OK;

	setenv("TMPDIR", "/nonexistent/folder", 1);
	ck_assert_int_eq(import_sort_new(&s, 1, &err), TDAT_OK);
	for (int i = 0; i < 4 && st == TDAT_OK; i++)
		st = import_sort_add(s, 1, 2, big, sizeof(big), &err);
	ck_assert_int_eq(st, TDAT_E_SYSTEM);
	ck_assert_msg(strstr(err.message, "/nonexistent/folder"), "%s", err.message);
	import_sort_free(s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import_sort");
	TCase *tc = tcase_create("sort");

	tcase_add_test(tc, in_memory);
	tcase_add_test(tc, one_merge);
	tcase_add_test(tc, many_rounds);
	tcase_add_test(tc, long_records);
	tcase_add_test(tc, callback_stops);
	tcase_add_test(tc, no_tmpdir);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
