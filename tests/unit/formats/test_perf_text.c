/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the importer of perf script's text: forms of lines, of which the corpus has few or none. */
#include <check.h>
#include <string.h>

#include "../common/run.h"
#include "collect.h"

static enum tdat_status import(struct collect *c, const char *text)
{
	struct collect_inputs in = {NULL, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	collect_init(c);
	collect_add_memory(&in, "script.txt", text, strlen(text));
	st = collect_run(c, "perf-text", &in, NULL, &err);
	collect_close(&in);
	return st;
}

static const char *text_of(const struct collect *c, size_t event, const char *field)
{
	static char buf[512];

	return collect_string(&c->events[event], field, buf, sizeof(buf));
}

/* The kernel's frames and the program's are two events; a source line belongs to its frame. */
START_TEST(test_call_chain)
{
	static const char *const names[] = {"cycles", "kernel_stack", "user_stack", "sched_waking"};
	struct collect c;

	ck_assert_int_eq(import(&c, "a b 12 [001] 1.000001:   77 cycles:ppp: \n"
				    "\tffffffff81000010 f+0x10 ([kernel.kallsyms])\n"
				    "  f.c:12\n"
				    "\t    7f0000001000 main (/bin/x)\n"
				    "\t            1000 [unknown] ([unknown])\n\n"
				    "a b 12 [001] 1.000002: sched:sched_waking: comm=x pid=1 "
				    "prio=120 target_cpu=000\n\n"),
			 TDAT_OK);
	ck_assert_uint_eq(c.event_count, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_str_eq(c.events[i].format->name, names[i]);
		ck_assert_uint_eq(c.events[i].cpu, 1);
		ck_assert_uint_eq(c.events[i].ts, i < 3 ? 1000001000 : 1000002000);
	}
	ck_assert_uint_eq(collect_uint(&c.events[0], "period"), 77);
	ck_assert_str_eq(text_of(&c, 0, "event"), "cycles:ppp");
	ck_assert_str_eq(
		text_of(&c, 1, "text"),
		"<stack trace>\n => ffffffff81000010 f+0x10 ([kernel.kallsyms])\n  f.c:12");
	ck_assert_str_eq(text_of(&c, 2, "text"),
			 "<user stack trace>\n => 7f0000001000 main (/bin/x)"
			 "\n => 1000 [unknown] ([unknown])");
	ck_assert_int_eq(collect_int(&c.events[3], "pid"), 1);
	collect_fini(&c);
}
END_TEST

/* Losses count where they happened; records of perf are no events, but name tasks. */
START_TEST(test_own_records)
{
	struct collect c;

	ck_assert_int_eq(import(&c, "sh 12 [000] 1.000001: probe:open: (1) a\n"
				    "swapper 0 [000] 1.000002: PERF_RECORD_LOST lost 5\n"
				    "swapper 0 [000] 1.000002: PERF_RECORD_LOST_SAMPLES lost 5\n"
				    "sh 12 [000] 1.000003: PERF_RECORD_COMM exec: a:b/c:77/78\n"
				    ":13 13 [000] 1.000004: probe:open: (1) b\n\nlast\n"),
			 TDAT_OK);
	ck_assert_uint_eq(c.event_count, 2);
	ck_assert_str_eq(c.events[0].format->system, "probe_text");
	ck_assert_int_eq(c.events[1].lost_before, 5);
	ck_assert_str_eq(text_of(&c, 1, "text"), "(1) b\n\nlast");
	ck_assert_str_eq(collect_fact(&c, "records of perf itself"), "3");
	ck_assert_uint_eq(c.option_count, 1);
	ck_assert_mem_eq(c.options[0].data, "78 77\n", 6);
	collect_fini(&c);
}
END_TEST

/* perf of 32-bit machines takes off seconds modulo 2^32: 28.807653017. */
START_TEST(test_narrow_time)
{
	struct collect c;

	ck_assert_int_eq(import(&c, "sh 12 [000] 28.26577456793: probe:open: a\n"), TDAT_OK);
	ck_assert_uint_eq(c.events[0].ts, 28807653017);
	collect_fini(&c);
}
END_TEST

/* The instruction behind a typed text is a stack; one that is part of an unknown text stays there.
 */
START_TEST(test_instruction)
{
	struct collect c;

	ck_assert_int_eq(
		import(&c,
		       "sh 12 [000] 1.0: sched:sched_waking: comm=x pid=1 prio=120 target_cpu=000 "
		       "ffffffff81000010 f+0x10 ([kernel.kallsyms])\n"
		       "sh 12 [000] 1.1: probe:open: value abcdef\n"
		       "sh 12 [000] 1.2: 5 cycles:  7f0010 main ([vdso])\n"),
		TDAT_OK);
	ck_assert_uint_eq(c.event_count, 4);
	ck_assert_str_eq(text_of(&c, 1, "text"),
			 "<stack trace>\n => ffffffff81000010 f+0x10 ([kernel.kallsyms])");
	ck_assert_str_eq(text_of(&c, 2, "text"), "value abcdef");
	ck_assert_uint_eq(collect_uint(&c.events[3], "ip"), 0x7f0010);
	ck_assert_str_eq(text_of(&c, 3, "symbol"), "main");
	ck_assert_str_eq(text_of(&c, 3, "dso"), "[vdso]");
	collect_fini(&c);
}
END_TEST

/* Without times there are ranks; without a task and a CPU these are unknown. */
START_TEST(test_no_columns)
{
	struct collect c;

	ck_assert_int_eq(import(&c, "  probe:open: a\n  probe:open: b\n"), TDAT_OK);
	ck_assert_str_eq(c.clock, "counter");
	ck_assert_uint_eq(c.events[1].ts, 2);
	ck_assert_int_eq(collect_int(&c.events[1], "common_pid"), -1);
	collect_fini(&c);
	ck_assert_int_eq(import(&c, "a=1 b=2\n"), TDAT_E_FORMAT);
	collect_fini(&c);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("perf_text");
	Suite *s = suite_create("perf_text");

	tcase_add_test(tc, test_call_chain);
	tcase_add_test(tc, test_own_records);
	tcase_add_test(tc, test_narrow_time);
	tcase_add_test(tc, test_instruction);
	tcase_add_test(tc, test_no_columns);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
