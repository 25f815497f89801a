/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the parser of command lines: forms of options, values, order, complaints. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/run.h"
#include "args/parse.h"

enum { WORDS_MAX = 16 };

struct args {
	bool flag, other;
	unsigned bits;
	const char *name;
	uint64_t small, any, bytes;
	int64_t shift;
	int color;
	struct cli_cpus cpus;
	struct cli_list many;
	char calls[64];
};

static int note_call(void *values, const struct cli_opt *opt, const char *value)
{
	struct args *a = values;
	size_t used = strlen(a->calls);

	snprintf(a->calls + used, sizeof(a->calls) - used, "%s=%s;",
		 opt->long_name ? opt->long_name : "", value ? value : "");
	return value && !strcmp(value, "refuse") ? CLI_FAILED : CLI_OK;
}

static const char *const colors[] = {"red", "green", "blue", NULL};

static const struct cli_opt opts[] = {
	CLI_FLAG('f', "flag", struct args, flag, "a flag"),
	CLI_FLAG('F', NULL, struct args, other, "a flag without a long name"),
	CLI_BIT('v', "verbose", 2, struct args, bits, "a bit"),
	CLI_BIT('w', "wide", 4, struct args, bits, "another one"),
	CLI_STRING('n', "name", "NAME", struct args, name, "a name"),
	CLI_U64(0, "small", "N", 6, 7, struct args, small, "six or seven"),
	CLI_U64(0, "any", "N", 0, 0, struct args, any, "any number"),
	CLI_SIZE(0, "bytes", "BYTES", 0, 0, struct args, bytes, "a size"),
	CLI_I64(0, "shift", "N", 0, 0, struct args, shift, "a signed number"),
	CLI_CHOICE(0, "color", "NAME", colors, struct args, color, "a color"),
	CLI_CPUS(0, "cpu", "LIST", struct args, cpus, "CPUs"),
	CLI_LIST(0, "add", "X", struct args, many, "more of it"),
	CLI_CALL('i', "input", "FILE", note_call, "ordered"),
	CLI_CALL(0, "mark", NULL, note_call, "ordered, no argument"),
	CLI_OPT_END,
};

static const struct cli_opt ordered_opts[] = {
	CLI_CALL('i', "input", "FILE", note_call, "ordered"),
	CLI_ARG(note_call),
	CLI_OPT_END,
};

static const char *const synopsis[] = {"[OPTIONS]", NULL};
static const struct cli_cmd cmd = {"try", "Tries.", synopsis, opts, NULL, NULL};

/* What a parse left behind. */
struct result {
	struct args args;
	char line[256];
	char *argv[WORDS_MAX];
	int argc;
	int status;
	bool go;
	char *said; /* on stderr */
};

/* Words of line are parted by single spaces; "~" stands for an empty word. */
static void run_with(struct result *r, const struct cli_opt *table, const char *line)
{
	size_t said_len;
	FILE *old = stderr;

	memset(r, 0, sizeof(*r));
	snprintf(r->line, sizeof(r->line), "try %s", line);
	for (char *w = strtok(r->line, " "); w; w = strtok(NULL, " "))
		r->argv[r->argc++] = strcmp(w, "~") ? w : w + 1;
	stderr = open_memstream(&r->said, &said_len);
	ck_assert_ptr_nonnull(stderr);
	r->go = cli_opt_parse(&cmd, table, &r->argc, r->argv, &r->args, &r->status);
	fclose(stderr);
	stderr = old;
}

static void done(struct result *r)
{
	cli_cpus_fini(&r->args.cpus);
	cli_list_fini(&r->args.many);
	free(r->said);
}

static void refuse(const char *line, const char *sentence)
{
	struct result r;

	run_with(&r, opts, line);
	ck_assert_msg(!r.go, "'%s' was accepted", line);
	ck_assert_int_eq(r.status, CLI_USAGE);
	ck_assert_str_eq(r.said, sentence);
	done(&r);
}

START_TEST(test_forms)
{
	struct result r;

	run_with(&r, opts, "a -fvwv -nX --name Y b --name=Z -F -- -v");
	ck_assert(r.go);
	ck_assert(r.args.flag && r.args.other);
	ck_assert_uint_eq(r.args.bits, 6);
	ck_assert_str_eq(r.args.name, "Z");
	ck_assert_int_eq(r.argc, 4);
	ck_assert_str_eq(r.argv[1], "a");
	ck_assert_str_eq(r.argv[2], "b");
	ck_assert_str_eq(r.argv[3], "-v");
	done(&r);
	run_with(&r, opts, "- -vn -");
	ck_assert(r.go);
	ck_assert_str_eq(r.args.name, "-");
	ck_assert_int_eq(r.argc, 2);
	done(&r);
	run_with(&r, opts, "--name=");
	ck_assert(r.go);
	ck_assert_str_eq(r.args.name, "");
	done(&r);
}
END_TEST

