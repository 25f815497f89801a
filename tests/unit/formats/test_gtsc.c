/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relay captures: samples against their expected.txt, options, damage. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/part.h"
#include "../common/run.h"
#include "collect.h"
#include "core/endian.h"

/* ---- printing as in expected.txt ---- */

static const struct {
	const char *event;
	char letter;
} letters[] = {
	{"block_bio_queue", 'Q'}, {"block_bio_backmerge", 'M'}, {"block_bio_frontmerge", 'F'},
	{"block_getrq", 'G'},	  {"block_sleeprq", 'S'},	{"block_rq_requeue", 'R'},
	{"block_rq_issue", 'D'},  {"block_rq_complete", 'C'},	{"block_plug", 'P'},
	{"block_unplug", 'U'},	  {"block_unplug_timer", 'T'},	{"block_rq_insert", 'I'},
	{"block_split", 'X'},	  {"block_bio_bounce", 'B'},	{"block_bio_remap", 'A'},
};

static void print_block(FILE *out, const struct collect_event *e)
{
	uint64_t dev = collect_uint(e, "dev");
	char letter = '?', rwbs[16];

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (!strcmp(letters[i].event, e->format->name))
			letter = letters[i].letter;
	fprintf(out, "%" PRIu64 ",%" PRIu64 " %c %s %" PRIu64 " + %" PRIu64 " pid=%" PRId64,
		dev >> 20, dev & 0xfffff, letter, collect_string(e, "rwbs", rwbs, sizeof(rwbs)),
		collect_uint(e, "sector"), collect_uint(e, "nr_sector"),
		collect_int(e, "common_pid"));
	if (collect_has(e, "old_dev"))
		fprintf(out, " from=%" PRIu64 ",%" PRIu64 ":%" PRIu64,
			collect_uint(e, "old_dev") >> 20, collect_uint(e, "old_dev") & 0xfffff,
			collect_uint(e, "old_sector"));
	if (collect_has(e, "error") && collect_int(e, "error"))
		fprintf(out, " error=%" PRId64, collect_int(e, "error"));
}

static void print_text(FILE *out, struct tdat_span s)
{
	fwrite(s.ptr, 1, strnlen((const char *)s.ptr, s.len), out);
}

static void print_event(FILE *out, const struct collect_event *e, int64_t shift)
{
	const char *name = e->format->name;
	char text[256];

	fprintf(out, "[%03u] %" PRId64 ": ", e->cpu, (int64_t)e->ts - shift);
	if (!strcmp(e->format->system, "block")) {
		print_block(out, e);
	} else if (!strcmp(name, "timestamp") && collect_has(e, "nsec")) {
		fprintf(out, "notify timestamp wall=%" PRIu64 ".%09" PRIu64, collect_uint(e, "sec"),
			collect_uint(e, "nsec"));
	} else if (!strcmp(name, "process") && collect_has(e, "comm")) {
		fprintf(out, "notify process pid=%" PRId64 " comm=%s", collect_int(e, "pid"),
			collect_string(e, "comm", text, sizeof(text)));
	} else if (!strcmp(name, "print")) {
		const char *buf = (const char *)e->data + 16, *mark = strstr(buf, " m N ");

		ck_assert_msg(mark, "message is \"%s\"", buf);
		fprintf(out, "%.*s notify message \"%s\"", (int)(mark - buf), buf, mark + 5);
	} else {
		print_text(out, collect_bytes(e, "msg"));
	}
	fputc('\n', out);
}

static char *print_all(const struct collect *c)
{
	static const char *const facts[] = {"kind", "endian", "cpus", "records", "dropped"};
	const char *shift = collect_fact(c, "shift");
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fputc('#', out);
	for (size_t i = 0; i < 5; i++)
		fprintf(out, " %s=%s", facts[i], collect_fact(c, facts[i]));
	fputc('\n', out);
	for (size_t i = 0; i < c->warning_count; i++)
		fprintf(out, "# warning: %s\n", c->warnings[i]);
	for (size_t i = 0; i < c->event_count; i++)
		print_event(out, &c->events[i], shift ? strtoll(shift, NULL, 10) : 0);
	fclose(out);
	return text;
}

