/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the importer of the kernel's text: forms of lines, of which the corpus has few or none. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "collect.h"

static enum tdat_status import(struct collect *c, const char *const *texts)
{
	static const char *const names[] = {"trace", "trace2"};
	struct collect_inputs in = {NULL, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	collect_init(c);
	for (size_t i = 0; texts[i]; i++)
		collect_add_memory(&in, names[i], texts[i], strlen(texts[i]));
	st = collect_run(c, "ftrace-text", &in, NULL, &err);
	collect_close(&in);
	return st;
}

static const char *text_of(const struct collect *c, size_t event, const char *field)
{
	static char buf[512];

	return collect_string(&c->events[event], field, buf, sizeof(buf));
}

#define LINE(comm, cpu, ts, text)                                                                  \
	"            " comm "-12      [00" cpu "] d.h2.  " ts ": " text "\n"

START_TEST(test_order_and_losses)
{
	const char *const texts[] = {
		LINE("bash", "1", "1.000001", "a: x")
			LINE("bash", "0", "1.000001", "a: y") "CPU:0 [LOST 7 EVENTS]\n" LINE(
				"bash", "0", "1.000002", "a: z\nmore"),
		NULL};
	struct collect c;

	ck_assert_int_eq(import(&c, texts), TDAT_OK);
	ck_assert_uint_eq(c.event_count, 3);
	/* The text's order is kept in one microsecond, though the second is of a lower CPU. */
	ck_assert_uint_eq(c.events[0].ts, 1000001000);
	ck_assert_uint_eq(c.events[1].ts, 1000001001);
	ck_assert_uint_eq(c.events[2].ts, 1000002000);
	ck_assert_int_eq(c.events[2].lost_before, 7);
	ck_assert_str_eq(text_of(&c, 2, "text"), "z\nmore");
	ck_assert_uint_eq(collect_uint(&c.events[0], "common_flags"), 1 | 8);
	ck_assert_uint_eq(collect_uint(&c.events[0], "common_preempt_count"), 2);
	ck_assert_str_eq(collect_fact(&c, "raised by nanoseconds"), "1");
	collect_fini(&c);
}
END_TEST

/* Several texts are put in the order of time. */
START_TEST(test_two_texts)
{
	const char *const texts[] = {LINE("bash", "0", "1.000003", "a: x"),
				     LINE("bash", "1", "1.000002", "b: y"), NULL};
	struct collect c;

	ck_assert_int_eq(import(&c, texts), TDAT_OK);
	ck_assert_uint_eq(c.event_count, 2);
	ck_assert_str_eq(c.events[0].format->name, "b");
	ck_assert_str_eq(c.events[1].format->name, "a");
	collect_fini(&c);
}
END_TEST

/* Tasks, depths and durations of function_graph; without times there are ranks. */
START_TEST(test_graph)
{
	const char *const texts[] = {"# tracer: function_graph\n"
				     " 1)               |  outer() {\n"
				     " 1) ! 123.456 us  |    leaf(a=0x1);\n"
				     " 1)               |    /* ev: text */\n"
				     " ------------------------------------------\n"
				     " 1)    bash-1    =>    cat-22   \n"
				     " ------------------------------------------\n\n"
				     " 1) + 20.1 us     |  } /* other ret=0 */\n",
				     NULL};
	static const char *const names[] = {"funcgraph_entry", "funcgraph_entry", "funcgraph_exit",
					    "ev", "funcgraph_exit"};
	struct collect c;

	ck_assert_int_eq(import(&c, texts), TDAT_OK);
	ck_assert_uint_eq(c.event_count, 5);
	ck_assert_str_eq(c.clock, "counter");
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(c.events[i].ts, i + 1);
		ck_assert_uint_eq(c.events[i].cpu, 1);
		ck_assert_str_eq(c.events[i].format->name, names[i]);
		ck_assert_int_eq(collect_int(&c.events[i], "common_pid"), i < 4 ? -1 : 22);
	}
	ck_assert_uint_eq(collect_uint(&c.events[1], "depth"), 1);
	ck_assert_str_eq(text_of(&c, 1, "args"), "a=0x1");
	ck_assert_uint_eq(collect_uint(&c.events[2], "duration"), 123456);
	ck_assert_str_eq(text_of(&c, 4, "func"), "other");
	ck_assert_uint_eq(collect_uint(&c.events[4], "duration"), 20100);
	collect_fini(&c);
}
END_TEST

/* Names of a task in turn are an option; so are thread groups. */
START_TEST(test_names_in_turn)
{
	const char *const texts[] = {
		"            bash-12      (     11) [000] .....     1.000001: a: x\n"
		"              sh-12      (     11) [000] .....     1.000002: a: y\n",
		NULL};
	struct collect c;

	ck_assert_int_eq(import(&c, texts), TDAT_OK);
	ck_assert_uint_eq(c.option_count, 2);
	ck_assert_uint_eq(c.options[0].id, 63);
	ck_assert_uint_eq(c.options[0].len, 4 + 2 * 12 + 5 + 3);
	ck_assert_uint_eq(c.options[1].id, 32);
	ck_assert_mem_eq(c.options[1].data, "12 11\n", 6);
	collect_fini(&c);
}
END_TEST

START_TEST(test_refused)
{
	const char *const texts[] = {"sched_switch: no columns\n", NULL};
	struct collect c;

	ck_assert_int_eq(import(&c, texts), TDAT_E_FORMAT);
	collect_fini(&c);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("ftrace_text");
	Suite *s = suite_create("ftrace_text");

	tcase_add_test(tc, test_order_and_losses);
	tcase_add_test(tc, test_two_texts);
	tcase_add_test(tc, test_graph);
	tcase_add_test(tc, test_names_in_turn);
	tcase_add_test(tc, test_refused);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
