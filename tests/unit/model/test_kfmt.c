/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print fmts as the kernel's compiler and vsprintf() read them, one case for each kind. What is
 * expected follows from C and from Documentation/core-api/printk-formats.rst; tests/truth
 * compares whole recordings with the kernel's own text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "../common/run.h"
#include "model/print.h"

enum { RECORD = 64 };

/* Fields at fixed places: s32 a=-7, u32 b=10, u8 c=200, u64 d=2^40+5, 8 bytes e, char f[8], ptr g.
 */
static const char fields[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:u32 b;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 c;\toffset:12;\tsize:1;\tsigned:0;\n"
	"\tfield:u64 d;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 e[8];\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:char f[8];\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:void * g;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] h;\toffset:48;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc u8[] b;\toffset:48;\tsize:4;\tsigned:0;\n";

static void make_record(uint8_t *r)
{
	memset(r, 0, RECORD);
	tdat_store16(r, 5, false);
	tdat_store32(r + 4, (uint32_t)-7, false);
	tdat_store32(r + 8, 10, false);
	r[12] = 200;
	tdat_store64(r + 16, (UINT64_C(1) << 40) + 5, false);
	memcpy(r + 24, "\x01\x02\x03\x04\xc0\xa8\x00\x01", 8);
	memcpy(r + 32, "name\0xyz", 8);
	tdat_store64(r + 40, UINT64_C(0xffff888012345678), false);
	tdat_store32(r + 48, 52 | 6 << 16, false);
	memcpy(r + 52, "hello", 6);
}

/* The text of one record; its kind in *kind. */
static char *text_of(const char *fmt, uint32_t hz, enum model_print_kind *kind)
{
	struct model_env env = {.long_size = 8, .kernel_long_size = 8, .kernel = true, .hz = hz};
	struct tdat_build text = {.cap = 0}, out = {.cap = 0};
	uint8_t record[RECORD];
	struct model_event event = {.record = {record, sizeof(record)}};
	struct tdat_event_format *format = NULL;
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct tdat_span span;

	make_record(record);
	tdat_build_printf(&text, "name: x\nID: 5\nformat:\n%s\nprint fmt: ", fields);
	tdat_build_str(&text, fmt);
	tdat_build_u8(&text, '\n');
	span = (struct tdat_span){text.ptr, text.len};
	ck_assert_int_eq(model_format_parse(&format, "made", span, 0, false, 8, NULL), TDAT_OK);
	ck_assert_int_eq(model_print_new(&print, format, &env, MODEL_PRINT_NO_PLUGINS, NULL),
			 TDAT_OK);
	ck_assert_int_eq(model_scratch_new(&scratch, NULL), TDAT_OK);
	model_print_run(print, &event, scratch, &out);
	tdat_build_u8(&out, '\0');
	*kind = model_print_kind(print);
	tdat_build_fini(&text);
	model_print_free(print);
	model_scratch_free(scratch);
	model_format_free(format);
	return (char *)out.ptr;
}

static void prints(const char *fmt, const char *want)
{
	enum model_print_kind kind;
	char *got = text_of(fmt, 0, &kind);

	ck_assert_msg(!strcmp(got, want), "%s\n  prints '%s'\n  wanted '%s'", fmt, got, want);
	free(got);
}

static const struct {
	const char *fmt, *want;
} cases[] = {
	/* C: precedence, promotion, signs, widths */
	{"\"%d\", 2 * (REC->a + REC->b)", "6"},
	{"\"%d %d\", REC->a / 2, REC->a >> 1", "-3 -4"},
	{"\"%u\", REC->c + 100", "300"},
	{"\"%u\", (u8)(REC->c + 100)", "44"},
	{"\"%d\", REC->a < REC->b", "0"},
	{"\"%lld\", (s64)(s32)0x80000000", "-2147483648"},
	{"\"%s\", REC->d == (u64)-1 ? \"none\" : \"some\"", "some"},
	{"\"%d\", REC->a ? REC->b ? 1 : 2 : 3", "1"},
	{"\"%d %d\", 0 < (1 ? REC->a : REC->d), 0 > (0 ? 0U : REC->a)", "1 0"},
	{"\"%lx\", ~0UL ^ 0xff", "ffffffffffffff00"},
	{"\"%d %d\", 'A', '\\n'", "65 10"},
	{"\"%d\", (int)sizeof(REC->e) + (int)sizeof(unsigned long)", "16"},
	{"\"%d\", ({ int __x = (REC->a); int __y = (3); do { } while (0); __x < __y ? __x : __y; "
	 "})",
	 "-7"},
	{"\"%u\", __builtin_choose_expr(((!!(sizeof((typeof(REC->b) *)1 == (typeof(3U) *)1))) && "
	 "(sizeof(int) == sizeof(*(8 ? ((void *)((long)(REC->b) * 0l)) : (int *)8)))), ((REC->b) < "
	 "(3U) ? (REC->b) : (3U)), ({ typeof(REC->b) __x1 = (REC->b); typeof(3U) __y2 = (3U); "
	 "((__x1) < (__y2) ? (__x1) : (__y2)); }))",
	 "3"},
	/* places in the record */
	{"\"%u %x\", REC->e[2], *(u16 *)&REC->e[4]", "3 a8c0"},
	{"\"%x\", __builtin_bswap32(*(u32 *)REC->e)", "1020304"},
	{"\"%pI4 %pI4h\", &REC->e[4], &REC->e[4]", "192.168.0.1 1.0.168.192"},
	{"\"%*ph|%4phC\", 3, REC->e, REC->e", "01 02 03|01:02:03:04"},
	{"\"%s|%6s|%-6s|%.2s\", REC->f, REC->f, REC->f, __get_str(h)", "name|  name|name  |he"},
	/* vsprintf */
	{"\"%#x %.0d % d %+d\", 0, 0, 5, 5", "0x0 0  5 +5"},
	{"\"%p|%20p|%px\", REC->g, REC->g, REC->g",
	 "ffff888012345678|    ffff888012345678|ffff888012345678"},
	{"\"%pe %pe\", (void *)-2L, (void *)-5000L", "-ENOENT ffffffffffffec78"},
	{"\"%08lx %-4d|%%\", REC->d, REC->b", "10000000005 10  |%"},
	/* tables */
	{"\"%s\", __print_flags(REC->b, \"|\", { 0, \"none\" }, { 2, \"two\" })", "none|two|0x8"},
	{"\"%s %s\", __print_symbolic(REC->a, { -7, \"neg\" }), __print_symbolic(REC->a, { 0, "
	 "\"zero\" })",
	 "neg 0xfffffffffffffff9"},
	{"\"[%8s]\", __print_flags(2, \"|\", { 2, \"two\" })", "[     two]"},
	{"\"%s\", __print_array(REC->e, 2, 4)", "{0x4030201,0x100a8c0}"},
	{"\"[%s][%s]\", __print_hex(REC->e, REC->a), __print_hex_str(REC->e, REC->b)",
	 "[][01020304c0a80001]"},
	/* a field and an array of one name, as host1x_cdma_push_gather has them */
	{"\"%u %s\", REC->b, __print_hex(__get_dynamic_array(b), 2)", "10 68 65"},
	/* the format string: kernels do not escape its quotes and control characters */
	{"\"say \"%s\", twice\", REC->f", "say \"name\", twice"},
	{"\"a\\\\%d\\\\\", REC->b", "a\\10\\"},
	{"\"a=%d \" \"b=%d\", REC->a, REC->b", "a=-7 b=10"},
	{"\"tab\t%d\\n\", REC->b,", "tab\t10\n"},
	/* what cannot be evaluated costs that argument */
	{"\"page=%p pfn=%u\", vmemmap + REC->b, REC->b", "page={b=10} pfn=10"},
	{"\"%p\", ((struct page *)0xfffffe0000000000UL) + (REC->b)", "{b=10}"},
	{"\"%p\", (some_t *)REC->g + 1", "{g=0xffff888012345678}"},
	{"\"%lu\", REC->b / sizeof(struct page)", "{b=10}"},
	{"\"%u %u\", no_such(REC->b, REC->c), REC->b", "{b=10 c=200} 10"},
	{"\"%pd\", REC->g", "{g=0xffff888012345678}"},
	{"\"%pfw\", REC->g", "{g=0xffff888012345678}"},
	{"\"%d %d\", REC->b", "10 {}"},
	{"\"%u\", jiffies_to_msecs(REC->b)", "10j"},
};

START_TEST(kinds)
{
	prints(cases[_i].fmt, cases[_i].want);
}
END_TEST

START_TEST(hz)
{
	enum model_print_kind kind;
	char *got = text_of("\"%u\", jiffies_to_msecs(REC->b)", 250, &kind);

	ck_assert_str_eq(got, "40");
	ck_assert_int_eq(kind, MODEL_PRINT_COMPILED);
	free(got);
	free(text_of("\"%p\", vmemmap + REC->b", 250, &kind));
	ck_assert_int_eq(kind, MODEL_PRINT_PARTLY);
}
END_TEST

/* Nesting, chains and shared parts end at limits, by a sentence and not by the stack or the time.
 */
START_TEST(bounds)
{
	enum { MANY = 100000, DOUBLINGS = 60 };
	struct tdat_build text = {.cap = 0};
	enum model_print_kind kind;

	for (int how = 0; how < 3; how++) {
		text.len = 0;
		tdat_build_str(&text, "\"%d\", ");
		for (int i = 0; how < 2 && i < MANY; i++)
			tdat_build_str(&text, how ? "1+" : "(");
		tdat_build_str(&text, how < 2 ? "REC->b" : "({ int x0 = REC->b; ");
		for (int i = 0; how == 2 && i < DOUBLINGS; i++)
			tdat_build_printf(&text, "int x%d = x%d + x%d; ", i + 1, i, i);
		tdat_build_str(&text, how == 2 ? "x60; })" : "");
		for (int i = 0; !how && i < MANY; i++)
			tdat_build_u8(&text, ')');
		tdat_build_u8(&text, '\0');
		free(text_of((const char *)text.ptr, 0, &kind));
		ck_assert_int_ne(kind, MODEL_PRINT_COMPILED);
	}
	tdat_build_fini(&text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kfmt");
	TCase *t = tcase_create("kfmt");

	tcase_add_loop_test(t, kinds, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(t, hz);
	tcase_add_test(t, bounds);
	suite_add_tcase(s, t);
	return run_suite(s);
}
