/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A held buffer takes what fits, from the first byte on, and is as before afterwards. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/build.h"

static const char whole[] = "head[some bytes, no more]-----------------AbCDEFGH12345";

/* The text above by every function. */
static void put_all(struct tdat_build *b)
{
	tdat_build_str(b, "[some bytes, no more]");
	tdat_build_fill(b, '-', 17);
	tdat_build_u8(b, 'A');
	tdat_build_u8(b, 'b');
	tdat_build_u16(b, 0x4443);
	tdat_build_u32(b, 0x48474645);
	tdat_build_bytes(b, "12345", 5);
	tdat_build_bytes(b, NULL, 0);
	tdat_build_fill(b, 'x', 0);
}

/* Numbers are taken whole or not at all. */
static size_t taken(size_t bound)
{
	static const size_t number_ends[] = {44, 46, 50};
	const size_t len = 4 + bound;

	for (size_t i = 1; i < sizeof(number_ends) / sizeof(number_ends[0]); i++)
		if (len > number_ends[i - 1] && len < number_ends[i])
			return number_ends[i - 1];
	return len < sizeof(whole) - 1 ? len : sizeof(whole) - 1;
}

static void check_bound(size_t bound, size_t room)
{
	struct tdat_build b;
	size_t want = taken(bound);
	bool full;

	tdat_build_init(&b, false);
	ck_assert_ptr_nonnull(tdat_build_room(&b, room));
	tdat_build_str(&b, "head");
	tdat_build_hold(&b, bound);
	put_all(&b);
	full = tdat_build_let_go(&b);
	ck_assert_int_eq(full, 4 + bound < sizeof(whole) - 1);
	ck_assert(!b.failed);
	ck_assert_uint_eq(b.len, want);
	ck_assert_mem_eq(b.ptr, whole, b.len);
	tdat_build_str(&b, "and more, of whatever length it is, when there is no bound");
	ck_assert_mem_eq(b.ptr + want, "and more, of", 12);
	tdat_build_fini(&b);
}

START_TEST(bounds)
{
	for (size_t bound = 0; bound < 64; bound++) {
		check_bound(bound, 1);
		check_bound(bound, 300);
		check_bound(bound, 1 << 16);
	}
}
END_TEST

START_TEST(room)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_build_hold(&b, 10);
	ck_assert_ptr_nonnull(tdat_build_room(&b, 10));
	ck_assert_ptr_null(tdat_build_room(&b, 11));
	tdat_build_str(&b, "a"); /* nothing after what did not fit */
	ck_assert_uint_eq(b.len, 0);
	ck_assert(tdat_build_let_go(&b));
	tdat_build_str(&b, "a");
	ck_assert_uint_eq(b.len, 1);
	tdat_build_hold(&b, 10);
	tdat_build_stop(&b);
	tdat_build_u8(&b, 'b');
	ck_assert(tdat_build_let_go(&b));
	ck_assert_uint_eq(b.len, 1);
	tdat_build_stop(&b);
	tdat_build_u8(&b, 'b');
	ck_assert_uint_eq(b.len, 2);
	tdat_build_fini(&b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("build");
	TCase *t = tcase_create("build");

	tcase_add_test(t, bounds);
	tcase_add_test(t, room);
	suite_add_tcase(s, t);
	return run_suite(s);
}
