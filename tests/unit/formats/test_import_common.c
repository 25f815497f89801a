/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What importers share: options, lines, windows, payloads, the registry. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/run.h"
#include "collect.h"
#include "core/text.h"
#include "import/importers.h"
#include "import/text_lines.h"
#include "import/importer_options.h"
#include "import/record.h"

static const struct tdat_keyed_option_desc descs[] = {
	{"subbuf-size", "BYTES", "size of a sub-buffer"},
	{"layout", "NAME", "layout of records"},
	{"keep-features", NULL, "keep features"},
	{NULL, NULL, NULL},
};

static enum tdat_status check_one(const char *key, const char *value, struct tdat_error *err)
{
	struct tdat_keyed_option o = {key, value};
	struct tdat_import_request r = {.options = &o, .option_count = 1};

	return import_options_check(&r, descs, "test", err);
}

START_TEST(options_check)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	ck_assert_int_eq(check_one("layout", "relay", &err), TDAT_OK);
	ck_assert_int_eq(check_one("keep-features", "", &err), TDAT_OK);
	ck_assert_int_eq(check_one("keep-features", NULL, &err), TDAT_OK);
	ck_assert_int_eq(check_one("keep-features", "yes", &err), TDAT_E_USAGE);
	ck_assert_int_eq(check_one("layout", "", &err), TDAT_E_USAGE);
	ck_assert_str_eq(err.message, "option \"layout\" of test needs a value: layout=NAME");
	ck_assert_int_eq(check_one("subuf-sise", "1", &err), TDAT_E_USAGE);
	ck_assert_str_eq(err.message,
			 "test has no option \"subuf-sise\"; did you mean 'subbuf-size'?");
	ck_assert_int_eq(check_one("layou", "1", &err), TDAT_E_USAGE);
	ck_assert_str_eq(err.message, "test has no option \"layou\"; did you mean 'layout'?");
}
END_TEST

START_TEST(options_numbers)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t v;
	} rows[] = {
		{"0", true, 0},
		{"128", true, 128},
		{"0x80", true, 128},
		{"0XfF", true, 255},
		{"4k", true, 4096},
		{"2M", true, 2 << 20},
		{"1G", true, 1 << 30},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"17179869184G", false, 0},
		{"", false, 0},
		{"0x", false, 0},
		{"-1", false, 0},
		{"12z", false, 0},
		{"1kk", false, 0},
		{" 1", false, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t v = 0;

		ck_assert_msg(tdat_whole_size(rows[i].text, &v) == rows[i].ok, "%s", rows[i].text);
		if (rows[i].ok)
			ck_assert_uint_eq(v, rows[i].v);
	}
}
END_TEST

START_TEST(options_values)
{
	static const char *const names[] = {"auto", "relay", "rfc1", NULL};
	struct tdat_keyed_option o[] = {
		{"subbuf-size", "64"}, {"layout", "rfc1"}, {"subbuf-size", "1k"}};
	struct tdat_import_request r = {.options = o, .option_count = 3};
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t v = 7;
	size_t choice = 0;

	ck_assert_int_eq(import_option_u64(&r, "other", 0, 1, &v, TDAT_OK, &err), TDAT_OK);
	ck_assert_uint_eq(v, 7);
	ck_assert_int_eq(import_option_u64(&r, "subbuf-size", 1, 4096, &v, TDAT_OK, &err), TDAT_OK);
	ck_assert_uint_eq(v, 1024);
	ck_assert_int_eq(import_option_u64(&r, "subbuf-size", 1, 100, &v, TDAT_OK, &err),
			 TDAT_E_USAGE);
	ck_assert_str_eq(err.message, "option \"subbuf-size\" is 1k, but must be 1 to 100");
	ck_assert_int_eq(import_option_choice(&r, "layout", names, &choice, TDAT_OK, &err),
			 TDAT_OK);
	ck_assert_uint_eq(choice, 2);
	o[1].value = "rfc";
	ck_assert_int_eq(import_option_choice(&r, "layout", names, &choice, TDAT_OK, &err),
			 TDAT_E_USAGE);
	ck_assert_str_eq(err.message,
			 "option \"layout\" is \"rfc\", but must be one of auto, relay, rfc1");
	ck_assert(import_option_flag(&r, "layout") && !import_option_flag(&r, "x"));
}
END_TEST

