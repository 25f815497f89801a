/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format files: fields and flags as libtraceevent has them, and values of fields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <event-parse.h>

#include "../common/run.h"
#include "corpus.h"
#include "model/format.h"

static const struct {
	unsigned long theirs;
	uint32_t ours;
} flag_pairs[] = {
	{TEP_FIELD_IS_ARRAY, TDAT_FIELD_ARRAY},	      {TEP_FIELD_IS_POINTER, TDAT_FIELD_POINTER},
	{TEP_FIELD_IS_SIGNED, TDAT_FIELD_SIGNED},     {TEP_FIELD_IS_STRING, TDAT_FIELD_STRING},
	{TEP_FIELD_IS_DYNAMIC, TDAT_FIELD_DYNAMIC},   {TEP_FIELD_IS_LONG, TDAT_FIELD_LONG},
	{TEP_FIELD_IS_RELATIVE, TDAT_FIELD_RELATIVE},
};

static void same_field(const struct tdat_event_format *fmt, const struct tdat_field *a,
		       const struct tep_format_field *b)
{
	size_t i;

	ck_assert_str_eq(a->name, b->name);
	ck_assert_msg(!strcmp(a->type, b->type) || strstr(a->type, "__attribute__"),
		      "%s.%s: type %s, theirs %s", fmt->name, a->name, a->type, b->type);
	ck_assert_uint_eq(a->off, (unsigned)b->offset);
	ck_assert_uint_eq(a->len, (unsigned)b->size);
	for (i = 0; i < sizeof(flag_pairs) / sizeof(flag_pairs[0]); i++) {
		if (flag_pairs[i].ours == TDAT_FIELD_SIGNED && (a->flags & MODEL_FIELD_PLAIN_SIGN))
			continue;
		ck_assert_msg(
			!(a->flags & flag_pairs[i].ours) == !(b->flags & flag_pairs[i].theirs),
			"%s.%s: flags %#x, theirs %#lx", fmt->name, a->name, a->flags, b->flags);
	}
	ck_assert_msg(model_field_elem_len(a) == b->elementsize,
		      "%s.%s (%s): element %u, theirs %u", fmt->name, a->name, a->type,
		      model_field_elem_len(a), b->elementsize);
}

static void same_format(struct tep_handle *tep, const struct corpus_file *file,
			const struct corpus_format *cf)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_event_format *fmt = NULL;
	struct tep_event *event = NULL;
	const struct tep_format_field *f;
	char *text = strndup((const char *)cf->text.ptr, cf->text.len);
	size_t i = 0;

	tep_parse_format(tep, &event, text, cf->text.len, cf->system);
	ck_assert_msg(model_format_parse(&fmt, cf->system, cf->text, 0, file->big, file->long_size,
					 &err) == TDAT_OK,
		      "%s: %s", file->path, err.message);
	ck_assert_ptr_nonnull(event);
	ck_assert_str_eq(fmt->name, event->name);
	ck_assert_uint_eq(fmt->id, (unsigned)event->id);
	ck_assert_uint_eq(fmt->common_count, (unsigned)event->format.nr_common);
	ck_assert_uint_eq(fmt->field_count - fmt->common_count, (unsigned)event->format.nr_fields);
	ck_assert_uint_eq(fmt->unread_off, 0);
	for (f = event->format.common_fields; f; f = f->next)
		same_field(fmt, &fmt->fields[i++], f);
	for (f = event->format.fields; f; f = f->next)
		same_field(fmt, &fmt->fields[i++], f);
	free(text);
	model_format_free(fmt);
}

static void same_formats(struct corpus_file *file, void *ctx)
{
	struct tep_handle *tep = tep_alloc();
	size_t *count = ctx, i;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, file->big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, file->long_size);
	for (i = 0; i < file->format_count; i++)
		same_format(tep, file, &file->formats[i]);
	*count += file->format_count;
	tep_free(tep);
}

START_TEST(corpus_formats)
{
	size_t count = 0;

	corpus_each(same_formats, &count);
	fprintf(stderr, "formats: %zu\n", count);
}
END_TEST

static struct tdat_event_format *parse(const char *system, const char *text)
{
	struct tdat_span span = {(const uint8_t *)text, strlen(text)};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_event_format *fmt = NULL;

	ck_assert_msg(model_format_parse(&fmt, system, span, 0, false, 8, &err) == TDAT_OK, "%s",
		      err.message);
	return fmt;
}

