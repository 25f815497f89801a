/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The byte tools that all rooms share: growing arrays, heaps, UTF-8 and JSON text. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/grow.h"
#include "core/heap.h"
#include "core/json_text.h"
#include "core/nearest.h"
#include "core/opts.h"
#include <tdat/error.h>

START_TEST(test_grow_keeps_what_was_there)
{
	uint32_t *v = NULL, *p;
	size_t cap = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		p = tdat_grown(v, &cap, i + 1u, sizeof(*p));
		ck_assert_ptr_nonnull(p);
		ck_assert_uint_ge(cap, i + 1u);
		v = p;
		v[i] = i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(v[i], i);
	p = tdat_grown(v, &cap, 3, sizeof(*p));
	ck_assert_ptr_eq(p, v);
	free(v);
}
END_TEST

START_TEST(test_grow_refuses_sizes_that_overflow)
{
	char *v = NULL;
	size_t cap = 0, was;

	v = tdat_grown(v, &cap, 1, 16);
	was = cap;
	ck_assert_ptr_null(tdat_grown(v, &cap, SIZE_MAX, 1));
	ck_assert_ptr_null(tdat_grown(v, &cap, SIZE_MAX / 8, 16));
	ck_assert_ptr_null(tdat_grown(v, &cap, SIZE_MAX / 2 + 2, 1));
	ck_assert_uint_eq(cap, was);
	free(v);
}
END_TEST

static int item_order(const void *a, const void *b)
{
	const struct tdat_heap_item *x = a, *y = b;

	return tdat_heap_before(*x, *y) ? -1 : tdat_heap_before(*y, *x);
}

