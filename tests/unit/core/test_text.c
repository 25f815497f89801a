/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of tracefs, numbers, and what is made of them: lib/core/text.h and its users. */
#include <check.h>
#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/build.h"
#include "core/errno_name.h"
#include "core/grow.h"
#include "core/number.h"
#include "core/spill.h"
#include "core/syscalls.h"
#include "core/task_groups.h"
#include "core/text.h"

static struct tdat_span span(const char *text)
{
	return (struct tdat_span){(const uint8_t *)text, strlen(text)};
}

static void is_text(struct tdat_span got, const char *want)
{
	ck_assert_uint_eq(got.len, strlen(want));
	ck_assert(!memcmp(got.ptr, want, got.len));
}

/* strtoull() is the oracle of values and ends. */
START_TEST(test_digits)
{
	static const char *const texts[] = {"0",
					    "18446744073709551615",
					    "18446744073709551616",
					    "007x",
					    "12ab",
					    "ffffffffffffffff",
					    "-1",
					    ""};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		for (unsigned int base = 8; base <= 16; base++) {
			const bool digit = tdat_digit((uint8_t)texts[i][0]) < base;
			const char *p = texts[i];
			char *end = (char *)p;
			uint64_t v, want = 0;
			bool ok;

			errno = 0;
			if (digit)
				want = strtoull(texts[i], &end, (int)base);
			ok = tdat_read_u64(&p, NULL, base, &v);
			ck_assert_msg(p == end && v == want && ok == (digit && !errno), "%s, %u",
				      texts[i], base);
		}
	}
}
END_TEST

START_TEST(test_whole_numbers)
{
	int64_t v;

	ck_assert(tdat_whole_i64(span("-9223372036854775808"), &v) && v == INT64_MIN);
	ck_assert(tdat_whole_i64(span("9223372036854775807"), &v) && v == INT64_MAX);
	ck_assert(!tdat_whole_i64(span("9223372036854775808"), &v));
	ck_assert(!tdat_whole_i64(span("-"), &v) && !tdat_whole_i64(span("1 "), &v) &&
		  !tdat_whole_i64(span(""), &v));
}
END_TEST

START_TEST(test_lines_and_words)
{
	struct tdat_span text = span("a\n\nb"), line;
	uint64_t v;

	ck_assert(tdat_take_line(&text, &line));
	is_text(line, "a");
	ck_assert(tdat_take_line(&text, &line) && !line.len && tdat_take_line(&text, &line));
	is_text(line, "b");
	ck_assert(!tdat_take_line(&text, &line));
	is_text(tdat_word(span("Linux  host 6.1.0 x86_64\n"), 3), "x86_64");
	ck_assert_uint_eq(tdat_word(span("Linux host"), 2).len, 0);
	is_text(tdat_active_clock(span("local [mono] x\n")), "mono");
	ck_assert(!tdat_active_clock(span("[mono")).ptr);
	ck_assert(tdat_line_number(span("commit overrun: 3\noverrun: 7\n"), "overrun:", &v));
	ck_assert_uint_eq(v, 7);
	ck_assert(!tdat_line_number(span("xoverrun: 7"), "overrun:", &v) && !v);
	ck_assert(tdat_field_number(span(" a;\toffset:1;\n b;\toffset:8;\tsize:4;\n"), " b;",
				    "size:", &v) &&
		  v == 4);
	ck_assert(!tdat_field_number(span(" b;\n size:4;"), " b;", "size:", &v));
}
END_TEST

START_TEST(test_task_groups)
{
	struct tdat_task_groups g;

	ck_assert(tdat_task_groups_init(&g, span("7 1\nnone\n 3\t3\n7 2\n4294967297 1\n5 0")));
	ck_assert_uint_eq(g.count, 3);
	ck_assert_int_eq(tdat_task_groups_of(&g, 7), 2); /* the last line */
	ck_assert_int_eq(tdat_task_groups_of(&g, 5), 5);
	ck_assert_int_eq(tdat_task_groups_find(&g, 5)->tgid, 0);
	ck_assert_ptr_null(tdat_task_groups_find(&g, 1));
	tdat_task_groups_fini(&g);
}
END_TEST

