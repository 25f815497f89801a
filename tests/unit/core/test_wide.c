/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Products and quotients of 128 bits: the portable functions against known values and __int128. */
#include <check.h>
#include <stddef.h>

#include "../common/run.h"
#include "core/wide.h"

static const uint64_t edges[] = {
	0,
	1,
	2,
	3,
	10,
	0x7fffffff,
	0x80000000,
	0xffffffff,
	0x100000000,
	0x100000001,
	1000000007,
	0x7fffffffffffffff,
	0x8000000000000000,
	0x8000000000000001,
	0xfffffffeffffffff,
	0xffffffff00000000,
	0xffffffff00000001,
	0xfffffffffffffffe,
	UINT64_MAX,
};
enum { EDGES = sizeof(edges) / sizeof(edges[0]) };

/* Worked out by hand, so that a machine without __int128 has something to compare with. */
START_TEST(known)
{
	struct tdat_u128 p = tdat_mul_portable(UINT64_MAX, UINT64_MAX);

	ck_assert_uint_eq(p.hi, 0xfffffffffffffffe);
	ck_assert_uint_eq(p.lo, 1);
	p = tdat_mul_portable(0x123456789abcdef0, 0x0fedcba987654321);
	ck_assert_uint_eq(p.hi, 0x0121fa00ad77d742);
	ck_assert_uint_eq(p.lo, 0x2236d88fe5618cf0);
	ck_assert_uint_eq(tdat_div_portable(p, 0x0fedcba987654321), 0x123456789abcdef0);
	ck_assert_uint_eq(tdat_div_portable((struct tdat_u128){1, 0}, 3), 0x5555555555555555);
	/* 2^127 / 1: only the low 64 bits of the quotient are given. */
	ck_assert_uint_eq(tdat_div_portable((struct tdat_u128){1ull << 63, 7}, 1), 7);
	ck_assert_uint_eq(tdat_mul_shift_portable(UINT64_MAX, UINT64_MAX, 127), 1);
	ck_assert_uint_eq(tdat_mul_shift_portable(1ull << 63, 4, 1), 0);
	ck_assert_uint_eq(tdat_mul_shift_portable(1ull << 63, 4, 65), 1);
	ck_assert_uint_eq(tdat_mul_shift_portable(3000000000, 4000000000, 10), 11718750000000000);
}
END_TEST

static void compare(uint64_t a, uint64_t b, uint64_t c)
{
	struct tdat_u128 mine = tdat_mul_portable(a, b), p = tdat_mul(a, b);

	ck_assert_uint_eq(mine.hi, p.hi);
	ck_assert_uint_eq(mine.lo, p.lo);
	for (unsigned int shift = 0; shift < 128; shift++)
		ck_assert_uint_eq(tdat_mul_shift_portable(a, b, shift),
				  tdat_mul_shift(a, b, shift));
	if (c)
		ck_assert_uint_eq(tdat_div_portable(p, c), tdat_div(p, c));
	/* What was multiplied comes back, and so does what was added to it. */
	if (b) {
		p.lo += b - 1;
		p.hi += p.lo < b - 1;
		ck_assert_uint_eq(tdat_div_portable(p, b), a);
	}
}

START_TEST(both_alike)
{
	uint64_t x = 88172645463325252u, v[3];

	for (size_t i = 0; i < EDGES; i++)
		for (size_t k = 0; k < EDGES; k++)
			for (size_t n = 0; n < EDGES; n++)
				compare(edges[i], edges[k], edges[n]);
	for (int round = 0; round < 20000; round++) {
		for (int i = 0; i < 3; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			v[i] = x >> (x % 61);
		}
		compare(v[0], v[1], v[2]);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wide");
	TCase *t = tcase_create("wide");

	tcase_add_test(t, known);
	tcase_add_test(t, both_alike);
	suite_add_tcase(s, t);
	return run_suite(s);
}