static void check_lines(const char *text, size_t max, enum tdat_access access, const char *expected)
{
	char path[] = "/tmp/tdat-test-XXXXXX", got[512] = "";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct import_lines l;
	struct import_line line;
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	enum tdat_status st;

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	collect_add_file(&in, path, access);
	remove(path);
	import_lines_init(&l, in.inputs[0].source, max);
	while ((st = import_lines_next(&l, &line, &err)) == TDAT_OK)
		sprintf(got + strlen(got), "%d@%d:%.*s%s%s|", (int)line.number, (int)line.off,
			(int)line.text.len, (const char *)line.text.ptr, line.cut ? "+" : "",
			line.ended ? "" : "$");
	ck_assert_int_eq(st, TDAT_E_NOT_FOUND);
	ck_assert_str_eq(got, expected);
	import_lines_fini(&l);
	collect_close(&in);
}

START_TEST(lines)
{
	enum tdat_access access = _i ? TDAT_ACCESS_READ : TDAT_ACCESS_MAP;

	check_lines("", 0, access, "");
	check_lines("a\nbb\r\n\nc", 0, access, "1@0:a|2@2:bb|3@6:|4@7:c$|");
	check_lines("abcd\n12345\nxyz\n", 4, access, "1@0:abcd|2@5:1234+$|3@9:5|4@11:xyz|");
	check_lines("abcdefghij", 4, access, "1@0:abcd+$|2@4:efgh+$|3@8:ij$|");
}
END_TEST

START_TEST(windows)
{
	static uint8_t data[300000];
	char path[] = "/tmp/tdat-test-XXXXXX";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct import_window w;
	FILE *f = fdopen(mkstemp(path), "w");

	ck_assert_ptr_nonnull(f);
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	fwrite(data, 1, sizeof(data), f);
	fclose(f);
	collect_add_file(&in, path, _i ? TDAT_ACCESS_READ : TDAT_ACCESS_MAP);
	remove(path);
	import_window_init(&w, in.inputs[0].source, 1000);
	for (size_t off = 0; off + 777 <= sizeof(data); off += 501) {
		const uint8_t *p = import_window_get(&w, off, 777, &err);

		ck_assert_msg(p && !memcmp(p, data + off, 777), "at %zu", off);
	}
	ck_assert_mem_eq(import_window_get(&w, 5, 5000, &err), data + 5, 5000);
	ck_assert_mem_eq(import_window_get(&w, sizeof(data) - 1, 1, &err), data + sizeof(data) - 1,
			 1);
	ck_assert_ptr_null(import_window_get(&w, sizeof(data) - 1, 2, &err));
	ck_assert_int_eq(err.status, TDAT_E_DAMAGED);
	import_window_fini(&w);
	collect_close(&in);
}
END_TEST

/* Bytes of files that count against this process. */
static uint64_t file_rss(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long kib = 0;
	char line[128];

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "RssFile: %llu", &kib) == 1)
			break;
	fclose(f);
	return kib << 10;
}

/*
 * Records that end anywhere in a page: no page stays behind. Counted from the middle
 * of the file on: by then the pages of the program itself, and of an emulator that
 * runs it, are in memory and do not count.
 */
START_TEST(windows_give_back)
{
	enum { LEN = 64 << 20, RECORD = 50 };
	char path[] = "/tmp/test_windows-XXXXXX";
	struct tdat_source *source;
	struct import_window w;
	uint64_t before, after, sum = 0;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	unlink(path);
	ck_assert_int_eq(ftruncate(fd, LEN), 0);
	ck_assert_int_eq(tdat_source_open_fd(&source, fd, "sparse", TDAT_ACCESS_MAP, NULL),
			 TDAT_OK);
	import_window_init(&w, source, 16 * 1024);
	before = 0;
	for (uint64_t off = 0; off + RECORD <= LEN; off += RECORD) {
		sum += *import_window_get(&w, off, RECORD, NULL);
		if (!before && off >= LEN / 2)
			before = file_rss();
	}
	after = file_rss();
	ck_assert_uint_eq(sum, 0);
	ck_assert_msg(after < before + (6 << 20), "%llu bytes stayed in memory",
		      (unsigned long long)(after - before));
	import_window_fini(&w);
	tdat_source_close(source);
	close(fd);
}
END_TEST