START_TEST(test_names_of_the_kernel)
{
	const struct tdat_syscalls *x86 = tdat_syscalls_of(span("x86_64"));
	const struct tdat_syscalls *arm = tdat_syscalls_of(span("aarch64"));

	ck_assert_str_eq(tdat_syscall_name(x86, 63), "uname");
	ck_assert_str_eq(tdat_syscall_function(x86, 63), "sys_newuname");
	ck_assert_ptr_null(tdat_syscall_function(x86, 134)); /* uselib: no kernel has it */
	ck_assert_str_eq(tdat_syscall_name(arm, 84), "sync_file_range");
	ck_assert_ptr_null(tdat_syscall_name(arm, 403));
	ck_assert_ptr_null(tdat_syscall_name(tdat_syscalls_of(span("vax")), 1));
	ck_assert_str_eq(tdat_errno_name(-2), "ENOENT");
	ck_assert_str_eq(tdat_errno_name(-524), "ENOTSUPP");
	ck_assert(!tdat_errno_name(2) && !tdat_errno_name(-520) && !tdat_errno_name(-4096));
}
END_TEST

START_TEST(test_written_text)
{
	static const double reals[] = {0.1, -0.0, 1e300, 3, DBL_MIN, 1.0 / 3};
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		b.len = 0;
		tdat_number_real(&b, reals[i], false, true);
		tdat_build_u8(&b, 0);
		ck_assert(strtod((const char *)b.ptr, NULL) == reals[i]);
		ck_assert_ptr_nonnull(strpbrk((const char *)b.ptr, ".e"));
	}
	b.len = 0;
	tdat_build_utf8(&b, "ascii text \xc3\xa4\xff.", 15);
	tdat_build_hex(&b, (const uint8_t *)"\x00\xaf", 2);
	is_text((struct tdat_span){b.ptr, b.len}, "ascii text \xc3\xa4\xef\xbf\xbd.00af");
	tdat_build_fini(&b);
}
END_TEST

START_TEST(test_grown_in_place)
{
	uint16_t *v = NULL;
	size_t cap = 0;

	ck_assert(TDAT_GROW_ZERO(v, &cap, 3) && !v[2]);
	v[2] = 5;
	ck_assert(TDAT_GROW_ZERO(v, &cap, 1000) && v[2] == 5 && !v[999]);
	ck_assert(!TDAT_GROW(v, &cap, SIZE_MAX) && v[2] == 5);
	free(v);
}
END_TEST

/* More than the buffer holds, so that most of it is in the file. */
START_TEST(test_spill)
{
	enum { COUNT = 100000 };
	struct tdat_spill s;
	uint64_t v;

	tdat_spill_init(&s);
	for (uint64_t i = 0; i < COUNT; i++)
		ck_assert(tdat_spill_write(&s, &i, sizeof(i), NULL) == TDAT_OK);
	ck_assert(tdat_spill_flush(&s, NULL) == TDAT_OK);
	ck_assert_uint_eq(tdat_spill_len(&s), COUNT * sizeof(v));
	for (uint64_t i = 0; i < COUNT; i += 777) {
		ck_assert(tdat_spill_read(&s, i * sizeof(v), &v, sizeof(v), NULL) == TDAT_OK);
		ck_assert_uint_eq(v, i);
	}
	ck_assert(tdat_spill_read(&s, COUNT * sizeof(v) - 1, &v, 8, NULL) == TDAT_E_SYSTEM);
	tdat_spill_fini(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("text");
	TCase *tc = tcase_create("text");

	tcase_add_test(tc, test_digits);
	tcase_add_test(tc, test_whole_numbers);
	tcase_add_test(tc, test_lines_and_words);
	tcase_add_test(tc, test_task_groups);
	tcase_add_test(tc, test_names_of_the_kernel);
	tcase_add_test(tc, test_written_text);
	tcase_add_test(tc, test_grown_in_place);
	tcase_add_test(tc, test_spill);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