START_TEST(test_numbers)
{
	struct result r;

	run_with(&r, opts, "--small 7 --any 0xffffffffffffffff --bytes 3M --shift -9");
	ck_assert(r.go);
	ck_assert_uint_eq(r.args.small, 7);
	ck_assert_uint_eq(r.args.any, UINT64_MAX);
	ck_assert_uint_eq(r.args.bytes, 3u << 20);
	ck_assert_int_eq(r.args.shift, -9);
	done(&r);
	run_with(&r, opts, "--shift=-9223372036854775808 --bytes=0");
	ck_assert(r.go);
	ck_assert_int_eq(r.args.shift, INT64_MIN);
	done(&r);
	refuse("--small 8", "tdat: option '--small' needs a number from 6 to 7, not '8'\n");
	refuse("--small 5", "tdat: option '--small' needs a number from 6 to 7, not '5'\n");
	refuse("--any 18446744073709551616",
	       "tdat: option '--any' needs a number, not '18446744073709551616'\n");
	refuse("--any ~", "tdat: option '--any' needs a number, not ''\n");
	refuse("--any -1", "tdat: option '--any' needs a number, not '-1'\n");
	refuse("--any 0x", "tdat: option '--any' needs a number, not '0x'\n");
	refuse("--any 1M", "tdat: option '--any' needs a number, not '1M'\n");
	refuse("--any +1", "tdat: option '--any' needs a number, not '+1'\n");
	refuse("--bytes 1MB", "tdat: option '--bytes' needs a number, not '1MB'\n");
	refuse("--bytes 18014398509481984K",
	       "tdat: option '--bytes' needs a number, not '18014398509481984K'\n");
	refuse("--shift 9223372036854775808",
	       "tdat: option '--shift' needs a number, not '9223372036854775808'\n");
	refuse("--shift --1", "tdat: option '--shift' needs a number, not '--1'\n");
}
END_TEST

START_TEST(test_cpus)
{
	static const uint32_t want[] = {0, 2, 3, 4, 9};
	struct result r;

	run_with(&r, opts, "--cpu 3-4,2 --cpu 0,9,3");
	ck_assert(r.go);
	ck_assert_uint_eq(r.args.cpus.count, 5);
	ck_assert_mem_eq(r.args.cpus.v, want, sizeof(want));
	done(&r);
	refuse("--cpu 3-2", "tdat: option '--cpu' needs a list of CPUs such as 0,2-3, not '3-2'\n");
	refuse("--cpu 1,", "tdat: option '--cpu' needs a list of CPUs such as 0,2-3, not '1,'\n");
	refuse("--cpu ~", "tdat: option '--cpu' needs a list of CPUs such as 0,2-3, not ''\n");
	refuse("--cpu 65536",
	       "tdat: option '--cpu' needs a list of CPUs such as 0,2-3, not '65536'\n");
}
END_TEST

START_TEST(test_choice_and_list)
{
	struct result r;

	run_with(&r, opts, "--color blue --add x --add=y --add z");
	ck_assert(r.go);
	ck_assert_int_eq(r.args.color, 2);
	ck_assert_uint_eq(r.args.many.count, 3);
	ck_assert_str_eq(r.args.many.v[0], "x");
	ck_assert_str_eq(r.args.many.v[2], "z");
	done(&r);
	refuse("--color gren",
	       "tdat: option '--color' does not accept 'gren'; did you mean 'green'?\n");
}
END_TEST

START_TEST(test_order_is_kept)
{
	struct result r;

	run_with(&r, opts, "-i a --mark -ib --input=c");
	ck_assert(r.go);
	ck_assert_str_eq(r.args.calls, "input=a;mark=;input=b;input=c;");
	done(&r);
	run_with(&r, ordered_opts, "x -i a y -- -z");
	ck_assert(r.go);
	ck_assert_int_eq(r.argc, 1);
	ck_assert_str_eq(r.args.calls, "=x;input=a;=y;=-z;");
	done(&r);
	run_with(&r, opts, "-i refuse -i later");
	ck_assert(!r.go);
	ck_assert_int_eq(r.status, CLI_FAILED);
	ck_assert_str_eq(r.args.calls, "input=refuse;");
	done(&r);
}
END_TEST

START_TEST(test_complaints)
{
	refuse("--nmae X", "tdat: try: unknown option '--nmae'; did you mean '--name'?\n");
	refuse("--nmae=X", "tdat: try: unknown option '--nmae'; did you mean '--name'?\n");
	refuse("--halp", "tdat: try: unknown option '--halp'; did you mean '--help'?\n");
	refuse("-N", "tdat: try: unknown option '-N'; did you mean '-n'?\n");
	refuse("-x", "tdat: try: unknown option '-x'\n");
	refuse("--flag=1", "tdat: option '--flag' takes no argument\n");
	refuse("--name", "tdat: option '--name' needs NAME\n");
	refuse("-n", "tdat: option '--name' needs NAME\n");
	refuse("--\x1b[2J", "tdat: try: unknown option '--\\x1b[2J'\n");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cli opt");
	TCase *tc = tcase_create("opt");

	tcase_add_test(tc, test_forms);
	tcase_add_test(tc, test_numbers);
	tcase_add_test(tc, test_cpus);
	tcase_add_test(tc, test_choice_and_list);
	tcase_add_test(tc, test_order_is_kept);
	tcase_add_test(tc, test_complaints);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
