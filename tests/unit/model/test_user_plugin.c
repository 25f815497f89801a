/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plugins of users print their events through libtraceevent; others are ours. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "../common/run.h"
#include "model/print.h"
#include "model/tep_fallback.h"

#define FORMAT(name, id, fmt)                                                                      \
	"name: " name "\nID: " id "\nformat:\n"                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"                   \
	"\tfield:u32 a;\toffset:4;\tsize:4;\tsigned:0;\n\nprint fmt: " fmt "\n"

static void prints(const char *text, bool plugins, enum model_print_style style,
		   enum model_print_kind kind, const char *want)
{
	const char *dirs[] = {PLUGIN_DIR, NULL};
	struct model_tep_opts opts = {.long_size = 8, .plugin_dirs = plugins ? dirs : NULL};
	struct model_env env = {.long_size = 8, .kernel_long_size = 8};
	struct tdat_span span = {(const uint8_t *)text, strlen(text)};
	uint8_t record[8] = {0, 0, 0, 0, 21, 0, 0, 0};
	struct model_event event = {.record = {record, sizeof(record)}};
	struct tdat_format *format = NULL;
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct tdat_build out = {.cap = 0};

	ck_assert_int_eq(model_format_parse(&format, "made", span, 0, false, 8, NULL), TDAT_OK);
	record[0] = (uint8_t)tdat_format_id(format);
	ck_assert_int_eq(model_tep_new(&env.tep, &opts, NULL), TDAT_OK);
	ck_assert_int_eq(model_print_new(&print, format, &env, style, NULL), TDAT_OK);
	ck_assert_int_eq(model_scratch_new(&scratch, NULL), TDAT_OK);
	model_print_run(print, &event, scratch, &out);
	tdat_build_u8(&out, '\0');
	ck_assert_str_eq((const char *)out.ptr, want);
	ck_assert_int_eq(model_print_kind(print), kind);
	ck_assert(kind == MODEL_PRINT_COMPILED || model_print_reason(print)[0]);
	tdat_build_fini(&out);
	model_print_free(print);
	model_scratch_free(scratch);
	model_tep_free(env.tep);
	model_format_free(format);
}

START_TEST(handler)
{
	const char *text = FORMAT("handled", "70", "\"a=%d\", REC->a");

	prints(text, true, MODEL_PRINT_FMT, MODEL_PRINT_FALLBACK, "from the plugin: 21");
	prints(text, false, MODEL_PRINT_FMT, MODEL_PRINT_COMPILED, "a=21");
	prints(text, true, MODEL_PRINT_NO_PLUGINS, MODEL_PRINT_COMPILED, "a=21");
	prints(text, true, MODEL_PRINT_RAW, MODEL_PRINT_COMPILED, " a=21");
}
END_TEST

START_TEST(function)
{
	const char *text = FORMAT("calls", "71", "\"a=%d\", double_it(REC->a)");

	prints(text, true, MODEL_PRINT_FMT, MODEL_PRINT_FALLBACK, "a=42");
	prints(text, false, MODEL_PRINT_FMT, MODEL_PRINT_FIELDS, "[FAILED TO PARSE] a=21");
}
END_TEST

START_TEST(others)
{
	prints(FORMAT("plain", "72", "\"a=%x\", REC->a"), true, MODEL_PRINT_FMT,
	       MODEL_PRINT_COMPILED, "a=15");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("user_plugin");
	TCase *t = tcase_create("user_plugin");

	tcase_add_test(t, handler);
	tcase_add_test(t, function);
	tcase_add_test(t, others);
	suite_add_tcase(s, t);
	return run_suite(s);
}
