/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols, printk strings and tasks against libtraceevent on the same texts. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "../common/run.h"
#include "corpus.h"
#include "model/symbols.h"

static struct tdat_span span(const char *s)
{
	struct tdat_span r = {(const uint8_t *)s, strlen(s)};

	return r;
}

static char *dup_text(struct tdat_span s)
{
	char *p = malloc(s.len + 1);

	ck_assert_ptr_nonnull(p);
	if (s.len)
		memcpy(p, s.ptr, s.len);
	p[s.len] = 0;
	return p;
}

static uint64_t rnd(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void same(const char *what, uint64_t key, struct tdat_span got, const char *want)
{
	if (!want) {
		ck_assert_msg(!got.ptr, "%s %llx: got '%.*s', want none", what,
			      (unsigned long long)key, (int)got.len, (const char *)got.ptr);
		return;
	}
	ck_assert_msg(got.ptr && got.len == strlen(want) && !memcmp(got.ptr, want, got.len),
		      "%s %llx: got '%.*s', want '%s'", what, (unsigned long long)key, (int)got.len,
		      (const char *)got.ptr, want);
}

static void same_symbol(const struct model_symbols *s, struct tep_handle *tep, uint64_t addr)
{
	uint64_t start = 0;
	struct tdat_span got = model_symbols_find(s, addr, &start);

	same("symbol", addr, got, tep_find_function(tep, addr));
	ck_assert_uint_eq(start, tep_find_function_address(tep, addr));
}

/* Every address of the text, those around it, and random ones between. */
static void compare_symbols(struct tdat_span text)
{
	struct tep_handle *tep = tep_alloc();
	char *copy = dup_text(text);
	struct model_symbols *s = NULL;
	uint64_t seed = 88172645463325252u;
	uint64_t prev = 0;
	char *line, *next;
	size_t i;

	ck_assert_int_eq(model_symbols_new(&s, text, NULL), TDAT_OK);
	tep_parse_kallsyms(tep, copy);
	for (line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		uint64_t addr = strtoull(line, NULL, 16);

		same_symbol(s, tep, addr);
		same_symbol(s, tep, addr - 1);
		same_symbol(s, tep, addr + 1);
		same_symbol(s, tep, prev + (addr - prev) / 2);
		prev = addr;
	}
	for (i = 0; i < 1000; i++)
		same_symbol(s, tep, rnd(&seed) >> (i % 64));
	same_symbol(s, tep, 0);
	same_symbol(s, tep, UINT64_MAX);
	model_symbols_free(s);
	tep_free(tep);
	free(copy);
}

/* A line without a string makes libtraceevent read past its text: not compared. */
static void compare_printk(struct tdat_span text)
{
	struct tep_handle *tep = tep_alloc();
	char *copy = dup_text(text);
	struct model_printk *p = NULL;
	char *line, *next, *printed;
	size_t printed_len;
	size_t lines = 0;
	FILE *saved = stdout;

	ck_assert_int_eq(model_printk_new(&p, text, NULL), TDAT_OK);
	tep_parse_printk_formats(tep, copy);
	stdout = open_memstream(&printed, &printed_len);
	tep_print_printk(tep);
	fclose(stdout);
	stdout = saved;
	for (line = strtok_r(printed, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		uint64_t addr = strtoull(line, NULL, 16);

		lines++;
		if (!next[0] || strtoull(next, NULL, 16) != addr) /* the last of its address */
			same("printk", addr, model_printk_find(p, addr), strchr(line, ' ') + 1);
		if (addr != UINT64_MAX)
			ck_assert_ptr_null(model_printk_find(p, addr + 1).ptr);
	}
	ck_assert_uint_eq(model_printk_count(p), lines);
	model_printk_free(p);
	free(printed);
	tep_free(tep);
	free(copy);
}

static void same_task(const struct model_tasks *t, struct tep_handle *tep, int pid)
{
	const char *want = tep_data_comm_from_pid(tep, pid);

	same("task", (uint64_t)(int64_t)pid, model_tasks_find(t, pid), want);
	if (pid)
		ck_assert_int_eq(model_tasks_known(t, pid).ptr != NULL,
				 tep_is_pid_registered(tep, pid));
}

static void compare_tasks(struct tdat_span text)
{
	struct tep_handle *tep = tep_alloc();
	char *copy = dup_text(text);
	struct model_tasks *t = NULL;
	char *line, *next;

	ck_assert_int_eq(model_tasks_new(&t, text, NULL), TDAT_OK);
	tep_parse_saved_cmdlines(tep, copy);
	for (line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		same_task(t, tep, (int)strtol(line, NULL, 10));
		same_task(t, tep, (int)strtol(line, NULL, 10) + 1);
	}
	same_task(t, tep, 0);
	same_task(t, tep, -1);
	same_task(t, tep, 999999999);
	model_tasks_free(t);
	tep_free(tep);
	free(copy);
}

START_TEST(symbols_edges)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"ffffffff81000000 T _stext\n",
		"0000000000000010 T a\n0000000000000020 t b\t[mod]\n0000000000000030 D c\n",
		"0000000000000030 T c\n0000000000000010 T a\n0000000000000020 T b\n",
		"10 T a\n10 T b\n10 T c\n20 T d\n20 T e\n",
		"10 T a\n10 T b\n10 T c\n10 T d\n10 T e\n10 T f\n10 T g\n20 T h\n5 T i\n",
		"0 T a\n0 T b\n0 T c\n",
		"10 A abs\n20 a abs2\n30 T $a\n40 T real\n50 W weak\n",
		"0x10 T prefixed\n0x T bad\n",
		"  10   T   spaced   rest\n20\tT\ttabs\n30 Tglued\n",
		"10 T ok\nnonsense line\n20 T after\n",
		"10 T ok\n20 T\n30 T after\n",
		"10 T ok\n20 T \n30 T after\n",
		"10 T ok\n20\n30 T after\n",
		"-10 T minus\n+20 T plus\n",
		"c0100000 T arm32\nc0100004 t $a\nc0100008 t $d\n",
		"ffffffffffffffff T last\n",
		"00000000000000001 T seventeen\n",
		"ffffffff81000000 T x y z\n\nffffffff81000010 t two [mod] [bpf]\n",
		"\r\n10 T cr\r\n20 T more\r\n",
		"10 T no_newline",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		compare_symbols(span(texts[i]));
}
END_TEST

/* Few different addresses, unsorted: which of the same address is found. */
START_TEST(symbols_duplicates)
{
	uint64_t seed = 1234567;
	char *text = malloc(300 * 40);
	int round, i;

	for (round = 0; round < 300; round++) {
		size_t len = 0;
		int n = 1 + (int)(rnd(&seed) % 200);
		uint64_t range = 1 + rnd(&seed) % 300;

		for (i = 0; i < n; i++)
			len += (size_t)sprintf(text + len, "%016llx t f%d\n",
					       (unsigned long long)(rnd(&seed) % range * 4), i);
		compare_symbols(span(text));
	}
	free(text);
}
END_TEST

START_TEST(printk_edges)
{
	static const char *const texts[] = {
		"",
		"0xffffffff81 : \"hello\\n\"\n",
		"0x10 : \"no newline\"\n0x20 : \"a: b \\\"c\\\" %d\\n\\n\"\n0x30 : noquotes\\n\n",
		"10 : \"xxx\"\n: 20 : \"yyy\"\n+30 : \"zz\"\n-1 : \"minus\"\n",
		"0xfffffffffffffffff0 : \"too large\"\nzz : \"no number\"\n",
		"0x40 : \"abc\n0x50 : abc\"\n0x60 :\"tight\"\n",
		"0x10 : \"ok\"\n:\n0x20 : \"after only a colon\"\n",
		"0x30 : \"one\"\n0x20 : \"two\"\n0x10 : \"three\\n\"\n",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		compare_printk(span(texts[i]));
}
END_TEST

START_TEST(printk_without_string)
{
	struct model_printk *p = NULL;

	ck_assert_int_eq(
		model_printk_new(&p, span("0x10\n0x20 :\n0x30 : \"\"\n0x40 : \"\\n\"\n"), NULL),
		TDAT_OK);
	ck_assert_uint_eq(model_printk_count(p), 2);
	ck_assert_ptr_null(model_printk_find(p, 0x10).ptr);
	ck_assert_ptr_null(model_printk_find(p, 0x20).ptr);
	ck_assert_ptr_nonnull(model_printk_find(p, 0x30).ptr);
	ck_assert_uint_eq(model_printk_find(p, 0x30).len, 0);
	ck_assert_uint_eq(model_printk_find(p, 0x40).len, 0);
	model_printk_free(p);
}
END_TEST

START_TEST(tasks_edges)
{
	static const char *const texts[] = {
		"",
		"1 systemd\n2 kthreadd\n",
		"10 Web Content\n11   leading\n12 trailing  \n13\ttab\n",
		"5 a\n5 b\n5 c\n5 d\n6 e\n",
		"0 swapper\n-5 negative\n+7 plus\n",
		"1 ok\nbroken\n2 after\n",
		"1 ok\n2\n3 after\n",
		"1 ok\n2 \n3 after\n",
		"4294967297 wraps\n99999999999999999999 too_large\n8 after\n",
		"1 x",
		"1 [kworker/0:1-events]\n2 <...>\n3 9\n",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		compare_tasks(span(texts[i]));
}
END_TEST

static void kernel_symbol(const struct model_symbols *s, uint64_t addr, const char *want)
{
	struct model_symbol sym;
	char got[80] = "";

	if (model_symbols_lookup(s, addr, &sym))
		snprintf(got, sizeof(got), "%.*s+0x%llx/0x%llx%s%.*s%s", (int)sym.name.len,
			 (const char *)sym.name.ptr, (unsigned long long)(addr - sym.start),
			 (unsigned long long)sym.size, sym.module.len ? " [" : "",
			 (int)sym.module.len, (const char *)sym.module.ptr,
			 sym.module.len ? "]" : "");
	ck_assert_str_eq(got, want);
}

/* Expectation: sprint_symbol() of Linux 6.12, by hand: "name+0xoff/0xsize [module]" or no symbol.
 */
START_TEST(symbols_kernel)
{
	static const char text[] = "0000000000000010 A percpu\n"
				   "0000000000001000 T _stext\n"
				   "0000000000001000 T first\n"
				   "0000000000001100 t second\n"
				   "0000000000002000 B _end\n"
				   "0000000000010000 t mod_a\t[mod]\n"
				   "0000000000010080 t mod_b\t[mod]\n"
				   "0000000000012000 r mod_data\t[mod]\n"
				   "0000000000020000 t ftrace_trampoline\t[__builtin__ftrace]\n"
				   "0000000000030000 t bpf_prog_1\t[bpf]\n"
				   "0000000000030040 t bpf_prog_2\t[bpf]\n"
				   "0000000000040000 t last\t[other]\n";
	static const struct {
		uint64_t addr;
		const char *want;
	} cases[] = {
		{0x20, ""},
		{0x1000, "_stext+0x0/0x100"},
		{0x10ff, "_stext+0xff/0x100"},
		{0x1100, "second+0x0/0xf00"},
		{0x2000, ""},
		{0x10001, "mod_a+0x1/0x80 [mod]"},
		{0x10090, "mod_b+0x10/0xf80 [mod]"},
		{0x12010, "mod_data+0x10/0x1000 [mod]"},
		{0x20001, ""},
		{0x30004, "bpf_prog_1+0x4/0x40"},
		{0x40000, "last+0x0/0x0 [other]"},
		{0x40001, ""},
	};
	struct model_symbols *s = NULL;
	size_t i;

	ck_assert_int_eq(model_symbols_new(&s, span(text), NULL), TDAT_OK);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		kernel_symbol(s, cases[i].addr, cases[i].want);
	model_symbols_free(s);
}
END_TEST

/* Expectation: is_ksym_addr() without CONFIG_KALLSYMS_ALL finds code alone, seen on s390x 6.1. */
START_TEST(symbols_kernel_code)
{
	static const char text[] = "0000000000001000 T _stext\n"
				   "0000000000001100 t second\n"
				   "0000000000002000 T _etext\n"
				   "0000000000009000 T _sinittext\n"
				   "0000000000009000 t start\n"
				   "0000000000009100 t further\n"
				   "0000000000010000 t mod_a\t[mod]\n"
				   "0000000000011000 d mod_data\t[mod]\n";
	struct model_symbols *s = NULL;

	ck_assert_int_eq(model_symbols_new(&s, span(text), NULL), TDAT_OK);
	kernel_symbol(s, 0x1100, "second+0x0/0xf00");
	kernel_symbol(s, 0x2000, "");
	kernel_symbol(s, 0x3000, "");
	kernel_symbol(s, 0x9010, "_sinittext+0x10/0x100");
	kernel_symbol(s, 0x9110, "further+0x10/0x0");
	model_symbols_free(s);
}
END_TEST

START_TEST(null_tables)
{
	ck_assert_ptr_null(model_symbols_find(NULL, 1, NULL).ptr);
	ck_assert_ptr_null(model_printk_find(NULL, 1).ptr);
	same("task", 1, model_tasks_find(NULL, 1), "<...>");
	same("task", 0, model_tasks_find(NULL, 0), "<idle>");
	model_symbols_free(NULL);
	model_printk_free(NULL);
	model_tasks_free(NULL);
}
END_TEST

static void compare_file(struct corpus_file *f, void *ctx)
{
	(void)ctx;
	compare_symbols(f->kallsyms);
	compare_printk(f->printk);
	compare_tasks(f->cmdlines);
}

START_TEST(corpus)
{
	corpus_each(compare_file, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, symbols_edges);
	tcase_add_test(tc, symbols_duplicates);
	tcase_add_test(tc, symbols_kernel);
	tcase_add_test(tc, symbols_kernel_code);
	tcase_add_test(tc, printk_edges);
	tcase_add_test(tc, printk_without_string);
	tcase_add_test(tc, tasks_edges);
	tcase_add_test(tc, null_tables);
	tcase_add_test(tc, corpus);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
