/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C types of format files. */
#include <check.h>

#include "table/ctype.h"

#include "../common/run.h"

static void is(const char *type, uint32_t long_size, uint32_t len, bool is_signed)
{
	const struct table_ctype t = table_ctype(type, long_size);

	ck_assert_msg(t.len == len && t.is_signed == is_signed, "%s: %u bytes, signed %d", type,
		      t.len, t.is_signed);
}

START_TEST(integers)
{
	is("int", 8, 4, true);
	is("unsigned int", 8, 4, false);
	is("unsigned", 8, 4, false);
	is("long", 8, 8, true);
	is("long", 4, 4, true);
	is("unsigned long", 8, 8, false);
	is("long long", 4, 8, true);
	is("unsigned long long", 4, 8, false);
	is("long unsigned int", 8, 8, false);
	is("short", 8, 2, true);
	is("unsigned short", 8, 2, false);
	is("signed char", 8, 1, true);
	is("unsigned char", 8, 1, false);
	is("char", 8, 1, true);
	is("const int", 8, 4, true);
	is("u8[16]", 8, 1, false);
	is("__u64", 4, 8, false);
	is("s32", 8, 4, true);
	is("size_t", 4, 4, false);
	is("ssize_t", 8, 8, true);
	is("pid_t", 8, 4, true);
	is("loff_t", 4, 8, true);
	is("__data_loc unsigned long[]", 8, 8, false);
	is("__rel_loc u32[]", 8, 4, false);
	is("const void *", 8, 8, false);
	is("struct sock *", 4, 4, false);
	is("struct foo", 8, 0, false);
	is("enum zone_stat_item", 8, 0, false);
	is("", 8, 0, false);
}
END_TEST

static void is_widest(const char *type, uint32_t long_size, uint32_t widest)
{
	ck_assert_msg(table_ctype(type, long_size).widest == widest, "%s: %u bytes at most", type,
		      table_ctype(type, long_size).widest);
}

START_TEST(widest)
{
	is_widest("int", 4, 4);
	is_widest("long", 4, 8);
	is_widest("unsigned long[6]", 4, 8);
	is_widest("size_t", 4, 8);
	is_widest("const void *", 4, 8);
	is_widest("dma_addr_t", 4, 8);
	is_widest("pteval_t", 4, 8);
	is_widest("gfp_t", 8, 8);
	is_widest("enum netfs_write_trace", 8, 4);
	is_widest("unsigned char", 4, 1);
	is_widest("u16", 4, 2);
	is_widest("long long", 4, 8);
	is_widest("struct foo", 4, 0);
	is_widest("bool", 4, 0);
}
END_TEST

START_TEST(kinds)
{
	ck_assert(table_ctype("bool", 8).is_bool);
	ck_assert(table_ctype("_Bool", 8).is_bool);
	ck_assert(!table_ctype("int", 8).is_bool);
	ck_assert(table_ctype("char[16]", 8).is_char);
	ck_assert(table_ctype("__data_loc char[]", 8).is_char);
	ck_assert(!table_ctype("unsigned char[6]", 8).is_char);
	ck_assert(!table_ctype("const char *", 8).is_char);
	ck_assert(table_ctype("__data_loc cpumask_t", 8).is_cpumask);
	ck_assert(table_ctype("cpumask_t[1]", 8).is_cpumask);
	ck_assert(!table_ctype("mask_t", 8).is_cpumask);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ctype");
	TCase *tc = tcase_create("ctype");

	tcase_add_test(tc, integers);
	tcase_add_test(tc, widest);
	tcase_add_test(tc, kinds);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
