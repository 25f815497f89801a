/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests numbers for people: three digits, and what they round to. */
#include <check.h>
#include <stdio.h>

#include "../common/run.h"
#include "terminal/units.h"

static const struct {
	uint64_t value;
	const char *count, *bytes, *ns, *exact_ns;
} table[] = {
	{0, "0", "0 bytes", "0 ns", "0.000000000 s"},
	{1, "1", "1 byte", "1 ns", "0.000000001 s"},
	{999, "999", "999 bytes", "999 ns", "0.000000999 s"},
	{1000, "1.00 k", "1.00 kB", "1.00 us", "0.000001000 s"},
	{9994, "9.99 k", "9.99 kB", "9.99 us", "0.000009994 s"},
	{9996, "10.0 k", "10.0 kB", "10.0 us", "0.000009996 s"},
	{99960, "100 k", "100 kB", "100 us", "0.000099960 s"},
	{999499, "999 k", "999 kB", "999 us", "0.000999499 s"},
	{999950, "1.00 M", "1.00 MB", "1.00 ms", "0.000999950 s"},
	{264241152, "264 M", "264 MB", "264 ms", "0.264241152 s"},
	{74419506513, "74.4 G", "74.4 GB", "74.4 s", "74.419506513 s"},
	{1146000000000, "1.15 T", "1.15 TB", "19.1 min", "1146.000000000 s"},
	{65880000000000, "65.9 T", "65.9 TB", "18.3 h", "65880.000000000 s"},
	{UINT64_MAX, "18.4 E", "18.4 EB", "213504 days", "18446744073.709551615 s"},
};

START_TEST(three_digits)
{
	char buf[CLI_UNIT_ROOM], digits[CLI_UNIT_ROOM];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const uint64_t v = table[i].value;

		ck_assert_str_eq(cli_unit_count(buf, v, false), table[i].count);
		ck_assert_str_eq(cli_unit_bytes(buf, v, false), table[i].bytes);
		ck_assert_str_eq(cli_unit_ns(buf, v, false), table[i].ns);
		ck_assert_str_eq(cli_unit_ns(buf, v, true), table[i].exact_ns);
		snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);
		ck_assert_str_eq(cli_unit_count(buf, v, true), digits);
	}
}
END_TEST

START_TEST(shares)
{
	char buf[CLI_UNIT_ROOM];

	ck_assert_str_eq(cli_unit_share(buf, 1, 3), "33.3 %");
	ck_assert_str_eq(cli_unit_share(buf, 3, 3), "100.0 %");
	ck_assert_str_eq(cli_unit_share(buf, 0, 3), "0.0 %");
	ck_assert_str_eq(cli_unit_share(buf, 0, 0), "-");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("units");
	TCase *t = tcase_create("text");

	suite_add_tcase(s, t);
	tcase_add_test(t, three_digits);
	tcase_add_test(t, shares);
	return run_suite(s);
}
