/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of an arena is zeroed, aligned, its own, and stays where it is; sizes cannot overflow. */
#include <check.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "../common/run.h"
#include "core/arena.h"

enum { PIECES = 2000 };

START_TEST(pieces)
{
	static uint8_t *piece[PIECES];
	static size_t len[PIECES];
	struct tdat_arena a = {NULL, 0, 0};

	for (size_t i = 0; i < PIECES; i++) {
		/* Now and then one that is larger than any block, or nothing. */
		len[i] = i % 97 == 5 ? 40000 : i % 13 == 0 ? 0 : (i * 37) % 300;
		piece[i] = tdat_arena_alloc(&a, len[i]);
		ck_assert_ptr_nonnull(piece[i]);
		ck_assert_uint_eq((uintptr_t)piece[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < len[i]; k++)
			ck_assert_uint_eq(piece[i][k], 0);
		memset(piece[i], (int)(i % 255) + 1, len[i]);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < len[i]; k++)
			ck_assert_uint_eq(piece[i][k], i % 255 + 1);
	tdat_arena_fini(&a);
	ck_assert_ptr_null(a.blocks);
	ck_assert_ptr_nonnull(tdat_arena_alloc(&a, 8)); /* as new */
	tdat_arena_fini(&a);
	tdat_arena_fini(&a);
}
END_TEST

START_TEST(overflow)
{
	struct tdat_arena a = {NULL, 0, 0};
	char *text;

	for (int round = 0; round < 2; round++) {
		for (size_t n = SIZE_MAX; n > SIZE_MAX - 24; n--)
			ck_assert_ptr_null(tdat_arena_alloc(&a, n));
		ck_assert_ptr_null(tdat_arena_array(&a, SIZE_MAX / 2 + 1, 2));
		ck_assert_ptr_null(tdat_arena_array(&a, 2, SIZE_MAX / 2 + 1));
		ck_assert_ptr_null(tdat_arena_array(&a, SIZE_MAX, SIZE_MAX));
		ck_assert_ptr_null(tdat_arena_strndup(&a, "x", SIZE_MAX));
		text = tdat_arena_strndup(&a, "name and more", 4); /* still of use */
		ck_assert_str_eq(text, "name");
	}
	ck_assert_ptr_nonnull(tdat_arena_array(&a, 0, 16));
	ck_assert_str_eq(tdat_arena_strndup(&a, NULL, 0), "");
	ck_assert_str_eq(text, "name");
	tdat_arena_fini(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("arena");
	TCase *t = tcase_create("arena");

	tcase_add_test(t, pieces);
	tcase_add_test(t, overflow);
	suite_add_tcase(s, t);
	return run_suite(s);
}
