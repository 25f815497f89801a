/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the importer of perf.data with files made by hand, in both byte orders: as a file, as
 * perf writes it to a pipe, and with compressed records that are cut within a record.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "../common/run.h"
#include "collect.h"
#include "core/build.h"

enum { TYPE = 1 << 16 | 1 << 10 | 1 << 8 | 1 << 7 | 1 << 5 | 4 | 2 | 1, ATTR = 128 };

static const char format[] = "name: ev\nID: 77\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u32 x;\toffset:8;\tsize:4;\tsigned:0;\n\n"
			     "print fmt: \"x=%u\", REC->x\n";

static void head(struct tdat_build *b, uint32_t type, size_t len)
{
	tdat_build_u32(b, type);
	tdat_build_u16(b, 1);
	tdat_build_u16(b, (uint16_t)(8 + len));
}

/* A tracepoint with two addresses of the kernel and one of the program, or a cpu-clock. */
static void sample(struct tdat_build *b, uint64_t id, uint32_t tid, uint64_t ts, uint32_t cpu)
{
	const bool point = id == 5;

	head(b, 9, 8 * 11 + (point ? 16 : 0));
	tdat_build_u64(b, id);
	tdat_build_u64(b, 0xffff1000);
	tdat_build_u32(b, tid);
	tdat_build_u32(b, tid);
	tdat_build_u64(b, ts);
	tdat_build_u32(b, cpu);
	tdat_build_u32(b, 0);
	tdat_build_u64(b, 3); /* period */
	tdat_build_u64(b, 4); /* call chain */
	tdat_build_u64(b, (uint64_t)-128);
	tdat_build_u64(b, 0xffff1000);
	tdat_build_u64(b, (uint64_t)-512);
	tdat_build_u64(b, 0x4000);
	if (!point)
		return;
	tdat_build_u32(b, 12);
	tdat_build_u16(b, 77);
	tdat_build_u16(b, 0);
	tdat_build_u32(b, 1);
	tdat_build_u32(b, tid + 1000);
}

static void sample_id(struct tdat_build *b, uint64_t ts, uint32_t cpu)
{
	tdat_build_u64(b, 0);
	tdat_build_u64(b, ts);
	tdat_build_u32(b, cpu);
	tdat_build_u32(b, 0);
	tdat_build_u64(b, 5);
}

static void records(struct tdat_build *b)
{
	head(b, 3, 16 + 32); /* COMM */
	tdat_build_u32(b, 20);
	tdat_build_u32(b, 20);
	tdat_build_bytes(b, "bash\0\0\0", 8);
	sample_id(b, 10, 0);
	sample(b, 5, 20, 200, 1);
	sample(b, 5, 20, 400, 1);
	head(b, 2, 16 + 32); /* LOST */
	tdat_build_u64(b, 5);
	tdat_build_u64(b, 9);
	sample_id(b, 300, 1);
	head(b, 68, 0);
	sample(b, 5, 21, 100, 0);
	sample(b, 6, 20, 300, 0);
	head(b, 99, 8); /* a type to come */
	tdat_build_u64(b, 0);
}

static void attr(struct tdat_build *b, bool point)
{
	const int bit = b->big ? 63 - 18 : 18;

	tdat_build_u32(b, point ? 2 : 1);
	tdat_build_u32(b, ATTR);
	tdat_build_u64(b, point ? 77 : 0);
	tdat_build_u64(b, 1);
	tdat_build_u64(b, point ? TYPE : TYPE & ~(1 << 10));
	tdat_build_u64(b, 0);
	tdat_build_u64(b, UINT64_C(1) << bit);
	tdat_build_fill(b, 0, ATTR - 48);
}

static void tracing(struct tdat_build *b)
{
	tdat_build_bytes(b, "\x17\x08\x44tracing0.6\0", 14);
	tdat_build_u8(b, b->big);
	tdat_build_u8(b, 8);
	tdat_build_u32(b, 4096);
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, 0);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, 0);
	tdat_build_u32(b, 0);
	tdat_build_u32(b, 1);
	tdat_build_cstr(b, "sys");
	tdat_build_u32(b, 1);
	tdat_build_u64(b, sizeof(format) - 1);
	tdat_build_str(b, format);
	tdat_build_u32(b, 0);
	tdat_build_u32(b, 0);
	tdat_build_u64(b, 0);
}