static void run_sample(const char *dir, enum tdat_access access, const char *importer)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in;
	struct collect c;
	char path[4096], *expected, *got;

	snprintf(path, sizeof(path), "%s/expected.txt", dir);
	expected = collect_read_file(path, NULL);
	collect_open_dir(&in, dir, access);
	collect_init(&c);
	ck_assert_msg(collect_run(&c, importer, &in, NULL, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	got = print_all(&c);
	ck_assert_msg(!strcmp(got, expected), "%s\n--- got\n%s--- expected\n%s", dir, got,
		      expected);
	ck_assert_msg(!strncmp(c.version, "tdat ", 5), "%s", c.version);
	free(got);
	free(expected);
	collect_fini(&c);
	collect_close(&in);
}

static void on_sample(const char *dir, void *ctx)
{
	bool blk = strstr(strrchr(dir, '/'), "/blk") != NULL;
	const char *importer = blk ? "blktrace" : "gtsc";
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_importer *im;
	struct collect_inputs in;

	(void)ctx;
	run_sample(dir, TDAT_ACCESS_MAP, importer);
	run_sample(dir, TDAT_ACCESS_READ, importer);
	run_sample(dir, TDAT_ACCESS_MAP, "gtsc");
	collect_open_dir(&in, dir, TDAT_ACCESS_MAP);
	ck_assert_msg(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	ck_assert_str_eq(im->name, importer);
	collect_close(&in);
}

START_TEST(samples)
{
	collect_each_sample("gtsc", on_sample, NULL);
}
END_TEST

/* ---- made captures ---- */

struct file {
	const char *name;
	const void *data;
	size_t len;
};

#define TEXT(name, text)                                                                           \
	(struct file)                                                                              \
	{                                                                                          \
		name, text, sizeof(text) - 1                                                       \
	}

static enum tdat_status decode(struct collect *c, const char *importer, const struct file *files,
			       size_t count, const char *const *options, struct tdat_error *err)
{
	struct collect_inputs in = {0};
	enum tdat_status st;

	collect_init(c);
	for (size_t i = 0; i < count; i++)
		collect_add_memory(&in, files[i].name, files[i].data, files[i].len);
	st = collect_run(c, importer, &in, options, err);
	collect_close(&in);
	return st;
}

#define RUN(c, importer, files, count, ...)                                                        \
	do {                                                                                       \
		const char *const opts_[] = {__VA_ARGS__};                                         \
		struct tdat_error err_ = TDAT_ERROR_INIT;                                          \
		ck_assert_msg(decode(c, importer, files, count, opts_, &err_) == TDAT_OK, "%s",    \
			      err_.message);                                                       \
	} while (0)

#define FAIL(importer, files, count, status, sentence, ...)                                        \
	do {                                                                                       \
		const char *const opts_[] = {__VA_ARGS__};                                         \
		struct tdat_error err_ = TDAT_ERROR_INIT;                                          \
		struct collect c_;                                                                 \
		ck_assert_int_eq(decode(&c_, importer, files, count, opts_, &err_), status);       \
		ck_assert_str_eq(err_.message, sentence);                                          \
		collect_fini(&c_);                                                                 \
	} while (0)

/* Times and texts of all events: "5:a|7:b|". */
static void expect_text(const struct collect *c, const char *expected)
{
	char got[8192] = "", text[4200];

	for (size_t i = 0; i < c->event_count; i++)
		sprintf(got + strlen(got), "%" PRIu64 ":%s|", c->events[i].ts,
			collect_string(&c->events[i], "msg", text, sizeof(text)));
	ck_assert_str_eq(got, expected);
}

START_TEST(text_odd)
{
	struct file f = TEXT("trace0", "[-5] before zero\r\n[3] a [4] b\nmore\r\n\n[x] no\n"
				       "[99999999999999999999] too large\n[7] \n[8]no space\n"
				       "[9] last");
	struct collect c;

	RUN(&c, "gtsc", &f, 1, NULL);
	expect_text(&c, "0:before zero|8:a [4] b\\nmore\\n\\n[x] no\\n[99999999999999999999] too "
			"large|12:\\n[8]no space|14:last|");
	ck_assert_str_eq(collect_fact(&c, "shift"), "5");
	ck_assert_uint_eq(c.warning_count, 2);
	ck_assert_str_eq(c.warnings[0],
			 "trace0: 5 continuation lines joined to the record before them");
	ck_assert_str_eq(c.warnings[1],
			 "trace0: the file ends within its last line, or lacks the end of it");
	ck_assert_str_eq(c.events[0].format->name, "trace");
	ck_assert_str_eq(c.clock, "local");
	collect_fini(&c);
}
END_TEST

START_TEST(text_extremes)
{
	struct file f = TEXT("trace0", "[9223372036854775807] z\n[-9223372036854775808] a\n"
				       "[-9223372036854775809] x\n");
	struct collect c;

	RUN(&c, "gtsc", &f, 1, NULL);
	expect_text(&c, "0:a\\n[-9223372036854775809] x|18446744073709551615:z|");
	ck_assert_uint_eq(c.warning_count, 2);
	ck_assert_str_eq(c.warnings[1], "trace0: 1 records earlier than one before them, sorted");
	collect_fini(&c);
}
END_TEST

START_TEST(text_without_stamps)
{
	struct file f[] = {TEXT("trace0", "one\ntwo\n"), TEXT("trace1", "three\n")};
	struct file mixed[] = {TEXT("trace0", "[50] one\n"), TEXT("trace2", "three\n")};
	struct collect c;

	RUN(&c, "gtsc", f, 2, NULL);
	expect_text(&c, "1:one|1:three|2:two|");
	ck_assert_str_eq(c.clock, "counter");
	ck_assert_str_eq(c.warnings[0],
			 "trace0: 2 lines without timestamps numbered in their order");
	collect_fini(&c);
	RUN(&c, "gtsc", mixed, 2, NULL);
	expect_text(&c, "0:three|50:one|");
	ck_assert_str_eq(c.warnings[0], "trace1 is absent");
	ck_assert_str_eq(c.warnings[1],
			 "trace2: 1 lines of a file without timestamps kept at time 0");
	ck_assert_str_eq(collect_fact(&c, "cpus"), "3");
	collect_fini(&c);
}
END_TEST

START_TEST(text_nuls)
{
	struct file f = TEXT("trace0", "[1] a\n\0[2] b\0\n[3] c\0\0\0");
	struct collect c;

	RUN(&c, "gtsc", &f, 1, NULL);
	expect_text(&c, "1:a\\n|2:b|3:c|");
	ck_assert_str_eq(c.warnings[c.warning_count - 1], "trace0: 5 NUL bytes omitted");
	collect_fini(&c);
}
END_TEST

START_TEST(text_long)
{
	static char data[200000];
	struct file f = {"trace0", data, 0};
	struct collect c;
	char text[4200];

	f.len = (size_t)sprintf(data, "[1] ");
	memset(data + f.len, 'x', 150000);
	f.len += 150000;
	f.len += (size_t)sprintf(data + f.len, "\n[2] short\n[3] ");
	for (int i = 0; i < 3000; i++)
		f.len += (size_t)sprintf(data + f.len, "%d\n", i);
	RUN(&c, "gtsc", &f, 1, NULL);
	ck_assert_uint_eq(c.event_count, 3);
	ck_assert_uint_eq(strlen(collect_string(&c.events[0], "msg", text, sizeof(text))), 4000);
	ck_assert_str_eq(collect_string(&c.events[1], "msg", text, sizeof(text)), "short");
	ck_assert_uint_eq(strlen(collect_string(&c.events[2], "msg", text, sizeof(text))), 4000);
	ck_assert_str_eq(c.warnings[1], "trace0: 2 records longer than 4000 bytes cut");
	collect_fini(&c);
}
END_TEST

START_TEST(text_options)
{
	struct file f[] = {TEXT("trace0", "[1000] fork child=77\n[2000] exit\n"),
			   TEXT("dropped", "3\n"), TEXT("nr_sub", "8\n"),
			   TEXT("state", "running\n")};
	struct collect c;

	RUN(&c, "gtsc", f, 4, "ts-unit=us", "system=my-dir", "event=2 fork", "mark-dropped",
	    "pid-regex=child=([0-9]+)", NULL);
	expect_text(&c, "1000000:fork child=77|2000000:exit|");
	ck_assert_str_eq(c.events[0].format->system, "my_dir");
	ck_assert_str_eq(c.events[0].format->name, "_2_fork");
	ck_assert_int_eq(collect_int(&c.events[0], "common_pid"), 77);
	ck_assert_int_eq(collect_int(&c.events[1], "common_pid"), 0);
	ck_assert_int_eq(c.events[0].lost_before, 0);
	ck_assert_int_eq(c.events[1].lost_before, 3);
	ck_assert_str_eq(collect_fact(&c, "dropped"), "3");
	ck_assert_uint_eq(c.option_count, 1);
	ck_assert_str_eq((char *)c.options[0].data, "CPU: 0\nread events: 2\n# gtsc nr_sub: 8\n"
						    "# gtsc state: running\ngtsc dropped: 3\n");
	collect_fini(&c);
	RUN(&c, "gtsc", f, 1, "ts-unit=tsc", "ts-hz=2000000000", "as-print", NULL);
	ck_assert_uint_eq(c.events[1].ts, 1000);
	ck_assert_str_eq(c.events[0].format->name, "print");
	ck_assert_str_eq((char *)c.events[0].data + 16, "fork child=77");
	collect_fini(&c);
	RUN(&c, "gtsc", f, 1, "ts-unit=tsc", "atrace", NULL);
	ck_assert_str_eq(c.clock, "x86-tsc");
	ck_assert_str_eq(c.events[0].format->name, "tracing_mark_write");
	collect_fini(&c);
	FAIL("gtsc", f, 1, TDAT_E_USAGE, "option \"ts-hz\" needs ts-unit tsc", "ts-hz=5", NULL);
	FAIL("gtsc", f, 1, TDAT_E_USAGE,
	     "option \"pid-regex\" is \"x\", but needs a group: \"child=([0-9]+)\"", "pid-regex=x",
	     NULL);
}
END_TEST

START_TEST(binary_is_no_text)
{
	static const uint8_t data[] = {1, 0x80, 3, 0xff, 'a', 'b', 0x90, 1, 2, 3};
	struct file f = {"trace0", data, sizeof(data)};

	FAIL("gtsc", &f, 1, TDAT_E_FORMAT,
	     "trace0: 80 of 100 bytes are no text: a block trace needs --from blktrace, a raw "
	     "relay buffer its control file sub_size beside it, a meta file or --sub-size",
	     NULL);
}
END_TEST

/* ---- relay buffers ---- */

START_TEST(relay_rotated)
{
	/* 4 sub-buffers were begun in 3 slots: the fourth took the place of the first. */
	struct file f[] = {TEXT("trace0", "[40] d\n\0\0\0\0\0\0\0\0\0[20] b\n[21] bb\n\0"
					  "[30] c\n[31] cc\n\0"),
			   TEXT("meta", "sub_size=16\npadding=zero\nsubbufs_produced=4\n")};
	struct collect c;

	RUN(&c, "gtsc", f, 2, NULL);
	expect_text(&c, "20:b|21:bb|30:c|31:cc|40:d|");
	ck_assert_uint_eq(c.warning_count, 0);
	ck_assert_str_eq(collect_fact(&c, "endian"), "-");
	collect_fini(&c);
}
END_TEST

/*
 * The control files beside a copy of the buffer, with and without what tells how it is rotated;
 * beside text that was read they say nothing.
 */
START_TEST(control_files)
{
	static const char *const options[][3] = {
		{"padding=zero", "subbufs-produced=6"}, {NULL}, {"subbufs-produced=6"}, {NULL}};
	static const char *const lines[] = {"30:c|40:d|50:a|60:b|", "30:c|40:d|50:a|60:b|",
					    "30:c|50:a|60:b|", "50:aaa|60:b|"};
	struct file f[] = {TEXT("trace0", "[50] a\n\0[60] b\n\0[30] c\n\0[40] d\n\0"),
			   TEXT("sub_size", "8\n"), TEXT("nr_sub", "4\n")};
	struct collect c;

	if (_i == 2)
		f[0].len = 24; /* of four sub-buffers the last is missing */
	if (_i == 3)
		f[0] = TEXT("trace0", "[50] aaa\n[60] b\n");
	RUN(&c, "gtsc", f, 3, options[_i][0], options[_i][1], NULL);
	expect_text(&c, lines[_i]);
	ck_assert_uint_eq(c.warning_count, _i == 1 || _i == 2);
	if (_i == 2)
		ck_assert_str_eq(c.warnings[0],
				 "trace0: it has only 3 of the 4 sub-buffers that nr_sub counts");
	collect_fini(&c);
}
END_TEST

START_TEST(relay_counts)
{
	/* Stale bytes behind the count's padding; big-endian by guess; a bad count. */
	struct file f = TEXT("trace0", "\0\0\0\5[1] aaaa[2] ?\0\0\1\0[2] bbbbbbb\n");
	struct collect c;

	ck_assert_uint_eq(f.len, 17 + 16);
	f.data = "\0\0\0\5[1] aaa[2] ?\0\0\1\0[2] bbbbbbb\n";
	f.len = 32;
	RUN(&c, "gtsc", &f, 1, "kind=text", "sub-size=16", "padding=count", "endian=big", NULL);
	expect_text(&c, "1:aaa|2:bbbbbbb|");
	ck_assert_uint_eq(c.warning_count, 1);
	ck_assert_str_eq(c.warnings[0], "trace0: padding count 256 of the sub-buffer at 16 is "
					"larger than 12: the whole sub-buffer is used");
	ck_assert_uint_eq(c.warning_offs[0], 16);
	ck_assert_int_eq(c.info.big_endian, true);
	collect_fini(&c);
	f.len = 30;
	RUN(&c, "gtsc", &f, 1, "kind=text", "sub-size=16", "padding=count", NULL);
	expect_text(&c, "1:aaa|2:bbbbbb|");
	ck_assert_str_eq(c.warnings[0],
			 "trace0: the last sub-buffer at 16 has only 14 of 16 bytes");
	ck_assert_int_eq(c.info.big_endian, true);
	collect_fini(&c);
}
END_TEST

/* ---- SystemTap ---- */

START_TEST(stap)
{
	static const char big[] = "\377\377\377\376\0\0\0\2a\n\377\377\377\377\0\0\0\2b\n"
				  "\0\0\0\1\0\0\0\1c\0\0\0\2\0\0\0\11cut";
	struct file f = {"stpd_cpu0", big, sizeof(big) - 1};
	struct collect c;

	RUN(&c, "gtsc", &f, 1, NULL);
	expect_text(&c, "4294967294:a|4294967295:b|4294967297:c|");
	ck_assert_int_eq(c.info.big_endian, true);
	ck_assert_str_eq(c.clock, "counter");
	ck_assert_uint_eq(c.warning_count, 1);
	ck_assert_str_eq(c.warnings[0], "stpd_cpu0: record at 29 wants 9 payload bytes, 3 left");
	collect_fini(&c);
	f.len = 29 + 5;
	RUN(&c, "gtsc", &f, 1, NULL);
	ck_assert_str_eq(c.warnings[0], "stpd_cpu0: 5 trailing bytes at 29 do not hold a record");
	collect_fini(&c);
}
END_TEST

/* ---- blktrace ---- */

struct blk {
	uint8_t data[4096];
	size_t len;
	bool big;
	unsigned int version;
};

static void put_blk(struct blk *b, uint32_t seq, uint64_t time, uint32_t action, uint16_t error,
		    const void *pdu, size_t pdu_len)
{
	uint8_t *p = b->data + b->len;
	bool v8 = b->version == 8;

	memset(p, 0, 64);
	tdat_store32(p, 0x65617400 | b->version, b->big);
	tdat_store32(p + 4, seq, b->big);
	tdat_store64(p + 8, time, b->big);
	tdat_store64(p + 16, 2056, b->big);
	tdat_store32(p + 24, 4096, b->big);
	if (v8)
		tdat_store64(p + 32, action, b->big);
	else
		tdat_store32(p + 28, action, b->big);
	tdat_store32(p + (v8 ? 28 : 32), 4211, b->big);
	tdat_store32(p + (v8 ? 40 : 36), 8u << 20 | 1, b->big);
	tdat_store16(p + (v8 ? 48 : 44), error, b->big);
	tdat_store16(p + (v8 ? 50 : 46), (uint16_t)pdu_len, b->big);
	b->len += v8 ? 64 : 48;
	if (pdu_len)
		memcpy(b->data + b->len, pdu, pdu_len);
	b->len += pdu_len;
}

/* Every action has its event, both versions and orders; pdus are read as they are meant. */
START_TEST(blk_actions)
{
	static const uint8_t remap[] = {0, 0x80, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0};
	static const uint8_t depth[] = {0, 0, 0, 0, 0, 0, 0, 9};

	for (unsigned int i = 0; i < 4; i++) {
		struct blk b = {.big = i & 1, .version = i & 2 ? 8 : 7};
		struct file f = {"sda.blktrace.0", b.data, 0};
		struct collect c;

		put_blk(&b, 1, 0, 0x04000000, 0, "dd\0\0\0", 5);
		for (uint32_t a = 1; a <= 18; a++)
			put_blk(&b, 1 + a, a, a | (a == 7 ? 0x2020000 : 0xa0000), 0xfffb,
				a == 15 ? remap : depth, a == 15 ? 16 : 8);
		f.len = b.len;
		RUN(&c, "blktrace", &f, 1, NULL);
		ck_assert_uint_eq(c.event_count, 19);
		ck_assert_uint_eq(c.warning_count, 0);
		ck_assert_int_eq(c.info.big_endian, b.big);
		for (uint32_t a = 1; a <= 15; a++) {
			static const char order[] = "QMFGSRDCPUTIXBA";
			const struct collect_event *e = &c.events[a];
			size_t n = 0;

			while (letters[n].letter != order[a - 1])
				n++;
			ck_assert_str_eq(e->format->name, letters[n].event);
			ck_assert_int_eq(collect_int(e, "common_pid"), 4211);
			if (collect_has(e, "dev"))
				ck_assert_uint_eq(collect_uint(e, "dev"), 0x800001);
			if (collect_has(e, "comm")) {
				char s[16];

				ck_assert_str_eq(collect_string(e, "comm", s, 16), "dd");
			}
		}
		ck_assert_uint_eq(collect_uint(&c.events[10], "nr_rq"), 9);
		ck_assert_uint_eq(collect_uint(&c.events[13], "new_sector"), 9);
		ck_assert_uint_eq(collect_uint(&c.events[15], "old_sector"), 2048);
		ck_assert_uint_eq(collect_uint(&c.events[15], "old_dev"), 0x800001);
		ck_assert_int_eq(collect_int(&c.events[8], "error"), -5);
		ck_assert_mem_eq(collect_bytes(&c.events[1], "rwbs").ptr, "WS\0\0\0\0\0", 8);
		ck_assert_str_eq((const char *)collect_bytes(&c.events[7], "cmd").ptr,
				 "00 00 00 00 00 00 00 09");
		ck_assert_str_eq(c.events[16].format->name, "block_rq_abort");
		ck_assert_str_eq(c.events[17].format->name, "action");
		ck_assert_uint_eq(collect_uint(&c.events[18], "action"), 0xa0012);
		ck_assert_uint_eq(collect_bytes(&c.events[18], "data").len, 8);
		ck_assert_uint_eq(c.comm_count, 1);
		collect_fini(&c);
	}
}
END_TEST

START_TEST(blk_gaps_and_wall)
{
	struct blk b = {.version = 7};
	struct file f = {"sda.blktrace.0", b.data, 0};
	struct collect c;
	uint8_t wall[8];

	tdat_store32(wall, 100, false);
	tdat_store32(wall + 4, 7, false);
	put_blk(&b, 0xdeadbeef, 50, 0x04000001, 0, wall, 8);
	put_blk(&b, 1, 60, 0x20001, 0, NULL, 0);
	put_blk(&b, 5, 70, 0x20001, 0, NULL, 0);
	put_blk(&b, 6, 75, 0x04000002, 0, "hi\nho", 5);
	put_blk(&b, 7, 72, 0x20101, 0, "\1\0\0\0\0\0\0\0", 8);
	f.len = b.len;
	RUN(&c, "blktrace", &f, 1, NULL);
	ck_assert_uint_eq(c.event_count, 5);
	ck_assert_int_eq(c.events[2].lost_before, 3);
	ck_assert_str_eq(c.events[3].format->name, "block_bio_queue");
	ck_assert_uint_eq(c.events[3].ts, 72);
	ck_assert_str_eq((char *)c.events[4].data + 16, "8,1 m N hi\\nho");
	ck_assert_str_eq(collect_fact(&c, "missing_seq"), "3");
	ck_assert_str_eq(collect_fact(&c, "reordered"), "1");
	ck_assert_uint_eq(c.options[0].id, 7);
	ck_assert_str_eq((char *)c.options[0].data, "99999999957");
	collect_fini(&c);
	RUN(&c, "blktrace", &f, 1, "no-wall-clock", NULL);
	ck_assert_uint_eq(c.options[0].id, 2);
	collect_fini(&c);
}
END_TEST

START_TEST(blk_bad)
{
	struct blk b = {.version = 6}, good = {.version = 7};
	struct file f[] = {{"sda.blktrace.0", b.data, 0}, {"sda.blktrace.1", good.data, 0}};
	struct collect c;

	put_blk(&b, 1, 5, 0x20001, 0, NULL, 0);
	put_blk(&good, 1, 5, 0x20001, 0, NULL, 0);
	f[0].len = b.len;
	f[1].len = good.len;
	FAIL("blktrace", f, 1, TDAT_E_UNSUPPORTED,
	     "blktrace version 6 is unknown: tdat reads versions 7 and 8", NULL);
	RUN(&c, "blktrace", f, 2, NULL);
	ck_assert_uint_eq(c.event_count, 1);
	ck_assert_str_eq(c.warnings[0],
			 "sda.blktrace.0: blktrace version 6 is unknown: the file is omitted");
	collect_fini(&c);
	f[0] = TEXT("sda.blktrace.0", "nonsense that is no record");
	FAIL("blktrace", f, 1, TDAT_E_FORMAT, "no file starts with a blktrace record", NULL);
	f[0] = (struct file){"sda.blktrace.0", good.data, 20};
	FAIL("blktrace", f, 1, TDAT_E_FORMAT, "sda.blktrace.0 contains no record", NULL);
}
END_TEST

/* ---- described records ---- */

static size_t put_fork(uint8_t *p, uint64_t ts, uint32_t pid, const char *comm, bool big)
{
	memset(p, 0, 28);
	tdat_store64(p, ts, big);
	tdat_store32(p + 8, pid, big);
	memcpy(p + 12, comm, strlen(comm));
	return 28;
}

START_TEST(records)
{
	bool big = _i & 1, raw = _i & 2;
	uint8_t data[256] = {0};
	struct file f[] = {{"trace0", data, 0}, TEXT("meta", "sub_size=64\npadding=zero\n")};
	struct collect c;
	char comm[20];
	size_t len = 0;

	len += put_fork(data + len, 1000, 77, "bash", big);
	len += put_fork(data + len, 3000, 78, "0123456789abcdef", big);
	if (raw)
		len = 64;
	len += put_fork(data + len, 2000, 79, "late", big);
	f[0].len = len + (raw ? 0 : 5);
	RUN(&c, "gtsc", f, raw ? 2 : 1, "record=fork u64 ts; u32 pid; char comm[16]",
	    big ? "endian=big" : "endian=little", NULL);
	ck_assert_uint_eq(c.event_count, 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(c.events[i].ts, 1000 * (i + 1));
		ck_assert_uint_eq(collect_uint(&c.events[i], "ts"), 1000 * (i + 1));
		ck_assert_uint_eq(collect_uint(&c.events[i], "pid"),
				  collect_uint(&c.events[i], "common_pid"));
		ck_assert_str_eq(c.events[i].format->name, "fork");
	}
	ck_assert_str_eq(collect_string(&c.events[1], "comm", comm, sizeof(comm)), "late");
	ck_assert_str_eq(collect_string(&c.events[2], "comm", comm, sizeof(comm)),
			 "0123456789abcdef");
	ck_assert_int_eq(collect_field(&c.events[0], "comm")->size, 16);
	ck_assert_str_eq(c.clock, "local");
	ck_assert_str_eq(collect_fact(&c, "kind"), "record");
	/* What a sub-buffer has left over is no doubt. */
	ck_assert_uint_eq(c.warning_count, 1);
	ck_assert_str_eq(c.warnings[0],
			 raw ? "trace0: the last sub-buffer at 64 has only 28 of 64 bytes"
			     : "trace0: 5 trailing bytes at 84 do not hold a record");
	collect_fini(&c);
}
END_TEST

START_TEST(records_of_kinds)
{
	static const uint8_t data[] = {1, 10, 0, 5, 2, 20, 0, 'a', 'b', 'c', 1, 30, 0, 6, 9, 1, 1};
	struct file f = {"trace0", data, sizeof(data)};
	struct collect c;

	RUN(&c, "gtsc", &f, 1, "record=1:one u8 kind; u16 ts; u8 pid",
	    "record=2:two u8 kind; u16 ts; char s[3]", "discriminator=kind", "ts-unit=us",
	    "system=mine", NULL);
	ck_assert_uint_eq(c.event_count, 3);
	ck_assert_str_eq(c.events[0].format->name, "one");
	ck_assert_str_eq(c.events[1].format->name, "two");
	ck_assert_str_eq(c.events[1].format->system, "mine");
	ck_assert_uint_eq(c.events[1].ts, 20000);
	ck_assert_mem_eq(collect_bytes(&c.events[1], "s").ptr, "abc", 3);
	ck_assert_int_eq(collect_int(&c.events[2], "common_pid"), 6);
	ck_assert_uint_eq(c.warning_count, 1);
	ck_assert_str_eq(c.warnings[0], "trace0: record at 14 has kind 9, which is none of the "
					"records, stopping");
	collect_fini(&c);
	RUN(&c, "gtsc", &f, 1, "record=byte u8 x", NULL);
	ck_assert_uint_eq(c.event_count, sizeof(data));
	ck_assert_uint_eq(c.events[16].ts, 17);
	ck_assert_str_eq(c.clock, "counter");
	collect_fini(&c);
	FAIL("gtsc", &f, 1, TDAT_E_USAGE, "several records need the option \"discriminator\"",
	     "record=a u8 x", "record=b u8 x", NULL);
	FAIL("gtsc", &f, 1, TDAT_E_USAGE,
	     "option \"record\" is \"a long x\": type \"long\" of field \"x\" is unknown",
	     "record=a long x", NULL);
	FAIL("gtsc", &f, 1, TDAT_E_USAGE,
	     "the discriminator k of b has 1 bytes at offset 1, but earlier records have it with 1 "
	     "at 0",
	     "discriminator=k", "record=1:a u8 k", "record=2:b u8 x; u8 k", NULL);
	FAIL("gtsc", &f, 1, TDAT_E_USAGE,
	     "option \"time-field\" is \"t\", but a has no such number", "time-field=t",
	     "record=a u8 x", NULL);
}
END_TEST

/* ---- damage ---- */

static uint32_t random_state = 1;

static uint32_t next_random(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 8;
}

static void run_any(const struct collect_inputs *in, const char *importer)
{
	static const char *const options[] = {"mark-dropped", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c;

	collect_init(&c);
	collect_run(&c, importer, in, options, &err);
	collect_fini(&c);
}

static void damage_sample(const char *dir, void *ctx)
{
	bool blk = strstr(strrchr(dir, '/'), "/blk") != NULL;
	struct collect_inputs whole;

	(void)ctx;
	collect_open_dir(&whole, dir, TDAT_ACCESS_MAP);
	for (size_t i = 0; i < whole.count; i++) {
		struct tdat_import_input kept = whole.inputs[i];
		size_t len = (size_t)tdat_source_len(kept.source);
		uint8_t *data = malloc(len + 1), *copy;

		ck_assert_ptr_nonnull(data);
		ck_assert_int_eq(tdat_source_read(kept.source, 0, data, len, NULL), TDAT_OK);
		for (size_t n = 0; n <= len + 200; n++) {
			size_t cut = n <= len ? n : len;
			struct tdat_source *source;

			if (!part_takes(n))
				continue;
			copy = malloc(cut + 1);
			ck_assert_ptr_nonnull(copy);
			memcpy(copy, data, cut);
			for (int k = 0; n > len && len && k < 3; k++)
				copy[next_random() % len] = (uint8_t)next_random();
			EXPECT(tdat_source_open_memory(&source, copy, cut, kept.name, NULL) ==
				       TDAT_OK,
			       "memory source");
			whole.inputs[i].source = source;
			run_any(&whole, blk ? "blktrace" : "gtsc");
			tdat_source_close(source);
			free(copy);
		}
		whole.inputs[i] = kept;
		free(data);
	}
	collect_close(&whole);
}

START_TEST(damage)
{
	collect_each_fixture("gtsc", damage_sample, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gtsc");
	TCase *tc = tcase_create("gtsc");

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, samples);
	tcase_add_test(tc, text_odd);
	tcase_add_test(tc, text_extremes);
	tcase_add_test(tc, text_without_stamps);
	tcase_add_test(tc, text_nuls);
	tcase_add_test(tc, text_long);
	tcase_add_test(tc, text_options);
	tcase_add_test(tc, binary_is_no_text);
	tcase_add_test(tc, relay_rotated);
	tcase_add_loop_test(tc, control_files, 0, 4);
	tcase_add_test(tc, relay_counts);
	tcase_add_test(tc, stap);
	tcase_add_test(tc, blk_actions);
	tcase_add_test(tc, blk_gaps_and_wall);
	tcase_add_test(tc, blk_bad);
	tcase_add_loop_test(tc, records, 0, 4);
	tcase_add_test(tc, records_of_kinds);
	tcase_add_test(tc, damage);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
