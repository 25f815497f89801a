/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times of a filter: how they are written, and what they are at the ends of a clock. */
#include <string.h>

#include "../common/run.h"
#include "read/select_time.h"

static const uint64_t second = 1000000000;

/* A clock of nanoseconds with events from first to last. */
static uint64_t ns(const char *text, uint64_t first, uint64_t last)
{
	const struct select_span span = {true, false, true, first, last, false, NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct select_time t;
	uint64_t ts = 1;

	ck_assert_msg(select_time_parse(&t, "from", text, &err) == TDAT_OK, "%s", err.message);
	ck_assert_msg(select_time_resolve(&t, &span, &ts, &err) == TDAT_OK, "%s", err.message);
	return ts;
}

START_TEST(units)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} v[] = {
		{"0", 0},
		{"1", 1000000000},
		{"12.5", 12500000000},
		{"1ns", 1},
		{"1us", 1000},
		{"1.001us", 1001},
		{"1ms", 1000000},
		{"1s", 1000000000},
		{"1m", 60000000000},
		{"1h", 3600000000000},
		{"0.5h", 1800000000000},
		{"0.000000001", 1},
		{"0.0000000009", 0},
		{"0.9ns", 0},
		{"007", 7000000000},
		/* digits that are too small to count are read over */
		{"1.00000000000099999999999999999999", 1000000000},
		{"0.999999999999h", 3599999999996},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		ck_assert_msg(ns(v[i].text, 0, 0) == v[i].ns, "%s: %llu", v[i].text,
			      (unsigned long long)ns(v[i].text, 0, 0));
}
END_TEST

START_TEST(relative)
{
	ck_assert_uint_eq(ns("+1s", 5, 9), second + 5);
	ck_assert_uint_eq(ns("-4ns", 5, 9), 5);
	ck_assert_uint_eq(ns("+0", 5, 9), 5);
	ck_assert_uint_eq(ns("-0", 5, 9), 9);
	ck_assert_uint_eq(ns("-10ns", 5, 9), 0); /* before all clocks */
	ck_assert_uint_eq(ns("-9ns", 5, 9), 0);
}
END_TEST

static void too_late(const char *text, uint64_t first)
{
	const struct select_span span = {true, false, true, first, UINT64_MAX, false, NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct select_time t;
	uint64_t ts;

	ck_assert_int_eq(select_time_parse(&t, "from", text, &err), TDAT_OK);
	ck_assert_int_eq(select_time_resolve(&t, &span, &ts, &err), TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "does not fit in 64 bits"));
}

/* Before the clock's beginning it is the beginning; behind its end there is no time. */
START_TEST(ends)
{
	const uint64_t last = UINT64_MAX;

	ck_assert_uint_eq(ns("18446744073709551615ns", 0, 0), UINT64_MAX);
	ck_assert_uint_eq(ns("18446744073.709551615", 0, 0), UINT64_MAX);
	ck_assert_uint_eq(ns("18446744073.709551614", 0, 0), UINT64_MAX - 1);
	ck_assert_uint_eq(ns("+1ns", last - 1, last), UINT64_MAX);
	too_late("18446744073.709551616", 0);
	too_late("18446744073709551615h", 0);
	too_late("+1ns", last);
	too_late("+18446744073709551615h", 0);
	ck_assert_uint_eq(ns("-18446744073709551615ns", 0, last), 0);
	ck_assert_uint_eq(ns("-18446744073709551615h", 0, last), 0);
	ck_assert_uint_eq(ns("-18446744073709551614ns", 0, last), 1);
}
END_TEST

static const struct {
	const char *text, *column;
} bad[] = {
	{"", "column 1"},
	{"+", "column 2"},
	{"-", "column 2"},
	{"x", "column 1"},
	{"1.", "column 3"},
	{".5", "column 1"},
	{"1x", "column 2"},
	{"1 s", "column 2"},
	{"1sec", "column 2"},
	{"1.5.5", "column 4"},
	{"--1", "column 2"},
	{"1e3", "column 2"},
	{" 1", "column 1"},
	{"0x1", "column 2"},
	{"18446744073709551616", "column"},
	{"99999999999999999999999999", "column"},
};

START_TEST(refused)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct select_time t;

	ck_assert_int_eq(select_time_parse(&t, "to", bad[_i].text, &err), TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "is not a time for 'to'"));
	ck_assert_msg(strstr(err.message, bad[_i].column) != NULL, "%s", err.message);
	ck_assert_int_eq(select_time_parse(&t, "to", bad[_i].text, NULL), TDAT_E_USAGE);
}
END_TEST

struct tick_case {
	const char *text;
	enum tdat_status st;
	uint64_t ts;
};

/* What is refused is refused with a sentence that has the words of why. */
static void resolve_all(const struct tick_case *v, size_t count, const struct select_span *span,
			const char *why)
{
	for (size_t i = 0; i < count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct select_time t;
		uint64_t ts = 0;

		ck_assert_int_eq(select_time_parse(&t, "from", v[i].text, &err), TDAT_OK);
		ck_assert_int_eq(select_time_resolve(&t, span, &ts, &err), v[i].st);
		ck_assert_uint_eq(ts, v[i].ts);
		ck_assert(v[i].st == TDAT_OK || strstr(err.message, why));
	}
}

/* A clock that counts something else has whole ticks only. */
START_TEST(ticks)
{
	const struct select_span span = {false, false, true, 100, 200, false, NULL};
	static const struct tick_case v[] = {
		{"150", TDAT_OK, 150},	    {"+7", TDAT_OK, 107},
		{"-7", TDAT_OK, 193},	    {"150.0", TDAT_OK, 150},
		{"-201", TDAT_OK, 0},	    {"+18446744073709551515", TDAT_OK, UINT64_MAX},
		{"150ns", TDAT_E_USAGE, 0}, {"1.5", TDAT_E_USAGE, 0},
		{"+1s", TDAT_E_USAGE, 0},
	};

	resolve_all(v, sizeof(v) / sizeof(v[0]), &span, "must be a whole number");
}
END_TEST

/* Raw stamps of nanoseconds: a number alone is one of them, and units may follow. */
START_TEST(raw_nanoseconds)
{
	const struct select_span span = {false, true, true, 100, 200, false, NULL};
	static const struct tick_case v[] = {
		{"150", TDAT_OK, 150},	      {"+7", TDAT_OK, 107},
		{"150ns", TDAT_OK, 150},      {"-0.007us", TDAT_OK, 193},
		{"1.5", TDAT_E_USAGE, 0},     {"1.5s", TDAT_OK, 1500000000},
		{"+1s", TDAT_OK, 1000000100},
	};

	resolve_all(v, sizeof(v) / sizeof(v[0]), &span, "needs a unit");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("select_time");
	TCase *t = tcase_create("select_time");

	tcase_add_test(t, units);
	tcase_add_test(t, relative);
	tcase_add_test(t, ends);
	tcase_add_loop_test(t, refused, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(t, ticks);
	tcase_add_test(t, raw_nanoseconds);
	suite_add_tcase(s, t);
	return run_suite(s);
}
