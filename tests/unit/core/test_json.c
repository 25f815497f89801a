/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the JSON writer: nesting, exact integers, escapes, bytes that are no UTF-8. */
#include <check.h>

#include "../common/run.h"
#include "core/json_writer.h"

struct out {
	struct tdat_build text;
	struct tdat_json j;
};

static void begin(struct out *o, bool pretty)
{
	tdat_build_init(&o->text, false);
	o->j = (struct tdat_json){.out = &o->text, .pretty = pretty};
}

static void expect(struct out *o, const char *text)
{
	tdat_build_u8(&o->text, '\0');
	ck_assert(!o->text.failed);
	ck_assert_str_eq((const char *)o->text.ptr, text);
	tdat_build_fini(&o->text);
}

static void expect_string(const char *in, size_t len, const char *text)
{
	struct out o;

	begin(&o, false);
	tdat_json_strn(&o.j, NULL, in, len);
	expect(&o, text);
}

START_TEST(test_nesting_compact)
{
	struct out o;

	begin(&o, false);
	tdat_json_object(&o.j, NULL);
	tdat_json_u64(&o.j, "a", 1);
	tdat_json_array(&o.j, "b");
	tdat_json_bool(&o.j, NULL, true);
	tdat_json_null(&o.j, NULL);
	tdat_json_object(&o.j, NULL);
	tdat_json_object_end(&o.j);
	tdat_json_array_end(&o.j);
	tdat_json_str(&o.j, "c", NULL);
	tdat_json_object_end(&o.j);
	expect(&o, "{\"a\":1,\"b\":[true,null,{}],\"c\":null}");
}
END_TEST

START_TEST(test_nesting_pretty)
{
	struct out o;

	begin(&o, true);
	tdat_json_object(&o.j, NULL);
	tdat_json_array(&o.j, "b");
	tdat_json_array_end(&o.j);
	tdat_json_array(&o.j, "c");
	tdat_json_u64(&o.j, NULL, 2);
	tdat_json_array_end(&o.j);
	tdat_json_object_end(&o.j);
	expect(&o, "{\n  \"b\": [],\n  \"c\": [\n    2\n  ]\n}");
}
END_TEST

START_TEST(test_exact_integers)
{
	struct out o;

	begin(&o, false);
	tdat_json_array(&o.j, NULL);
	tdat_json_u64(&o.j, NULL, UINT64_MAX);
	tdat_json_i64(&o.j, NULL, INT64_MIN);
	tdat_json_array_end(&o.j);
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
	Suite *s = suite_create("json");
	TCase *tc = tcase_create("json");

	tcase_add_test(tc, test_nesting_compact);
	tcase_add_test(tc, test_nesting_pretty);
	tcase_add_test(tc, test_exact_integers);
	tcase_add_test(tc, test_string_escapes);
	tcase_add_test(tc, test_string_invalid_utf8);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