#define COMMON                                                                                     \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* 2.6.3x: no "signed:", a two-byte __data_loc. */
START_TEST(old_kernel)
{
	struct tdat_event_format *fmt =
		parse("sched", "name: old\nID: 7\nformat:\n"
			       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n"
			       "\tfield:int common_pid;\toffset:4;\tsize:4;\n\n"
			       "\tfield:char comm[TASK_COMM_LEN];\toffset:12;\tsize:16;\n"
			       "\tfield:__data_loc char[] name;\toffset:28;\tsize:2;\n\n"
			       "print fmt: \"%s\", REC->comm\n");
	static const uint8_t record[] = "\x07\0\0\0\xff\xff\xff\xff\0\0\0\0"
					"bash\0\0\0\0\0\0\0\0\0\0\0\0"
					"\x20\0\0\0hello\0\0";
	struct tdat_span rec = {record, sizeof(record)}, s;
	int64_t v;

	ck_assert_uint_eq(fmt->field_count, 4);
	ck_assert_uint_eq(fmt->common_count, 2);
	ck_assert_str_eq(fmt->print_fmt, "\"%s\", REC->comm");
	ck_assert_int_eq(tdat_field_i64(tdat_event_format_field(fmt, "common_pid"), rec, &v, NULL),
			 TDAT_OK);
	ck_assert_int_eq(v, -1);
	ck_assert_int_eq(tdat_field_string(tdat_event_format_field(fmt, "comm"), rec, &s, NULL),
			 TDAT_OK);
	ck_assert_uint_eq(s.len, 4);
	ck_assert_int_eq(tdat_field_string(tdat_event_format_field(fmt, "name"), rec, &s, NULL),
			 TDAT_OK);
	ck_assert_uint_eq(s.len, 5);
	ck_assert(!memcmp(s.ptr, "hello", 5));
	model_format_free(fmt);
}
END_TEST

START_TEST(dynamic_fields)
{
	struct tdat_event_format *fmt =
		parse("x", "name: dyn\nID: 9\n" COMMON
			   "\tfield:__data_loc u32[] words;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:__rel_loc char[] text;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:char rest[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
			   "print fmt: \"\"\n");
	uint8_t record[32] = {9, 0, 0, 0, 1, 0, 0, 0, 20, 0, 8, 0, 12,	0,   4, 0,
			      0, 0, 0, 0, 1, 2, 3, 4, 5,  6, 7, 8, 'a', 'b', 0, 0};
	struct tdat_span rec = {record, sizeof(record)}, s;
	const struct tdat_field *words = tdat_event_format_field(fmt, "words");
	uint64_t v;

	ck_assert_uint_eq(words->elem_len, 4);
	ck_assert_int_eq(tdat_field_elem(words, rec, 1, &v, NULL), TDAT_OK);
	ck_assert_uint_eq(v, 0x08070605);
	ck_assert_int_eq(tdat_field_elem(words, rec, 2, &v, NULL), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_field_string(tdat_event_format_field(fmt, "text"), rec, &s, NULL),
			 TDAT_OK);
	ck_assert_uint_eq(s.len, 2);
	ck_assert_int_eq(tdat_field_bytes(tdat_event_format_field(fmt, "rest"), rec, &s, NULL),
			 TDAT_OK);
	ck_assert_uint_eq(s.len, 16);
	record[10] = 13; /* one byte too many */
	ck_assert_int_eq(tdat_field_bytes(words, rec, &s, NULL), TDAT_E_DAMAGED);
	rec.len = 10;
	ck_assert_int_eq(tdat_field_bytes(words, rec, &s, NULL), TDAT_E_DAMAGED);
	ck_assert_int_eq(tdat_field_u64(words, rec, &v, NULL), TDAT_E_DAMAGED);
	model_format_free(fmt);
}
END_TEST

/*
 * Dynamic strings of synthetic events: eight bytes in the format, the first four of which the
 * kernel fills with length and offset as its byte order has them (union trace_synth_field in
 * kernel/trace/trace_events_synth.c).
 */
START_TEST(wide_dynamic_field)
{
	static const char text[] =
		"name: synth\nID: 9\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:__data_loc char[] s;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\nprint fmt: \"%s\", __get_str(s)\n";
	static const uint8_t little[] = {9, 0, 0, 0, 0, 0, 0,	0,   16,  0,
					 4, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0},
			     big[] = {0, 9,  0, 0, 0, 0, 0,   0,   0,	4,
				      0, 16, 0, 0, 0, 0, 'a', 'b', 'c', 0};
	const struct tdat_span span = {(const uint8_t *)text, sizeof(text) - 1};

	for (int is_big = 0; is_big < 2; is_big++) {
		const struct tdat_span record = {is_big ? big : little, sizeof(big)};
		struct tdat_event_format *f;
		struct tdat_span s;

		ck_assert_int_eq(model_format_parse(&f, "synthetic", span, 0, is_big, 8, NULL),
				 TDAT_OK);
		ck_assert_int_eq(
			tdat_field_string(tdat_event_format_field(f, "s"), record, &s, NULL),
			TDAT_OK);
		ck_assert_msg(s.len == 3 && !memcmp(s.ptr, "abc", 3), "%d: %zu bytes", is_big,
			      s.len);
		model_format_free(f);
	}
}
END_TEST

