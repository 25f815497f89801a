/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions that end the C library are refused with a reason, others are taken. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
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
	char got[256] = "";
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
		{"", "(a|b)*a(a|b){128}$", "", 1, true, "places"},
		{"", "[ab]*a[ab]{20}", "", 1, true, "places"},
		{"", "\\(a\\|b\\)*a[ab]\\{20\\}", "", 1, false, "places"},
		{"", "[ab]?a(ab?){20}", "", 1, true, "places"},
		{"", "(a|bb)a.{20}", "", 1, true, "places"},
		{"", "(x.{20}y)*", "", 1, true, "places"},
		{"", "a{0,64}a.{20}", "", 1, true, "places"},
		{"", "[ab]*b\\w{20}", "", 1, true, "places"},
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
		{"", ".*sched.*switch.*", "", 1, false},
		{"", "comm=.{15} pid=[0-9]{1,9}( prio=[[:digit:]]{1,3})?", "", 1, true},
		{"", "[ab]*c[ab]{99}", "", 1, true},
		{"", ".{99}[0-9]*", "", 1, true},
		{"", "foo.*|bar.{20}", "", 1, true},
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

/* Whatever is taken finds its places in long texts in 64 MiB; mallinfo2 is the C library's own. */
START_TEST(memory)
{
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
	static const char *const texts[] = {
		"[ab]*a[ab]{11}$",
		"(a|b)*a(a|b){10}$",
		"(a|b|c)+(a|b){3}c(a|b){4}x",
		".*a.*b.*c.*d.*e$",
		"[ab]*[bc]*[cd]*[ab]{5}$",
		"(ab|a|b)*a[abc]{9}$",
		"a?b?c?a?b?c?a?b?c?x",
		"[ab]*a{400}",
		"[ab]*c[ab]{99}$",
	};
	char subject[2048];
	uint64_t x = 88172645463325252u;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct mallinfo2 before = mallinfo2(), after;
		char why[256] = "";
		regex_t regex;

		ck_assert_msg(tdat_regex_compile(&regex, texts[i], REG_EXTENDED | REG_NOSUB, why,
						 sizeof(why)),
			      "%s: %s", texts[i], why);
		for (int round = 0; round < 4; round++) {
			for (size_t k = 0; k + 1 < sizeof(subject); k++) {
				x ^= x << 13;
				x ^= x >> 7;
				x ^= x << 17;
				subject[k] = "abcd"[x % (round & 1 ? 4 : 2)];
			}
			subject[sizeof(subject) - 1] = '\0';
			regexec(&regex, subject, 0, NULL, 0);
		}
		after = mallinfo2();
		ck_assert_msg(after.uordblks + after.hblkhd <
				      before.uordblks + before.hblkhd + ((size_t)64 << 20),
			      "%s takes %zu bytes", texts[i],
			      after.uordblks + after.hblkhd - before.uordblks - before.hblkhd);
		if (getenv("TDAT_TELL"))
			printf("%s: %zu bytes\n", texts[i],
			       after.uordblks + after.hblkhd - before.uordblks - before.hblkhd);
		regfree(&regex);
	}
#endif
}
END_TEST

/* ---- what is compiled to be searched once ---- */

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

static void make_text(unsigned int *seed, const char *const *pieces, size_t count, size_t most,
		      char *text)
{
	*text = '\0';
	for (size_t n = next_random(seed) % (most + 1); n; n--)
		strcat(text, pieces[next_random(seed) % count]);
}

/* Expressions of few characters match what the C library says that they match. */
START_TEST(same_matches)
{
	static const char *const pieces[] = {
		"a",   "b",    "a*", "b*",  ".",   ".*",  "[ab]",    "[^a]*",	 "\\(",
		"\\)", "^",    "$",  "*",   "\\|", "\\+", "\\{2\\}", "\\{1,\\}", "\\?",
		"\n",  "\xff", "x",  "\\.", "{",   "]",	  "\\<"};
	static const char *const letters[] = {"a", "b", "A", "x", "\n", "\xff", "*", "."};
	unsigned int seed = 1, compiled = 0, hits = 0;

	for (unsigned int i = 0; i < 60000; i++) {
		char expression[64], text[32], why[256];
		regex_t ours, plain;

		make_text(&seed, pieces, sizeof(pieces) / sizeof(pieces[0]), 8, expression);
		if (!tdat_regex_compile(&plain, expression, REG_ICASE | REG_NOSUB, why,
					sizeof(why)))
			continue;
		if (!tdat_regex_compile_once(&ours, expression, REG_ICASE | REG_NOSUB)) {
			regfree(&plain);
			continue;
		}
		compiled++;
		for (unsigned int k = 0; k < 8; k++) {
			int want, got;

			make_text(&seed, letters, sizeof(letters) / sizeof(letters[0]), 12, text);
			want = regexec(&plain, text, 0, NULL, 0);
			got = regexec(&ours, text, 0, NULL, 0);
			ck_assert_msg(want == got, "'%s' and '%s': %d, not %d", expression, text,
				      got, want);
			hits += !want;
		}
		regfree(&plain);
		regfree(&ours);
	}
	ck_assert_uint_gt(compiled, 10000);
	ck_assert_uint_gt(hits, 10000);
}
END_TEST

/* A search that tried each place anew would take half an hour. */
START_TEST(long_texts)
{
	static const char *const expressions[] = {
		"a.*b",	     "aa*b",	   "\\(a\\|aa\\)*b",	  "b\\|a.*b",
		"[a-z]\\+0", "a\\{3,\\}b", "[a-z]*a[ab]\\{8\\}$0"};
	enum { LEN = 1 << 20 };
	char *text = malloc(LEN + 1);
	regex_t regex;

	ck_assert_ptr_nonnull(text);
	memset(text, 'a', LEN);
	text[LEN] = '\0';
	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
		ck_assert_msg(
			tdat_regex_compile_once(&regex, expressions[i], REG_ICASE | REG_NOSUB),
			"%s", expressions[i]);
		ck_assert_int_eq(regexec(&regex, text, 0, NULL, 0), REG_NOMATCH);
		regfree(&regex);
	}
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("regex_bound");
	TCase *t = tcase_create("regex_bound");

	tcase_add_test(t, refused);
	tcase_add_test(t, accepted);
	tcase_add_test(t, any);
	tcase_add_test(t, memory);
	tcase_add_test(t, same_matches);
	tcase_add_test(t, long_texts);
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return run_suite(s);
}
