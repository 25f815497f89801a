/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plugins of users print their events through libtraceevent; others are ours. */
#include <stdio.h>
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

/* want NULL: any text. */
static void prints(const char *text, bool plugins, enum model_print_style style,
		   enum model_print_kind kind, const char *want)
{
	const char *dirs[] = {PLUGIN_DIR, NULL};
	struct model_tep_opts opts = {.long_size = 8, .plugin_dirs = plugins ? dirs : NULL};
	struct model_env env = {.long_size = 8, .kernel_long_size = 8};
	struct tdat_span span = {(const uint8_t *)text, strlen(text)};
	uint8_t record[8] = {0, 0, 0, 0, 21, 0, 0, 0};
	struct model_event event = {.record = {record, sizeof(record)}};
	struct tdat_event_format *format = NULL;
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct tdat_build out = {.cap = 0};

	ck_assert_int_eq(model_format_parse(&format, "made", span, 0, false, 8, NULL), TDAT_OK);
	record[0] = (uint8_t)tdat_event_format_id(format);
	ck_assert_int_eq(model_tep_new(&env.tep, &opts, NULL), TDAT_OK);
	ck_assert_int_eq(model_print_new(&print, format, &env, style, NULL), TDAT_OK);
	ck_assert_int_eq(model_scratch_new(&scratch, NULL), TDAT_OK);
	model_print_run(print, &event, scratch, &out);
	tdat_build_u8(&out, '\0');
	if (want) {
		ck_assert_str_eq((const char *)out.ptr, want);
		ck_assert_int_eq(model_print_kind(print), kind);
		ck_assert(kind == MODEL_PRINT_COMPILED || model_print_reason(print)[0]);
	}
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

/* piece count times, then middle, as the print fmt of an event of this name. */
static char *deep(const char *name, const char *before, const char *piece, size_t count,
		  const char *after)
{
	char *text = malloc(512 + strlen(piece) * count), *at = text;

	ck_assert_ptr_nonnull(text);
	at += sprintf(at,
		      "name: %s\nID: 73\nformat:\n"
		      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		      "\tfield:u32 a;\toffset:4;\tsize:4;\tsigned:0;\n\nprint fmt: \"a=%%d\", %s",
		      name, before);
	while (count--)
		at = stpcpy(at, piece);
	strcpy(stpcpy(at, after), "\n");
	return text;
}

/* What our parser does not take to its end never reaches libtraceevent's. */
START_TEST(hostile)
{
	static const struct {
		const char *before, *piece, *after;
		size_t count;
	} cases[] = {
		{"", "(", "", 4000},
		{"", "(", "REC->a", 60000},
		{"", "1+", "REC->a", 4000},
		{"", "1?", "REC->a", 4000},
		{"", "!", "REC->a", 4000},
		{"", "REC->a[", "1", 4000},
		{"", "(u32)", "REC->a", 900},
		{"", "double_it(", "", 4000},
		{"double_it(REC->a), ", "(", "", 4000},
		{"", "__print_symbolic(", "REC->a", 4000},
		{"", "__print_flags(REC->a, \"", "", 1},
		{"__get_dynamic_array(a)[", "1 ? ", "", 200},
		{"", "nobody(", "REC->a)", 1},
		{"", "REC->", "", 1},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = deep("handled", cases[i].before, cases[i].piece, cases[i].count,
				  cases[i].after);

		prints(text, true, MODEL_PRINT_FMT, MODEL_PRINT_FALLBACK, "from the plugin: 21");
		free(text);
	}
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = deep("other", cases[i].before, cases[i].piece, cases[i].count,
				  cases[i].after);

		prints(text, true, MODEL_PRINT_FMT, MODEL_PRINT_FIELDS, NULL);
		free(text);
	}
}
END_TEST

/* Of many functions that nobody has, only some are looked for, and one that is there is found. */
START_TEST(functions)
{
	const char *dirs[] = {PLUGIN_DIR, NULL};
	struct model_tep_opts opts = {.long_size = 8, .plugin_dirs = dirs};
	struct model_tep *tep;

	ck_assert_int_eq(model_tep_new(&tep, &opts, NULL), TDAT_OK);
	for (unsigned int i = 1; i < 5000; i++) {
		const bool known = i == 100;
		struct tdat_event_format *format;
		char text[512];
		int len = sprintf(text,
				  "name: f%u\nID: %u\nformat:\n"
				  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
				  "\tsigned:0;\n\n\nprint fmt: \"%%d\", %s%u(1)\n",
				  i, i, known ? "double_it(1)\n\n" : "nobody", i);
		struct tdat_span span = {(const uint8_t *)text, (size_t)len};

		if (known)
			*strstr(text, "\n\n100(") = '\0', span.len = strlen(text);
		ck_assert_int_eq(model_format_parse(&format, "made", span, 0, false, 8, NULL),
				 TDAT_OK);
		ck_assert_int_eq(model_tep_has_function(tep, format), known);
		ck_assert(!model_tep_has_plugin(tep, format));
		model_format_free(format);
	}
	model_tep_free(tep);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("user_plugin");
	TCase *t = tcase_create("user_plugin");

	tcase_add_test(t, handler);
	tcase_add_test(t, function);
	tcase_add_test(t, others);
	tcase_add_test(t, hostile);
	tcase_add_test(t, functions);
	suite_add_tcase(s, t);
	return run_suite(s);
}