/* Both ways to fill a heap give the items back as a sort does. */
START_TEST(test_heap_gives_items_in_order)
{
	struct tdat_heap_item made[200], pushed[200], built[200];
	struct tdat_heap a = {pushed, 0}, b = {built, 200};
	uint32_t x = 7;

	for (size_t i = 0; i < 200; i++) {
		x = x * 1103515245u + 12345u;
		made[i] = (struct tdat_heap_item){x >> 16 & 31, i};
		tdat_heap_push(&a, made[i]);
		built[i] = made[i];
	}
	tdat_heap_build(&b);
	qsort(made, 200, sizeof(*made), item_order);
	for (size_t i = 0; i < 200; i++) {
		struct tdat_heap_item second = tdat_heap_second(&b);

		ck_assert_uint_eq(a.items[0].tie, made[i].tie);
		ck_assert_uint_eq(b.items[0].tie, made[i].tie);
		ck_assert_uint_eq(second.tie, i < 199 ? made[i + 1].tie : 0);
		tdat_heap_drop_top(&a);
		/* To replace the top by the last of all moves it to the end. */
		if (i < 100)
			tdat_heap_replace_top(&b, (struct tdat_heap_item){UINT64_MAX - 1, i});
		else
			tdat_heap_drop_top(&b);
	}
	ck_assert_uint_eq(a.count, 0);
	ck_assert_uint_eq(b.count, 100);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	size_t taken;
	uint32_t code;
} characters[] = {
	{"a", 1, 1, 'a'},
	{"\xc3\xa9", 2, 2, 0xe9},
	{"\xe2\x82\xac", 3, 3, 0x20ac},
	{"\xf0\x9f\x90\xa7", 4, 4, 0x1f427},
	{"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
	{"\xc3", 1, 0, 0},	       /* cut */
	{"\xc0\x80", 2, 0, 0},	       /* overlong */
	{"\xe0\x9f\xbf", 3, 0, 0},     /* overlong */
	{"\xf0\x8f\xbf\xbf", 4, 0, 0}, /* overlong */
	{"\xed\xa0\x80", 3, 0, 0},     /* a surrogate */
	{"\xf4\x90\x80\x80", 4, 0, 0}, /* above U+10FFFF */
	{"\xf8\x88\x80\x80", 4, 0, 0},
	{"\x80", 1, 0, 0},
	{"\xe2\x28\xa1", 3, 0, 0},
};

START_TEST(test_utf8)
{
	uint32_t code = 0;

	ck_assert_uint_eq(tdat_utf8_len(characters[_i].bytes, characters[_i].len, &code),
			  characters[_i].taken);
	if (characters[_i].taken)
		ck_assert_uint_eq(code, characters[_i].code);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	const char *json;
} texts[] = {
	{"plain text of more than eight bytes", 35, "plain text of more than eight bytes"},
	{"a\"b\\c", 5, "a\\\"b\\\\c"},
	{"\n\t\r\0\x1f", 5, "\\n\\t\\u000d\\u0000\\u001f"},
	{"12345678\x7f", 9, "12345678\\u007f"},
	{"\xc2\x9b", 2, "\\u009b"},
	{"a\xe2\x80\xae"
	 "b",
	 5, "a\\u202eb"},
	{"\xf3\xa0\x81\x81", 4, "\\udb40\\udc41"},
	{"\xf0\x9f\x90\xa7", 4, "\xf0\x9f\x90\xa7"},
	{"\xc3\xa9\xff\xe2\x82", 5, "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
};

START_TEST(test_json_text)
{
	const uint8_t *p = (const uint8_t *)texts[_i].bytes;
	uint8_t escape[TDAT_JSON_ESCAPE];
	size_t len = texts[_i].len, used = 0;
	char out[128];

	while (len) {
		struct tdat_span piece = tdat_json_next(&p, &len, escape);

		memcpy(out + used, piece.ptr, piece.len);
		used += piece.len;
	}
	out[used] = '\0';
	ck_assert_str_eq(out, texts[_i].json);
}
END_TEST

static const struct {
	const char *text, *clean;
} sentences[] = {
	{"plain \xc3\xa9 \xf0\x9f\x90\xa7", "plain \xc3\xa9 \xf0\x9f\x90\xa7"},
	{"\x1b[2J\x7f\n", "?[2J??"},
	{"\xc2\x9b"
	 "2J",
	 "?2J"}, /* U+009B, of C1 */
	{"\x9b"
	 "2J",
	 "?2J"}, /* the same as one byte */
	{"a\xe2\x80\xae"
	 "b\xe2\x81\xa9",
	 "a?b?"},		   /* U+202E, U+2069 */
	{"\xef\xbb\xbf", "?"},	   /* U+FEFF */
	{"\xf3\xa0\x81\x81", "?"}, /* U+E0041 */
	{"cut \xe2\x80", "cut ??"},
};

START_TEST(test_sentences_are_cleaned)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char text[64];

	strcpy(text, sentences[_i].text);
	tdat_utf8_clean(text);
	ck_assert_str_eq(text, sentences[_i].clean);
	tdat_error_set(&err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s", sentences[_i].text);
	ck_assert_str_eq(err.message, sentences[_i].clean);
	tdat_error_prefix(&err, "%s", sentences[_i].text);
	ck_assert_ptr_eq(strstr(err.message, sentences[_i].clean), err.message);
}
END_TEST

/* Characters by their place in the table: its ends, the inside of a range, between two. */
START_TEST(test_hidden_characters)
{
	static const uint32_t hidden[] = {0,	   0x1b,    0x9f,   0xad,   0x61c,  0x180e,
					  0x200b,  0x200e,  0x2028, 0x202a, 0x202e, 0x2060,
					  0x2066,  0x2069,  0xfe0f, 0xfeff, 0xfffb, 0x1d173,
					  0xe0001, 0xe007f, 0xe0fff};
	static const uint32_t seen[] = {' ',	 0x7e,	  0xa0,	   0xac,    0xae,   0x200a,
					0x2010,	 0x202f,  0x205f,  0x2070,  0xfffc, 0xfffd,
					0x1f427, 0xdffff, 0xe1000, 0x10ffff};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		ck_assert_msg(tdat_utf8_is_hidden(hidden[i]), "U+%04X", hidden[i]);
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		ck_assert_msg(!tdat_utf8_is_hidden(seen[i]), "U+%04X", seen[i]);
}
END_TEST

/* Options of three versions: each has one member more than the one before. */
struct opts_1 {
	size_t size;
	uint64_t a;
};

struct opts_2 {
	size_t size;
	uint64_t a, b;
};

struct opts_3 {
	size_t size;
	uint64_t a, b, c;
};

START_TEST(test_opts_of_other_versions)
{
	const struct opts_1 older = {sizeof(older), 1};
	const struct opts_3 newer = {sizeof(newer), 2, 3, 4};
	struct {
		struct opts_2 own;
		uint64_t behind;
	} x = {{sizeof(x.own), 10, 20}, 30};

	tdat_opts_copy(&x.own, sizeof(x.own), NULL);
	ck_assert(x.own.size == sizeof(x.own) && x.own.a == 10 && x.own.b == 20);
	tdat_opts_copy(&x.own, sizeof(x.own), &older);
	ck_assert(x.own.size == sizeof(x.own) && x.own.a == 1 && x.own.b == 20);
	tdat_opts_copy(&x.own, sizeof(x.own), &newer);
	ck_assert(x.own.size == sizeof(x.own) && x.own.a == 2 && x.own.b == 3);
	ck_assert_uint_eq(x.behind, 30);
}
END_TEST

START_TEST(test_nearest)
{
	static const char *const names[] = {"info",    "check", "list",	   "dump",    "report",
					    "view",    "stat",	"latency", "profile", "flame",
					    "hist",    "sql",	"repair",  "split",   "merge",
					    "convert", "export"};
	/* What somebody typed, and meant; NULL: nothing that is here. */
	static const char *const typed[][2] = {
		{"inof", "info"},	{"dmup", "dump"},    {"covnert", "convert"},
		{"lst", "list"},	{"latencies", NULL}, {"latecny", "latency"},
		{"exprot", "export"},	{"exp", "export"},   {"conv", "convert"},
		{"profiel", "profile"}, {"flam", "flame"},   {"reprot", "report"},
		{"staat", "stat"},	{"mrege", "merge"},  {"splitt", "split"},
		{"record", "report"},	{"x", NULL},	     {"", NULL},
		{"trace.dat", NULL},	{"perfetto", NULL},  {"hi", "hist"},
		{"zzz", NULL},
	};
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		struct tdat_near near = {.word = typed[i][0]};

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			tdat_near_try(&near, names[k]);
		ck_assert_str_eq(near.best, typed[i][1] ? typed[i][1] : "");
	}
}
END_TEST

/* Events are proposed as they were typed, and names of any length are safe. */
START_TEST(test_nearest_event)
{
	static const char *const typed[][2] = {
		{"shced_switch", "sched_switch"},
		{"sched:sched_swich", "sched:sched_switch"},
		{"shced/sched_switch", "sched/sched_switch"},
		{"sched_wak", "sched_wakeup"},
		{"irq:sched_switch", ""},
	};
	char name[300];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		struct tdat_near near = {.word = typed[i][0]};

		tdat_near_event(&near, "sched", name);
		tdat_near_event(&near, "sched", "sched_switch");
		tdat_near_event(&near, "sched", "sched_wakeup");
		ck_assert_str_eq(near.best, typed[i][1]);
	}
	for (size_t len = 0; len < sizeof(name); len++) {
		struct tdat_near near = {.word = name + len};

		tdat_near_try(&near, name + (len ? len - 1 : 0));
		ck_assert_uint_le(strlen(near.best), TDAT_NEAR_NAME - 1);
		ck_assert_uint_le(strlen(tdat_near_hint(&near, "")), TDAT_NEAR_NAME + 31);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("core tools");
	TCase *tc = tcase_create("tools");

	tcase_add_test(tc, test_grow_keeps_what_was_there);
	tcase_add_test(tc, test_grow_refuses_sizes_that_overflow);
	tcase_add_test(tc, test_heap_gives_items_in_order);
	tcase_add_loop_test(tc, test_utf8, 0, sizeof(characters) / sizeof(characters[0]));
	tcase_add_loop_test(tc, test_json_text, 0, sizeof(texts) / sizeof(texts[0]));
	tcase_add_loop_test(tc, test_sentences_are_cleaned, 0,
			    sizeof(sentences) / sizeof(sentences[0]));
	tcase_add_test(tc, test_hidden_characters);
	tcase_add_test(tc, test_nearest);
	tcase_add_test(tc, test_nearest_event);
	tcase_add_test(tc, test_opts_of_other_versions);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
