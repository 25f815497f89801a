/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests records made of printed text: values by hand, and texts that no record prints. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/text_record.h>

#include "../common/run.h"

#define COMMON                                                                                     \
	"ID: 0\nformat:\n"                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char event[] =
	"name: ev\n" COMMON "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:int prio;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:u32 state;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 addr;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 mac[6];\toffset:44;\tsize:6;\tsigned:0;\n"
	"\tfield:int hidden;\toffset:52;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"comm=%s prio=%d state=%s%s addr=0x%llx name=%s mac=%pM\", REC->comm, "
	"REC->prio + 100, REC->state & 0xff ? __print_flags(REC->state & 0xff, \"|\", { 1, \"S\" "
	"}, "
	"{ 2, \"D\" }) : \"R\", REC->state & 0x100 ? \"+\" : \"\", REC->addr, __get_str(name), "
	"REC->mac\n";

static uint64_t value(const struct tdat_event_format *f, const char *field, struct tdat_span record)
{
	uint64_t v = 0;

	ck_assert_int_eq(tdat_field_u64(tdat_event_format_field(f, field), record, &v, NULL),
			 TDAT_OK);
	return v;
}

static bool read(struct tdat_text_types *t, const char *text, struct tdat_span *record)
{
	return tdat_text_types_record(t, 0, (struct tdat_span){(const uint8_t *)text, strlen(text)},
				      record, NULL) == TDAT_OK;
}

START_TEST(values)
{
	const struct tdat_event_format *f;
	struct tdat_text_types *t;
	struct tdat_span record, s;

	ck_assert_int_eq(tdat_text_types_new(&t, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_text_types_add(t, "sys", event, sizeof(event) - 1, NULL), TDAT_OK);
	ck_assert_uint_eq(tdat_text_types_find(t, "ev", 2, SIZE_MAX), 0);
	ck_assert_uint_eq(tdat_text_types_find(t, "ev", 2, 0), SIZE_MAX);
	ck_assert(tdat_text_types_shows(t, 0, "prio") && !tdat_text_types_shows(t, 0, "hidden"));
	f = tdat_text_types_format(t, 0);
	/* The name has the words that stand behind it. */
	ck_assert(read(t,
		       "comm=a prio=1 prio=-5 state=S|D+ addr=0xffff name=x mac= y "
		       "mac=00:11:22:33:44:ff",
		       &record));
	ck_assert_uint_eq(value(f, "prio", record), (uint64_t)(int64_t)-105 & UINT32_MAX);
	ck_assert_uint_eq(value(f, "state", record), 0x103);
	ck_assert_uint_eq(value(f, "addr", record), 0xffff);
	ck_assert_uint_eq(value(f, "hidden", record), 0);
	ck_assert_int_eq(tdat_field_string(tdat_event_format_field(f, "comm"), record, &s, NULL),
			 TDAT_OK);
	ck_assert(s.len == 8 && !memcmp(s.ptr, "a prio=1", 8));
	ck_assert_int_eq(tdat_field_string(tdat_event_format_field(f, "name"), record, &s, NULL),
			 TDAT_OK);
	ck_assert(s.len == 8 && !memcmp(s.ptr, "x mac= y", 8));
	ck_assert(!memcmp(record.ptr + 44, "\0\x11\x22\x33\x44\xff", 6));
	tdat_text_types_free(t);
}
END_TEST

/* Texts that are nearly right: no record is printed so. */
START_TEST(refused)
{
	static const char *const texts[] = {
		"comm=a prio=05 state=R addr=0x1 name=x mac=00:11:22:33:44:55",
		"comm=a prio=5 state=D|S addr=0x1 name=x mac=00:11:22:33:44:55",
		"comm=a prio=5 state=R addr=0xF name=x mac=00:11:22:33:44:55",
		"comm=a prio=99999999999 state=R addr=0x1 name=x mac=00:11:22:33:44:55",
		"comm=a-name-of-17-bytes prio=5 state=R addr=0x1 name=x mac=00:11:22:33:44:55",
		"comm=a prio=5 state=R addr=0x1 name=x mac=00:11:22:33:44",
		"comm=a prio=5 state=R addr=0x1 name=x mac=00:11:22:33:44:55 ",
		"",
	};
	struct tdat_text_types *t;
	struct tdat_span record;

	ck_assert_int_eq(tdat_text_types_new(&t, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_text_types_add(t, "sys", event, sizeof(event) - 1, NULL), TDAT_OK);
	ck_assert(read(t, "comm=a prio=5 state=R addr=0x1 name=x mac=00:11:22:33:44:55", &record));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(!read(t, texts[i], &record), "%s", texts[i]);
	tdat_text_types_free(t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("text_records");
	TCase *tc = tcase_create("text_records");

	tcase_add_test(tc, values);
	tcase_add_test(tc, refused);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