/* Compressed in two records, of which the first ends within a sample. */
static void compressed(struct tdat_build *b)
{
	struct tdat_build plain;
	size_t cut, n;
	uint8_t out[4096];
	ZSTD_CStream *z = ZSTD_createCStream();

	tdat_build_init(&plain, b->big);
	records(&plain);
	ck_assert(!ZSTD_isError(ZSTD_initCStream(z, 1)));
	cut = 100;
	for (size_t at = 0; at < plain.len; at += n) {
		ZSTD_inBuffer in = {plain.ptr + at, n = at ? plain.len - at : cut, 0};
		ZSTD_outBuffer to = {out, sizeof(out), 0};

		ck_assert(!ZSTD_isError(ZSTD_compressStream(z, &to, &in)));
		ck_assert_uint_eq(ZSTD_flushStream(z, &to), 0);
		/* The old form, and the new one with its length and padding. */
		head(b, at ? 83 : 81, at ? 8 + (to.pos + 7) / 8 * 8 : to.pos);
		if (at)
			tdat_build_u64(b, to.pos);
		tdat_build_bytes(b, out, to.pos);
		if (at)
			tdat_build_fill(b, 0, (8 - to.pos % 8) % 8);
	}
	ZSTD_freeCStream(z);
	tdat_build_fini(&plain);
}

static void make_pipe(struct tdat_build *b)
{
	struct tdat_build t;

	tdat_build_bytes(b, "PERFILE2", 8);
	tdat_build_u64(b, 16);
	for (uint64_t id = 5; id <= 6; id++) {
		head(b, 64, ATTR + 8);
		attr(b, id == 5);
		tdat_build_u64(b, id);
	}
	head(b, 78, 8 + 8 + 16);
	tdat_build_u64(b, 2);
	tdat_build_u64(b, 6);
	tdat_build_bytes(b, "cpu-clock/f=9/\0", 16);
	tdat_build_init(&t, b->big);
	tracing(&t);
	tdat_build_fill(&t, 0, (8 - t.len % 8) % 8);
	head(b, 66, 4);
	tdat_build_u32(b, (uint32_t)t.len);
	tdat_build_bytes(b, t.ptr, t.len);
	tdat_build_fini(&t);
	records(b);
}

static void make_file(struct tdat_build *b, bool packed)
{
	struct tdat_build data, t;
	const size_t ids = 104 + 2 * (ATTR + 16);

	tdat_build_init(&data, b->big);
	tdat_build_init(&t, b->big);
	if (packed)
		compressed(&data);
	else
		records(&data);
	tracing(&t);
	tdat_build_bytes(b, "PERFILE2", 8);
	tdat_build_u64(b, 104);
	tdat_build_u64(b, ATTR + 16);
	tdat_build_u64(b, 104);
	tdat_build_u64(b, 2 * (ATTR + 16));
	tdat_build_u64(b, ids + 16);
	tdat_build_u64(b, data.len);
	tdat_build_fill(b, 0, 16);
	tdat_build_u64(b, 1 << 1);
	tdat_build_fill(b, 0, 24);
	for (uint64_t i = 0; i < 2; i++) {
		attr(b, i == 0);
		tdat_build_u64(b, ids + 8 * i);
		tdat_build_u64(b, 8);
	}
	tdat_build_u64(b, 5);
	tdat_build_u64(b, 6);
	tdat_build_bytes(b, data.ptr, data.len);
	tdat_build_u64(b, b->len + 16);
	tdat_build_u64(b, t.len);
	tdat_build_bytes(b, t.ptr, t.len);
	tdat_build_fini(&data);
	tdat_build_fini(&t);
}

