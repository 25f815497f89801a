/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests sums and quantiles of many numbers against those of a sorted copy. */
#include <stdlib.h>
#include <string.h>

#include "../common/asserts.h"
#include "../common/run.h"
#include "summary/values.h"

enum { LIST = 3, MOST = 60000, MANY = 700000, PARTS = 5, KINDS = 5 };
static const uint32_t parts[PARTS] = {1, 500, 900, 999, 1000};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 11 ^ *state << 40;
}

/* Numbers of some kinds: few different ones, times, any of 64 bits, the ends of the range, ... */
static int64_t number(int kind, uint64_t *state)
{
	const uint64_t r = next_random(state);

	switch (kind) {
	case 4: /* nearly all in a small part of the range */
		return r % 1000 ? (int64_t)(r % 100000) + (INT64_C(1) << 40) : (int64_t)(r % 9);
	case 0:
		return (int64_t)(r % 7) - 3;
	case 1:
		return (int64_t)(r % 1000000 >> r % 20);
	case 2:
		return (int64_t)r;
	default:
		return r % 2 ? INT64_MAX - (int64_t)(r % 3) : INT64_MIN + (int64_t)(r % 5);
	}
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The least number that at least part of 1000 of all are not greater than. */
static int64_t rank_of(const int64_t *sorted, size_t count, uint32_t part)
{
	return sorted[(count * part + 999) / 1000 - 1];
}

/* Whether what was rounded down is less than one part in 128 too low. */
static bool is_near(int64_t got, int64_t want)
{
	const double size = want < 0 ? -(double)want : (double)want;
	const double off = (double)want - (double)got;

	return (off < 0 ? -off : off) <= size / 128;
}

/* How many numbers lie between powers of two; rounding changes nothing. */
static void compare_log2(const struct summary_values *list, const int64_t *numbers, size_t count)
{
	uint64_t got[TDAT_GROUP_LOG2], want[TDAT_GROUP_LOG2] = {0};

	for (size_t i = 0; i < count; i++) {
		size_t bits = 0;

		while (numbers[i] > 0 && bits < 63 && numbers[i] >> bits)
			bits++;
		want[bits]++;
	}
	summary_values_log2(list, LIST, got);
	ck_assert_mem_eq(got, want, sizeof(want));
}

/* The same between any bounds, here powers of two: all numbers of one bit length in one place. */
static void compare_histogram(const struct summary_values *list)
{
	uint64_t log2[TDAT_GROUP_LOG2], got[64];
	int64_t bounds[63];

	for (size_t i = 0; i < 63; i++)
		bounds[i] = INT64_C(1) << i;
	summary_values_log2(list, LIST, log2);
	summary_values_histogram(list, LIST, bounds, 63, got);
	ck_assert_mem_eq(got, log2, sizeof(got));
}

static void compare(int kind, size_t count, size_t most)
{
	struct summary_values list[LIST], all;
	struct summary_values_pool pool = SUMMARY_VALUES_POOL_INIT;
	int64_t *numbers = calloc(count + 1, sizeof(*numbers)), got[PARTS];
	uint64_t state = 1 + (uint64_t)kind + count;

	memset(list, 0, sizeof(list));
	memset(&all, 0, sizeof(all));
	ck_assert_ptr_nonnull(numbers);
	pool.most = most;
	for (size_t i = 0; i < count; i++) {
		numbers[i] = number(kind, &state);
		ck_assert(summary_values_add(&list[i % 5 % LIST], &pool, numbers[i]));
	}
	for (size_t i = 0; i < LIST; i++)
		summary_values_add_sums(&all, &list[i]);
	qsort(numbers, count, sizeof(*numbers), by_value);
	ck_assert_uint_eq(all.total, count);
	ck_assert(summary_values_quantiles(list, LIST, parts, PARTS, got));
	for (size_t i = 0; i < PARTS && count; i++) {
		const int64_t want = rank_of(numbers, count, parts[i]);

		ck_assert(pool.rounded ? is_near(got[i], want) : got[i] == want);
	}
	if (count) {
		ck_assert_int_eq(all.least, numbers[0]);
		ck_assert_int_eq(all.greatest, numbers[count - 1]);
	} else {
		ck_assert_int_eq(got[1], 0);
	}
	compare_log2(list, numbers, count);
	compare_histogram(list);
	for (size_t i = 0; i < LIST; i++)
		summary_values_fini(&list[i]);
	free(numbers);
}

START_TEST(exact)
{
	static const size_t counts[] = {0, 1, 2, 7, 63, 64, 65, 511, 512, 513, 5000, MOST, MANY};

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
			compare(kind, counts[i], 64u << 20);
}
END_TEST

/* With little memory pairs are made, and when these do not suffice numbers are rounded. */
START_TEST(with_little_memory)
{
	static const size_t most[] = {0, 1000, 64u << 10, 256u << 10, 1u << 20, 2u << 20};

	for (int kind = 0; kind < 3; kind++)
		for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++)
			compare(kind, MOST, most[i]);
}
END_TEST

/* Few different numbers stay exact in little memory, as each is kept once. */
START_TEST(joined)
{
	struct summary_values d;
	struct summary_values_pool pool = SUMMARY_VALUES_POOL_INIT;
	int64_t got[PARTS];

	memset(&d, 0, sizeof(d));
	pool.most = 64u << 10;
	for (int64_t i = 0; i < 100000; i++)
		ck_assert(summary_values_add(&d, &pool, i % 1000 * 1000001));
	ck_assert(!pool.rounded);
	ck_assert(summary_values_quantiles(&d, 1, parts, PARTS, got));
	ck_assert_int_eq(got[0], 0);
	ck_assert_int_eq(got[1], INT64_C(499) * 1000001);
	ck_assert_int_eq(got[4], INT64_C(999) * 1000001);
	ck_assert_int_eq(summary_values_mean(&d), INT64_C(999) * 1000001 / 2);
	summary_values_fini(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("values");
	TCase *tc = tcase_create("values");

	tcase_add_test(tc, exact);
	tcase_add_test(tc, with_little_memory);
	tcase_add_test(tc, joined);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
