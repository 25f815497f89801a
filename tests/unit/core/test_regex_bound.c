/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions that end the C library are refused with a reason, others are taken. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "../common/run.h"
#include "core/regex_bound.h"

/* before, piece count times, middle, and after as often. */
static char *made(const char *piece, size_t count, const char *middle, const char *after)
{
	size_t room = (strlen(piece) + strlen(after)) * count + strlen(middle) + 1;
	char *text = malloc(room), *at = text;

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < count; i++)
		at = stpcpy(at, piece);
	at = stpcpy(at, middle);
	for (size_t i = 0; i < count; i++)
		at = stpcpy(at, after);
	return text;
}

static bool taken(const char *text, int flags, const char *why)
{
	char got[160] = "";
	regex_t regex;

	if (!tdat_regex_compile(&regex, text, flags, got, sizeof(got))) {
		ck_assert_msg(*got && (!why || strstr(got, why)), "%.60s: %s", text, got);
		return false;
	}
	regfree(&regex);
	return true;
}

START_TEST(refused)
{
	static const struct {
		const char *before, *middle, *after;
		size_t count;
		bool extended;
		const char *why;
	} cases[] = {
		{"\\(", "a", "\\)", 33, false, "nested"},
		{"\\(", "a", "\\)", 500000, false, "long"},
		{"\\(", "", "", 1000, false, "nested"},
		{"(", "a", ")", 33, true, "nested"},
		{"(", "a", ")*", 1300, true, "nested"},
		{"(", "", "", 4000, true, "nested"},
		{"(", "a", "){1,255}", 3, true, "parts"},
		{"(", "a", "){255}", 3, true, "parts"},
		{"(", "a", "){99,}", 3, true, "parts"},
		{"(", "a", "){,255}", 3, true, "parts"},
		{"\\(", "a", "\\)\\{1,255\\}", 3, false, "parts"},
		{"(", "a", ")+", 20, true, "parts"},
		{"\\(", "a", "\\)\\+", 20, false, "parts"},
		{"", "a", "{255}", 2, true, "parts"},
		{"", "a", "{32767}", 1, true, "parts"},
		{"", "a{99999999999999999999}", "", 1, true, "parts"},
		{"(a*)*", "", "", 800, true, "parts"},
		{"a\\|", "", "", 600, false, "parts"},
		{"a", "", "", 4097, false, "long"},
		{"[[:alpha:]]", "", "", 4000, true, "long"},
		{"\\(a*\\)*\\1", "", "", 1, false, "back reference"},
		{"(a*)\\1", "", "", 1, true, "back reference"},
		{"", "[", "", 1, true, NULL},
		{"", "[[:alpha:", "", 1, true, NULL},
		{"", "a\\", "", 1, true, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = made(cases[i].before, cases[i].count, cases[i].middle, cases[i].after);

		ck_assert_msg(!taken(text, cases[i].extended ? REG_EXTENDED : 0, cases[i].why),
			      "%.60s was taken", text);
		free(text);
	}
}
END_TEST

START_TEST(accepted)
{
	static const struct {
		const char *before, *middle, *after;
		size_t count;
		bool extended;
	} cases[] = {
		{"(", "a", ")", 32, true},
		{"\\(", "a", "\\)", 32, false},
		{"(", "", "", 1000, false}, /* a character in basic syntax */
		{"a", "", "", 1000, false},
		{"", "sched_\\(switch\\|wakeup\\)[[:digit:]]*", "", 1, false},
		{"", "pid=([0-9]{1,7})( comm=\\(.{0,15}\\))?", "", 1, true},
		{"", "[]\\(()[]*", "", 1, false},
		{"", "[^]((((((((((((((((((((((((((((((((((]", "", 1, true},
		{"", "*a\\\\1", "", 1, false},
		{"", "", "", 1, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = made(cases[i].before, cases[i].count, cases[i].middle, cases[i].after);

		ck_assert_msg(taken(text, cases[i].extended ? REG_EXTENDED : 0, NULL),
			      "%.60s was refused", text);
		free(text);
	}
}
END_TEST

/* No text of these characters ends in anything but an answer. */
START_TEST(any)
{
	static const char letters[] = "a((()))**++??{{}},,19[]^$||\\\\\\\\.:";
	uint64_t x = 88172645463325252u;

	for (int round = 0; round < 20000; round++) {
		char text[200];
		size_t len = (size_t)(round % (int)(sizeof(text) - 1));

		for (size_t i = 0; i < len; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			text[i] = letters[x % (sizeof(letters) - 1)];
		}
		text[len] = '\0';
		taken(text, round & 1 ? REG_EXTENDED : REG_ICASE | REG_NOSUB, NULL);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("regex_bound");
	TCase *t = tcase_create("regex_bound");

	tcase_add_test(t, refused);
	tcase_add_test(t, accepted);
	tcase_add_test(t, any);
	suite_add_tcase(s, t);
	return run_suite(s);
}
