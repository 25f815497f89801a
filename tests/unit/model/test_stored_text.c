/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a stored text is not read, against the tables themselves; and texts that are mended. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/text.h"
#include "model/stored_text.h"
#include "model/symbols.h"

static struct tdat_span span(const char *s, size_t len)
{
	return (struct tdat_span){(const uint8_t *)s, len};
}

static const struct known {
	enum model_text which;
	const char *text;
	size_t text_len;
	struct model_unread unread;
	const char *mended;
} known[] = {
#define TEXT(t) t, sizeof(t) - 1
	{MODEL_TEXT_CMDLINES, TEXT(""), {0, 0, 0, false}, ""},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n2 b\n"), {0, 0, 0, false}, "1 a\n2 b\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n2 b\n\0"), {0, 0, 0, false}, "1 a\n2 b\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n\n \n\n"), {0, 0, 0, false}, "1 a\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("1 a\nx\n2 b\n"),
	 {4, 6, MODEL_UNREAD_SHAPE, false},
	 "1 a\n2 b\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("1 a\n2 \n3 c"),
	 {4, 6, MODEL_UNREAD_SHAPE, false},
	 "1 a\n3 c\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n \n3 c"), {4, 5, MODEL_UNREAD_SHAPE, false}, "1 a\n3 c\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("1 a\n\0002 b\n"),
	 {4, 5, MODEL_UNREAD_NUL, false},
	 "1 a\n2 b\n"},
	{MODEL_TEXT_CMDLINES, TEXT("\0\0002 b"), {0, 5, MODEL_UNREAD_NUL, false}, "2 b\n"},
	{MODEL_TEXT_KALLSYMS, TEXT("1 t a\n2 t b [m]\n"), {0, 0, 0, false}, "1 t a\n2 t b [m]\n"},
	{MODEL_TEXT_KALLSYMS,
	 TEXT("1 t a\n2 t\n3 t c\n"),
	 {6, 10, MODEL_UNREAD_SHAPE, false},
	 "1 t a\n3 t c\n"},
	{MODEL_TEXT_KALLSYMS,
	 TEXT("1 t a\0002 t b\n"),
	 {0, 12, MODEL_UNREAD_CUT, false},
	 "1 t a\n2 t b\n"},
	{MODEL_TEXT_PRINTK, TEXT("0x1 : \"a\"\n"), {0, 0, 0, false}, "0x1 : \"a\"\n"},
	{MODEL_TEXT_PRINTK,
	 TEXT("0x1 : \"a\"\nx\n0x2 : \"b\"\ny\n"),
	 {10, 2, MODEL_UNREAD_SHAPE, false},
	 "0x1 : \"a\"\n0x2 : \"b\"\n"},
	{MODEL_TEXT_PRINTK,
	 TEXT("0x1 : \"a\"\n::\n0x2 : \"b\"\n"),
	 {10, 13, MODEL_UNREAD_SHAPE, false},
	 "0x1 : \"a\"\n0x2 : \"b\"\n"},
	{MODEL_TEXT_TGIDS, TEXT("1 2\n 3  4 \n"), {0, 0, 0, false}, "1 2\n 3  4 \n"},
	{MODEL_TEXT_TGIDS, TEXT("1 2\n3\n5 6\n"), {4, 1, MODEL_UNREAD_SHAPE, false}, "1 2\n5 6\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n2 bcd"), {4, 5, MODEL_UNREAD_CUT, false}, "1 a\n2 bcd\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n2 b\0"), {4, 3, MODEL_UNREAD_CUT, false}, "1 a\n2 b\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("99999999999 a\n"),
	 {0, 13, MODEL_UNREAD_ODD, false},
	 "1215752191 a\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("1 a\n0x12 b\n"),
	 {4, 6, MODEL_UNREAD_ODD, false},
	 "1 a\n0 x12 b\n"},
	{MODEL_TEXT_CMDLINES, TEXT("-2147483648 a\n"), {0, 0, 0, false}, "-2147483648 a\n"},
	{MODEL_TEXT_CMDLINES, TEXT("1 a\n2 b\n1 a\n"), {0, 0, 0, false}, "1 a\n2 b\n1 a\n"},
	{MODEL_TEXT_CMDLINES,
	 TEXT("1 a\n2 b\n1 c\n"),
	 {8, 3, MODEL_UNREAD_TWICE, false},
	 "1 a\n2 b\n"},
	{MODEL_TEXT_KALLSYMS, TEXT("1 t a\n1 t b\n"), {0, 0, 0, false}, "1 t a\n1 t b\n"},
	{MODEL_TEXT_KALLSYMS,
	 TEXT("1 t a\n2 t b"),
	 {6, 5, MODEL_UNREAD_CUT, false},
	 "1 t a\n2 t b\n"},
	{MODEL_TEXT_PRINTK,
	 TEXT("0x1 : \"a\"\n0x2 : \"b\"\n0x1 : \"a\"\n"),
	 {0, 0, 0, false},
	 "0x1 : \"a\"\n0x2 : \"b\"\n0x1 : \"a\"\n"},
	{MODEL_TEXT_PRINTK,
	 TEXT("0x1 : \"a\"\n0x2 : \"b\"\n0x1 : \"c\"\n"),
	 {20, 9, MODEL_UNREAD_TWICE, false},
	 "0x1 : \"a\"\n0x2 : \"b\"\n"},
	{MODEL_TEXT_PRINTK, TEXT("0x1 : \"a"), {0, 8, MODEL_UNREAD_ODD, false}, "0x1 : \"a\"\n"},
