/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the text of the progress line. */
#include <check.h>
#include <stdlib.h>

#include "../common/run.h"
#include "terminal/progress.h"

static const uint64_t second = 1000000000;

static void expect(uint64_t done, uint64_t total, const char *unit, uint64_t ns, const char *text)
{
	char out[256];

	cli_progress_text(out, sizeof(out), "copying", done, total, unit, ns);
	ck_assert_str_eq(out, text);
}

START_TEST(test_bytes)
{
	expect(250000000, 1000000000, "bytes", 2 * second,
	       "copying: 25 %, 250 MB of 1.0 GB, 125 MB/s, 0:06 left");
	expect(1, 100000, "bytes", second, "copying: 0 %, 1 B of 100 kB, 1 B/s, 27:46:39 left");
	expect(999, 999, "bytes", second, "copying: 100 %, 999 B of 999 B, 999 B/s, 0:00 left");
	expect(UINT64_MAX / 2, UINT64_MAX, "bytes", second,
	       "copying: 50 %, 9223372 TB of 18446744 TB, 9223372 TB/s, 0:01 left");
}
END_TEST

START_TEST(test_unknown)
{
	expect(12345, 0, "events", 3 * second, "copying: 12345 events, 4115 events/s");
	expect(0, 100, "bytes", second, "copying: 0 B, 0 B/s");
	expect(200, 100, "bytes", 2 * second, "copying: 200 B, 100 B/s");
	expect(5, 0, "bytes", 0, "copying: 5 B, 0 B/s");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("progress");
	TCase *t = tcase_create("text");

	suite_add_tcase(s, t);
	tcase_add_test(t, test_bytes);
	tcase_add_test(t, test_unknown);
	return run_suite(s);
}
