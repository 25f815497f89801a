/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Batches of a column of names whose first ones have only nulls: names of later ones are whole. */
#include <string.h>

#include <check.h>

#include "../common/run.h"
#include "table/row.h"

static void check_batch(struct table_builder *b, enum table_give give, const char *name)
{
	struct ArrowArray a;
	const int32_t *ends;

	ck_assert(table_builder_array(b, &a, give));
	ck_assert_int_eq(a.length, 1);
	ck_assert_int_eq(a.dictionary->length, name != NULL);
	ends = a.dictionary->buffers[1];
	ck_assert_int_eq(ends[0], 0);
	if (name) {
		ck_assert_int_eq(ends[1], (int)strlen(name));
		ck_assert_mem_eq(a.dictionary->buffers[2], name, strlen(name));
	}
	a.release(&a);
	table_builder_clear(b);
}

START_TEST(test_nulls_first)
{
	const struct table_column column = {.name = "n", .type = TABLE_NAME, .may_be_null = true};
	const enum table_give give = _i ? TABLE_MOVE : TABLE_LEND;
	struct table_builder b, *list[] = {&b};
	struct table_row row = {.builders = list};

	ck_assert(table_builder_init(&b, &column));
	for (size_t i = 0; i < 3; i++) {
		row.at = 0;
		row_put_str(&row, i < 2 ? NULL : "end");
		check_batch(&b, give, i < 2 ? NULL : "end");
	}
	ck_assert(!row.failed);
	table_builder_fini(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dict");
	TCase *tc = tcase_create("names");

	tcase_add_loop_test(tc, test_nulls_first, 0, 2);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