START_TEST(records)
{
	static const uint8_t le[] = {0x34, 0x12, 0, 0, 0xff, 0xff, 0xff, 0xff, 9,   0,	 0,
				     0,	   19,	 0, 3, 0,    7,	   0,	 1,    'a', 'b', 0};
	static uint8_t big[70000];
	struct tdat_build b;
	size_t at, count;

	tdat_build_init(&b, false);
	for (int again = 0; again < 2; again++) {
		import_record_begin(&b, 0x1234, -1);
		tdat_build_u8(&b, 9);
		at = import_record_loc(&b);
		tdat_build_u16(&b, 7);
		tdat_build_u8(&b, 1);
		ck_assert(import_record_string(&b, at, "ab", 2));
		ck_assert_uint_eq(b.len, sizeof(le));
		ck_assert_mem_eq(b.ptr, le, sizeof(le));
	}
	import_record_begin(&b, 1, 0);
	at = import_record_loc(&b);
	ck_assert(!import_record_dynamic(&b, at, big, sizeof(big)));
	ck_assert_uint_eq(tdat_load32(b.ptr + at, false), 0xffff000c);
	tdat_build_fini(&b);
	ck_assert_ptr_nonnull(tdat_importers(&count));
	for (size_t i = 0; i < count; i++) {
		const struct tdat_importer *im = tdat_importers(&count)[i];

		ck_assert_ptr_eq(tdat_importer_find(im->name), im);
		ck_assert(im->summary && im->probe && im->run);
	}
	ck_assert_ptr_null(tdat_importer_find("no such thing"));
}
END_TEST

START_TEST(probe_nothing)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	const struct tdat_importer *im;

	collect_add_memory(&in, "notes", "Dear diary,\n", 12);
	ck_assert_int_eq(tdat_importer_probe(in.inputs, in.count, &im, &err), TDAT_E_FORMAT);
	ck_assert_str_eq(err.message,
			 "notes is not a capture that tdat can import, but text: \"tdat list "
			 "--formats\" lists the text formats that \"tdat convert\" reads");
	collect_close(&in);
}
END_TEST

static uint32_t probe_none(const struct tdat_import_input *inputs, size_t input_count)
{
	(void)inputs, (void)input_count;
	return 0;
}

static uint32_t probe_9(const struct tdat_import_input *inputs, size_t input_count)
{
	(void)inputs, (void)input_count;
	return 9;
}

static uint32_t probe_10(const struct tdat_import_input *inputs, size_t input_count)
{
	(void)inputs, (void)input_count;
	return 10;
}

/* The most bits win, wherever they stand; equal ones are for the user to tell apart. */
START_TEST(probe_choice)
{
	const struct tdat_importer none = {.name = "none", .probe = probe_none};
	const struct tdat_importer low = {.name = "low", .probe = probe_9};
	const struct tdat_importer high = {.name = "high", .probe = probe_10};
	const struct tdat_importer twin = {.name = "twin", .probe = probe_10};
	const struct tdat_importer *one[] = {&none, &high, &low, NULL};
	const struct tdat_importer *tie[] = {&high, &low, &twin, NULL};
	const struct tdat_importer *beaten[] = {&low, &low, &high, NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	const struct tdat_importer *im;

	collect_add_memory(&in, "notes", "x", 1);
	ck_assert_int_eq(import_choose(one, in.inputs, in.count, &im, &err), TDAT_OK);
	ck_assert_ptr_eq(im, &high);
	ck_assert_int_eq(import_choose(tie, in.inputs, in.count, &im, &err), TDAT_E_FORMAT);
	ck_assert_ptr_null(im);
	ck_assert_str_eq(err.message, "notes could be high or twin: name the format with --from");
	ck_assert_int_eq(import_choose(beaten, in.inputs, in.count, &im, &err), TDAT_OK);
	ck_assert_ptr_eq(im, &high);
	collect_close(&in);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import_common");
	TCase *tc = tcase_create("common");

	tcase_add_test(tc, options_check);
	tcase_add_test(tc, options_numbers);
	tcase_add_test(tc, options_values);
	tcase_add_loop_test(tc, lines, 0, 2);
	tcase_add_loop_test(tc, windows, 0, 2);
	tcase_add_test(tc, windows_give_back);
	tcase_add_test(tc, records);
	tcase_add_test(tc, probe_nothing);
	tcase_add_test(tc, probe_choice);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