#undef TEXT
};

START_TEST(known_texts)
{
	const struct known *k = &known[_i];
	const struct model_unread u = model_text_unread(k->which, span(k->text, k->text_len));
	struct tdat_build b;

	ck_assert_uint_eq(u.len, k->unread.len);
	if (u.len) {
		ck_assert_uint_eq(u.off, k->unread.off);
		ck_assert_int_eq(u.why, k->unread.why);
	}
	tdat_build_init(&b, false);
	model_text_mend(k->which, span(k->text, k->text_len), &b);
	ck_assert_uint_eq(b.len, strlen(k->mended));
	ck_assert_int_eq(memcmp(b.len ? (const char *)b.ptr : "", k->mended, b.len), 0);
	tdat_build_fini(&b);
}
END_TEST

/* Lines of a text that are not blank, also behind NULs. */
static size_t count_lines(struct tdat_span text)
{
	size_t n = 0;
	bool any = false;

	for (size_t i = 0; i <= text.len; i++) {
		if (i == text.len || text.ptr[i] == '\n' || !text.ptr[i]) {
			n += any;
			any = false;
		} else {
			any |= !tdat_is_space(text.ptr[i]);
		}
	}
	return n;
}

static size_t lines_of_table(struct tdat_span text)
{
	struct model_tasks *t = NULL;
	size_t n;

	ck_assert_int_eq(model_tasks_new(&t, text, NULL), TDAT_OK);
	n = model_tasks_lines(t);
	model_tasks_free(t);
	return n;
}

static size_t tasks_of_table(struct tdat_span text)
{
	struct model_tasks *t = NULL;
	size_t n;

	ck_assert_int_eq(model_tasks_new(&t, text, NULL), TDAT_OK);
	n = model_tasks_count(t);
	model_tasks_free(t);
	return n;
}

/* The table of tasks has a line for each one of a text that is read as it was meant. */
START_TEST(random_texts)
{
	static const char letters[] = "0129a \n\n\0:\"t-";
	char raw[24];

	srand(7);
	for (int round = 0; round < 200000; round++) {
		struct tdat_span text = span(raw, (size_t)rand() % sizeof(raw));
		struct tdat_build b;

		for (size_t i = 0; i < text.len; i++)
			raw[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		if (!model_text_unread(MODEL_TEXT_CMDLINES, text).len)
			ck_assert_uint_eq(lines_of_table(text), count_lines(text));
		for (int which = MODEL_TEXT_KALLSYMS; which <= MODEL_TEXT_TGIDS; which++) {
			tdat_build_init(&b, false);
			model_text_mend((enum model_text)which, text, &b);
			ck_assert_uint_eq(model_text_unread((enum model_text)which,
							    (struct tdat_span){b.ptr, b.len})
						  .len,
					  0);
			if (which == MODEL_TEXT_CMDLINES)
				ck_assert_uint_ge(tasks_of_table((struct tdat_span){b.ptr, b.len}),
						  tasks_of_table(text));
			tdat_build_fini(&b);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stored_text");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, known_texts, 0, sizeof(known) / sizeof(known[0]));
	tcase_add_test(tc, random_texts);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