START_TEST(strange_types)
{
	struct tdat_event_format *fmt =
		parse("x", "name: odd\nID: 10\n" COMMON
			   "\tfield:struct foo * bar;\toffset:8;\tsize:8;\tsigned:0;\n"
			   "\tfield:__u8 x[sizeof(struct y)];\toffset:16;\tsize:6;\tsigned:0;\n"
			   "\tfield:u16 m[2][3];\toffset:24;\tsize:12;\tsigned:0;\n\n");

	ck_assert(tdat_event_format_field(fmt, "bar")->flags & TDAT_FIELD_POINTER);
	ck_assert_str_eq(tdat_event_format_field(fmt, "bar")->type, "struct foo *");
	ck_assert_uint_eq(tdat_event_format_field(fmt, "x")->len, 6);
	ck_assert_uint_eq(tdat_event_format_field(fmt, "x")->elem_len, 1);
	ck_assert_ptr_nonnull(tdat_event_format_field(fmt, "m"));
	ck_assert_str_eq(fmt->print_fmt, "");
	model_format_free(fmt);
}
END_TEST

START_TEST(broken)
{
	static const char *const texts[] = {
		"",
		"name: x\n",
		"ID: 3\nname: x\n",
		"name: x\nID: 3\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\toffset:q;\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\toffset:8;\tsize:99999999999;\n",
		"name: x\nID: 3\nformat:\n\tfield:a;\toffset:8;\tsize:4;\n",
		"name: x\nID: 3\nformat:\n\tfield:int a[3;\toffset:8;\tsize:4;\n",
		"name: x\nID: 3\nformat:\n\tint a;\toffset:8;\tsize:4;\n",
	};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_event_format *fmt;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tdat_span span = {(const uint8_t *)texts[i], strlen(texts[i])};

		ck_assert_msg(model_format_parse(&fmt, "x", span, 0, false, 8, &err) ==
				      TDAT_E_DAMAGED,
			      "accepted: %s", texts[i]);
		ck_assert(err.message[0]);
	}
}
END_TEST

/* What stands behind a NUL, or behind the fields and is no print fmt, is not read, and noted. */
START_TEST(not_read_whole)
{
#define HEAD "name: x\nID: 3\nformat:\n\n\tfield:int a;\toffset:8;\tsize:4;\n"
#define MORE "\tfield:int b;\toffset:12;\tsize:4;\n\nprint fmt: \"%d\", REC->b\n"
#define TEXT(text, off)                                                                            \
	{                                                                                          \
		text, sizeof(text) - 1, off                                                        \
	}
	static const struct {
		const char *text;
		size_t len, unread_off;
	} texts[] = {
		/* Without a print fmt, which stands behind all fields, the text is cut. */
		TEXT(HEAD, sizeof(HEAD) - 1),
		TEXT(HEAD "\n\n", sizeof(HEAD) + 1),
		TEXT(HEAD "\nprint fmt: \"\"\n", 0),
		TEXT(HEAD MORE, 0),
		TEXT(HEAD MORE "\0", 0),
		TEXT(HEAD "\n" MORE, sizeof(HEAD)),
		TEXT(HEAD "\0" MORE, sizeof(HEAD) - 1),
		TEXT(HEAD MORE "\0x", sizeof(HEAD) + sizeof(MORE) - 2),
	};
	struct tdat_event_format *fmt;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tdat_span span = {(const uint8_t *)texts[i].text, texts[i].len};

		ck_assert_int_eq(model_format_parse(&fmt, "x", span, 0, false, 8, NULL), TDAT_OK);
		ck_assert_msg(fmt->unread_off == texts[i].unread_off, "text %zu: %zu, want %zu", i,
			      fmt->unread_off, texts[i].unread_off);
		model_format_free(fmt);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format");
	TCase *t = tcase_create("format");

	tcase_set_timeout(t, 300);
	tcase_add_test(t, corpus_formats);
	tcase_add_test(t, old_kernel);
	tcase_add_test(t, dynamic_fields);
	tcase_add_test(t, wide_dynamic_field);
	tcase_add_test(t, strange_types);
	tcase_add_test(t, broken);
	tcase_add_test(t, not_read_whole);
	suite_add_tcase(s, t);
	return run_suite(s);
}
