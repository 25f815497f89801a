/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The index of a deep function stack against a search from the start, at random. */
#include <check.h>
#include <stdlib.h>

#include "../common/run.h"
#include "model/name_index.h"

static size_t search(const uint32_t *ids, size_t count, uint32_t id)
{
	size_t i = 0;

	while (i < count && ids[i] != id)
		i++;
	return i;
}

/* ids: how many different ones; few make long runs of equal ids. */
static void compare(uint32_t kinds)
{
	enum { PLACES = 700, ROUNDS = 20000 };
	uint32_t ids[PLACES] = {0}, x = kinds;
	struct name_index ix = {0};
	size_t count = 600;

	for (size_t i = 0; i < count; i++)
		ids[i] = 1 + (uint32_t)i % kinds;
	ck_assert(name_index_make(&ix, ids, count));
	for (int round = 0; round < ROUNDS; round++) {
		size_t place;

		x = x * 1664525u + 1013904223u;
		place = (x >> 8) % (count + (count < PLACES));
		if (place < count)
			name_index_remove(&ix, ids, place);
		else
			count++;
		ids[place] = 1 + (x >> 20) % kinds;
		ck_assert(name_index_add(&ix, ids, place));
		for (uint32_t id = 1; id < 4; id++)
			ck_assert_uint_eq(name_index_find(&ix, ids, id, count),
					  search(ids, count, id));
		ck_assert_uint_eq(name_index_find(&ix, ids, kinds + 1, count), count);
	}
	name_index_fini(&ix);
}

START_TEST(test_as_a_search_from_the_start)
{
	static const uint32_t kinds[] = {1, 2, 7, 300, 5000};

	compare(kinds[_i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("name index");
	TCase *tc = tcase_create("name index");

	tcase_add_loop_test(tc, test_as_a_search_from_the_start, 0, 5);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
