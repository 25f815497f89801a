/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the JSON writer: nesting, exact integers, escapes, bytes that are no UTF-8. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "output/json_writer.h"

struct out {
	char *text;
	size_t len;
	struct cli_json j;
};

static void begin(struct out *o, bool pretty)
{
	FILE *to = open_memstream(&o->text, &o->len);

	ck_assert_ptr_nonnull(to);
	cli_json_init(&o->j, to, pretty);
}

static void expect(struct out *o, const char *text)
{
	ck_assert_int_eq(fclose(o->j.to), 0);
	ck_assert_str_eq(o->text, text);
	free(o->text);
}

static void expect_string(const char *in, size_t len, const char *text)
{
	struct out o;

	begin(&o, false);
	cli_json_strn(&o.j, NULL, in, len);
	expect(&o, text);
}

START_TEST(test_nesting_compact)
{
	struct out o;

	begin(&o, false);
	cli_json_object(&o.j, NULL);
	cli_json_u64(&o.j, "a", 1);
	cli_json_array(&o.j, "b");
	cli_json_bool(&o.j, NULL, true);
	cli_json_null(&o.j, NULL);
	cli_json_object(&o.j, NULL);
	cli_json_object_end(&o.j);
	cli_json_array_end(&o.j);
	cli_json_str(&o.j, "c", NULL);
	cli_json_object_end(&o.j);
	cli_json_end(&o.j);
	expect(&o, "{\"a\":1,\"b\":[true,null,{}],\"c\":null}\n");
}
END_TEST

START_TEST(test_nesting_pretty)
{
	struct out o;

	begin(&o, true);
	cli_json_object(&o.j, NULL);
	cli_json_array(&o.j, "b");
	cli_json_array_end(&o.j);
	cli_json_array(&o.j, "c");
	cli_json_u64(&o.j, NULL, 2);
	cli_json_array_end(&o.j);
	cli_json_object_end(&o.j);
	cli_json_end(&o.j);
	expect(&o, "{\n  \"b\": [],\n  \"c\": [\n    2\n  ]\n}\n");
}
END_TEST

START_TEST(test_exact_integers)
{
	struct out o;

	begin(&o, false);
	cli_json_array(&o.j, NULL);
	cli_json_u64(&o.j, NULL, UINT64_MAX);
	cli_json_i64(&o.j, NULL, INT64_MIN);
	cli_json_array_end(&o.j);
	expect(&o, "[18446744073709551615,-9223372036854775808]");
}
END_TEST

START_TEST(test_string_escapes)
{
	expect_string("a\"b\\c\n\t/", 8, "\"a\\\"b\\\\c\\n\\t/\"");
	expect_string("\x1b[31m\0\x7f", 7, "\"\\u001b[31m\\u0000\\u007f\"");
	expect_string("\xc2\x9b", 2, "\"\\u009b\"");
	expect_string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
		      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
}
END_TEST

START_TEST(test_string_invalid_utf8)
{
	expect_string("\xff", 1, "\"\xef\xbf\xbd\"");
	expect_string("a\xc3", 2, "\"a\xef\xbf\xbd\"");
	/* Overlong '/', a surrogate, above U+10FFFF: each byte is replaced. */
	expect_string("\xc0\xaf", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	expect_string("\xe0\x80\xaf", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	expect_string("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	expect_string("\xf4\x90\x80\x80", 4,
		      "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	/* The byte after a cut character is not swallowed. */
	expect_string("\xe2\x82x", 3, "\"\xef\xbf\xbd\xef\xbf\xbdx\"");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cli json");
	TCase *tc = tcase_create("json");

	tcase_add_test(tc, test_nesting_compact);
	tcase_add_test(tc, test_nesting_pretty);
	tcase_add_test(tc, test_exact_integers);
	tcase_add_test(tc, test_string_escapes);
	tcase_add_test(tc, test_string_invalid_utf8);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