static void check_events(const struct collect *c)
{
	static const struct {
		const char *name;
		uint64_t ts;
		uint32_t cpu, tid;
		int64_t lost;
	} want[] = {{"ev", 100, 0, 21, 0},	     {"kernel_stack", 100, 0, 21, 0},
		    {"user_stack", 100, 0, 21, 0},   {"ev", 200, 1, 20, 0},
		    {"kernel_stack", 200, 1, 20, 0}, {"user_stack", 200, 1, 20, 0},
		    {"cpu_clock", 300, 0, 20, 0},    {"kernel_stack", 300, 0, 20, 0},
		    {"user_stack", 300, 0, 20, 0},   {"ev", 400, 1, 20, 9}};

	ck_assert_uint_eq(c->event_count, 12);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct collect_event *e = &c->events[i];

		ck_assert_str_eq(e->format->name, want[i].name);
		ck_assert_uint_eq(e->ts, want[i].ts);
		ck_assert_uint_eq(e->cpu, want[i].cpu);
		ck_assert_int_eq(e->lost_before, want[i].lost);
		ck_assert_uint_eq(collect_uint(e, "common_pid"), want[i].tid);
	}
	ck_assert_uint_eq(collect_uint(&c->events[0], "x"), 1021);
	ck_assert_uint_eq(collect_uint(&c->events[1], "size"), 1);
	ck_assert_uint_eq(collect_uint(&c->events[6], "ip"), 0xffff1000);
	ck_assert_uint_eq(collect_uint(&c->events[6], "period"), 3);
	/* Task 21 has no name in the file. */
	ck_assert_uint_eq(c->comm_count, 1);
	ck_assert_str_eq(c->comms[0].key, "20");
	ck_assert_str_eq(c->comms[0].value, "bash");
	ck_assert_str_eq(c->clock, "perf");
	ck_assert_uint_eq(c->warning_count, 0);
}

static enum tdat_status import(struct collect *c, const struct tdat_build *b)
{
	struct collect_inputs in = {NULL, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	ck_assert(!b->failed);
	collect_init(c);
	collect_add_memory(&in, "perf.data", b->ptr, b->len);
	st = collect_run(c, "perf", &in, NULL, &err);
	collect_close(&in);
	return st;
}

/* Of the other byte order the magic reads backward. */
static void turn_magic(struct tdat_build *b)
{
	if (b->big)
		memcpy(b->ptr, "2ELIFREP", 8);
}

static void make(struct tdat_build *b, int form, bool big)
{
	tdat_build_init(b, big);
	if (form)
		make_file(b, form == 2);
	else
		make_pipe(b);
	turn_magic(b);
}

START_TEST(test_forms)
{
	for (int form = 0; form < 3; form++)
		for (int big = 0; big < 2; big++) {
			struct tdat_build b;
			struct collect c;

			make(&b, form, big);
			ck_assert_int_eq(import(&c, &b), TDAT_OK);
			ck_assert_int_eq(c.info.big_endian, big);
			check_events(&c);
			collect_fini(&c);
			tdat_build_fini(&b);
		}
}
END_TEST

/* A file that ends early keeps what comes before, and says so; no end makes it fail badly. */
START_TEST(test_cut)
{
	struct tdat_build b;
	struct collect c;

	make(&b, 0, false);
	for (size_t len = b.len - 1; len > b.len - 200; len--) {
		const struct tdat_build cut = {.ptr = b.ptr, .len = len};

		ck_assert_int_eq(import(&c, &cut), TDAT_OK);
		ck_assert(c.warning_count == 1 || len == b.len - 16 || len == b.len - 16 - 96);
		collect_fini(&c);
	}
	/* perf that is killed leaves a length of 0: the data is there, its formats are not. */
	tdat_build_fini(&b);
	make(&b, 1, false);
	memset(b.ptr + 48, 0, 8);
	ck_assert_int_eq(import(&c, &b), TDAT_OK);
	ck_assert_uint_ge(c.warning_count, 2);
	ck_assert_uint_eq(c.event_count, 3);
	collect_fini(&c);
	tdat_build_fini(&b);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("perf");
	Suite *s = suite_create("perf");

	tcase_add_test(tc, test_forms);
	tcase_add_test(tc, test_cut);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
