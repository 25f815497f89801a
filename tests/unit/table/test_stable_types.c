/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry of ABI-stable events. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/event.h>
#include <tdat/file.h>

#include "model/format.h"
#include "table/stable_types.h"

#include "../common/run.h"

static const char format_text[] =
	"name: kmalloc\nID: 400\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\n"
	"\tfield:gfp_t gfp_flags;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:int node;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 order;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

/* Each event comes after the one before it: the registry is searched by halves. */
START_TEST(sorted)
{
	const char *columns, *name, *last = NULL;

	for (size_t i = 0; (name = table_stable_event(i, &columns)); i++) {
		const size_t n = strcspn(name, "/"), k = last ? strcspn(last, "/") : 0;
		const int by_system = last ? strncmp(last, name, n > k ? n : k) : -1;

		ck_assert_msg(by_system < 0 ||
				      (n == k && !by_system && strcmp(last + k, name + n) < 0),
			      "%s is before %s", last, name);
		ck_assert(*columns);
		last = name;
	}
}
END_TEST

static struct table_column column_of(const struct tdat_event_format *f, const char *name)
{
	const struct tdat_field *field = tdat_event_format_field(f, name);
	struct table_column c = {.type = TABLE_INT};

	ck_assert(field);
	c.len = (uint8_t)field->len;
	c.is_signed = field->flags & TDAT_FIELD_SIGNED;
	table_stable_type(field, &c);
	return c;
}

/* A narrower field is widened; a field that the registry does not have stays. */
START_TEST(widened)
{
	struct tdat_event_format *f;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_span text = {(const uint8_t *)format_text, sizeof(format_text) - 1};

	ck_assert_msg(model_format_parse(&f, "kmem", text, 0, false, 4, &err) == TDAT_OK, "%s",
		      err.message);
	ck_assert_int_eq(column_of(f, "gfp_flags").len, 8);
	ck_assert(!column_of(f, "gfp_flags").is_signed);
	ck_assert_int_eq(column_of(f, "node").len, 4);
	ck_assert_int_eq(column_of(f, "order").len, 8);
	model_format_free(f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stable_types");
	TCase *tc = tcase_create("stable_types");

	tcase_add_test(tc, sorted);
	tcase_add_test(tc, widened);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
