/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of every layout in both byte orders, rings, strings and conversions. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "collect.h"
#include "core/build.h"
#include "ktr_print.h"

/* Offsets as the compilers of the spec's table gave them. */
struct shape {
	const char *name;
	uint32_t len, word;
	int cpu, line, file, desc, thread, parms; /* -1: has none */
	unsigned int parm_count;
};

static const struct shape shapes[] = {
	{"freebsd-v2-64", 88, 8, 8, 12, 16, 24, 32, 40, 6},
	{"freebsd-v2-32", 52, 4, 8, 12, 16, 20, 24, 28, 6},
	{"freebsd-v2-32a8", 56, 4, 8, 12, 16, 20, 24, 28, 6},
	{"freebsd-v1-64", 80, 8, 8, 12, 16, 24, -1, 32, 6},
	{"freebsd-v1-32", 48, 4, 8, 12, 16, 20, -1, 24, 6},
	{"bsdos", 32, 4, -1, -1, -1, 8, -1, 12, 5},
	{"freebsd-2000", 32, 4, -1, -1, -1, 8, -1, 12, 5},
	{"freebsd-2000-64", 64, 8, -1, -1, -1, 16, -1, 24, 5},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]), FREEBSD = 5 };

static const char strings64[] = "0xffffffff80e00010\t\"kern/x.c\"\n"
				"0xffffffff80e00020\t\"n=%d u=%u x=%#x l=%ld s=%s\"\n"
				"0xffffffff80e00040\t\"tail of text\"\n";
static const char strings32[] = "0xc0a00010\t\"kern/x.c\"\n"
				"0xc0a00020\t\"n=%d u=%u x=%#x l=%ld s=%s\"\n"
				"0xc0a00040\t\"tail of text\"\n";

static void put(uint8_t *p, const struct shape *s, int off, uint64_t v, bool big)
{
	if (off < 0)
		return;
	if (s->word == 8)
		tdat_store64(p + off, v, big);
	else
		tdat_store32(p + off, (uint32_t)v, big);
}

static uint64_t base_of(const struct shape *s)
{
	return s->word == 8 ? 0xffffffff80e00000 : 0xc0a00000;
}

/* i-th entry: ts 1000 + 10 i, CPU i % 2, line 10 + i. */
static void add_entry(struct tdat_build *b, const struct shape *s, unsigned int i, bool big)
{
	uint8_t e[128] = {0};
	uint64_t base = base_of(s);
	uint64_t parms[6] = {(uint64_t)-5, (uint64_t)-6, 0x1f, (uint64_t)-7, base + 0x48, 77};

	if (!strcmp(s->name, "freebsd-2000")) {
		tdat_store32(e, 1, big);
		tdat_store32(e + 4, 1000 + 10 * i, big);
	} else if (!strcmp(s->name, "freebsd-2000-64")) {
		tdat_store32(e, 1, big);
		tdat_store64(e + 8, 1000 + 10 * i, big);
	} else {
		tdat_store64(e, 1000 + 10 * i, big);
	}
	if (s->cpu >= 0)
		tdat_store32(e + s->cpu, i % 2, big);
	if (s->line >= 0)
		tdat_store32(e + s->line, 10 + i, big);
	put(e, s, s->file, base + 0x10, big);
	put(e, s, s->desc, base + 0x20, big);
	put(e, s, s->thread, base + 0x1000, big);
	for (unsigned int k = 0; k < s->parm_count; k++)
		put(e, s, s->parms + (int)(k * s->word), parms[k], big);
	tdat_build_bytes(b, e, s->len);
}

static void expect(FILE *out, const struct shape *s, unsigned int count, bool big)
{
	bool real_time = !strncmp(s->name, "freebsd-2000", 12);

	fprintf(out, "# layout=%s endian=%s entries=%u cpus=%u\n", s->name, big ? "big" : "little",
		count, s->cpu >= 0 && count > 1 ? 2 : 1);
	for (unsigned int i = 0; i < count; i++) {
		fprintf(out, "[%03u] %u td=", s->cpu >= 0 ? i % 2 : 0,
			1000 + 10 * i + (real_time ? 1000000000 : 0));
		if (s->thread >= 0)
			fprintf(out, "0x%" PRIx64, base_of(s) + 0x1000);
		else
			fputc('-', out);
		if (s->file >= 0)
			fprintf(out, " kern/x.c:%u", 10 + i);
		else
			fprintf(out, " -");
		fprintf(out, ": n=-5 u=4294967290 x=0x1f l=-7 s=text\n");
	}
}

/* Runs and compares; returns the collected for more. */
static void check(const struct collect_inputs *in, const char *const *options, const char *expected,
		  struct collect *c)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char *got;

	collect_init(c);
	ck_assert_msg(collect_run(c, "ktr", in, options, &err) == TDAT_OK, "%s: %s", expected,
		      err.message);
	got = ktr_print_all(c);
	ck_assert_msg(!strcmp(got, expected), "--- got\n%s--- expected\n%s", got, expected);
	free(got);
}

enum told { NOTHING, LAYOUT, LAYOUT_AND_ORDER };

static void check_shape(const struct shape *s, bool big, enum told told)
{
	char layout[64], *expected;
	const char *options[] = {layout, big ? "endian=big" : "endian=little", NULL};
	const char *strings = s->word == 8 ? strings64 : strings32;
	struct collect_inputs in = {0};
	struct tdat_build b;
	struct collect c;
	size_t len;
	FILE *out = open_memstream(&expected, &len);

	tdat_build_init(&b, big);
	for (unsigned int i = 0; i < 7; i++)
		add_entry(&b, s, i, big);
	expect(out, s, 7, big);
	fclose(out);
	snprintf(layout, sizeof(layout), "layout=%s", s->name);
	collect_add_memory(&in, "ktr.out", b.ptr, b.len);
	collect_add_memory(&in, "strings.txt", strings, strlen(strings));
	if (told == LAYOUT)
		options[1] = NULL;
	check(&in, told == NOTHING ? NULL : options, expected, &c);
	ck_assert_uint_eq(c.info.big_endian, big);
	ck_assert_uint_eq(c.info.long_size, s->word);
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b);
	free(expected);
}

START_TEST(layouts)
{
	check_shape(&shapes[_i / 2], _i & 1, LAYOUT_AND_ORDER);
	check_shape(&shapes[_i / 2], _i & 1, LAYOUT);
	if (_i / 2 < FREEBSD)
		check_shape(&shapes[_i / 2], _i & 1, NOTHING);
}
END_TEST

/* Without any string the shape of entries has to do. */
START_TEST(layouts_without_strings)
{
	const struct shape *s = &shapes[_i / 2];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct tdat_build b;
	struct collect c;
	char buf[256];

	tdat_build_init(&b, _i & 1);
	for (unsigned int i = 0; i < 7; i++)
		add_entry(&b, s, i, _i & 1);
	collect_add_memory(&in, "trace", b.ptr, b.len);
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK, "%s: %s", s->name,
		      err.message);
	ck_assert_str_eq(collect_fact(&c, "layout"), s->name);
	ck_assert_str_eq(collect_fact(&c, "endian"), _i & 1 ? "big" : "little");
	ck_assert_uint_eq(c.event_count, 7);
	collect_string(&c.events[0], "msg", buf, sizeof(buf));
	ck_assert_str_eq(buf, s->word == 8
				      ? "<fmt 0xffffffff80e00020> 0xfffffffffffffffb "
					"0xfffffffffffffffa 0x1f 0xfffffffffffffff9 "
					"0xffffffff80e00048 0x4d"
				      : "<fmt 0xc0a00020> 0xfffffffb 0xfffffffa 0x1f 0xfffffff9 "
					"0xc0a00048 0x4d");
	ck_assert_uint_gt(tdat_importer_find("ktr")->probe(in.inputs, in.count), 0);
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b);
}
END_TEST

/* Noise is refused with the way out. */
START_TEST(noise)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	uint8_t data[4096];
	uint64_t x = 88172645463325252ull;
	struct collect c;

	for (size_t i = 0; i < sizeof(data); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		data[i] = (uint8_t)x;
	}
	collect_add_memory(&in, "ktr.out", data, sizeof(data));
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_E_FORMAT);
	ck_assert_msg(strstr(err.message, "--layout"), "%s", err.message);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/*
 * Two rings of BSD/OS with timevals, big endian; one wrapped, one not full, and a second time with
 * the rest of an entry in a slot that is not used.
 */
START_TEST(bsdos_timeval)
{
	static const char *const warnings[] = {
		"", "# warning: ktr1.bin: 1 slot without a format is not empty\n"};
	static const char meta[] = "layout=bsdos\nendian=big\nclock=timeval\nktr_size=128\n"
				   "idx0=32\nidx1=32\n";
	static const char strings[] = "0xf0110010\t\"x=%x\"\n";
	static const struct {
		uint32_t cpu, sec, usec, desc, parm;
	} slots[] = {
		{0, 100, 30, 0xf0110010, 3},
		{0, 100, 10, 0xf0110010, 1},
		{0, 100, 20, 0xf0110010, 2},
		{0, 100, 25, 0xf0110010, 5},
		{1, 100, 15, 0xf0110010, 4},
		{1, 0, 0, 0, 0},
		{1, 0, 0, 0, 0},
		{1, 0, 0, 0, 0},
	};
	char expected[400];
	struct collect_inputs in = {0};
	struct tdat_build b[2];
	struct collect c;

	tdat_build_init(&b[0], true);
	tdat_build_init(&b[1], true);
	for (size_t i = 0; i < 8; i++) {
		struct tdat_build *out = &b[slots[i].cpu];

		tdat_build_u32(out, slots[i].sec);
		tdat_build_u32(out, slots[i].usec);
		tdat_build_u32(out, slots[i].desc);
		tdat_build_u32(out, i == 7 && _i ? 5 : slots[i].parm);
		tdat_build_fill(out, 0, 16);
	}
	collect_add_memory(&in, "ktr1.bin", b[1].ptr, b[1].len);
	collect_add_memory(&in, "ktr0.bin", b[0].ptr, b[0].len);
	collect_add_memory(&in, "meta", meta, strlen(meta));
	collect_add_memory(&in, "strings.txt", strings, strlen(strings));
	snprintf(expected, sizeof(expected),
		 "# layout=bsdos endian=big entries=5 cpus=2\n"
		 "%s"
		 "[000] 100000010000 td=- -: x=1\n"
		 "[001] 100000015000 td=- -: x=4\n"
		 "[000] 100000020000 td=- -: x=2\n"
		 "[000] 100000025000 td=- -: x=5\n"
		 "[000] 100000030000 td=- -: x=3\n",
		 warnings[_i]);
	check(&in, NULL, expected, &c);
	ck_assert_str_eq(c.clock, "local");
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b[0]);
	tdat_build_fini(&b[1]);
}
END_TEST

/* BSD/OS ignores the width of %s; a ring's size masks its index, so that others are refused. */
START_TEST(bsdos_ring)
{
	static const char strings[] = "0xf0110010\t\"%10s|%-9s|%6d|\"\n0xf0110020\t\"sleepy\"\n";
	static const uint32_t words[8] = {5, 0, 0xf0110010, 0xf0110020, 0xf0110020, 7, 0, 0};
	static const char *const metas[] = {"layout=bsdos\nendian=little\nktr_size=32\nidx0=0\n",
					    "layout=bsdos\nendian=little\nktr_size=96\nidx0=0\n",
					    "layout=bsdos\nendian=little\nktr_size=16\nidx0=0\n"};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct tdat_build b;
	struct collect c;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < 8; i++)
		tdat_build_u32(&b, words[i]);
	collect_add_memory(&in, "ktr0.bin", b.ptr, b.len);
	collect_add_memory(&in, "meta", metas[_i], strlen(metas[_i]));
	collect_add_memory(&in, "strings.txt", strings, strlen(strings));
	if (!_i) {
		check(&in, NULL,
		      "# layout=bsdos endian=little entries=1 cpus=1\n"
		      "[000] 5 td=- -: sleepy|sleepy|     7|\n",
		      &c);
	} else {
		collect_init(&c);
		ck_assert(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_E_FORMAT);
		ck_assert_msg(strstr(err.message, _i == 1 ? "ktr_size is 96," : "ktr_size is 16,"),
			      "%s", err.message);
	}
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b);
}
END_TEST

/* Entries of KTR_EXTEND hold their message. */
START_TEST(extended)
{
	static const char *const options[][3] = {
		{"layout=freebsd-2000x", "endian=little", NULL},
		{"layout=freebsd-2000x", NULL, NULL}, /* the length tells which */
	};
	static const char *const expected[] = {
		"# layout=freebsd-2000x endian=little entries=2 cpus=2\n"
		"[001] 5000000007 td=- kern/a.c:12: first\n"
		"[000] 5000000008 td=- kern/a.c:12: second\n",
		"# layout=freebsd-2001x endian=little entries=2 cpus=2\n"
		"# warning: 2 file names not resolved\n"
		"[001] 5000000007 td=- <0x656b>:12: first\n"
		"[000] 5000000008 td=- <0x656b>:12: second\n",
	};
	uint32_t len = _i ? 100 : 128;
	uint8_t data[256] = {0};
	struct collect_inputs in = {0};
	struct collect c;

	for (uint32_t i = 0; i < 2; i++) {
		uint8_t *p = data + i * len;

		tdat_store32(p, 5, false);
		tdat_store32(p + 4, 7 + i, false);
		strcpy((char *)p + 8, i ? "second" : "first");
		if (_i)
			tdat_store32(p + 88, 0x656b, false);
		else
			strcpy((char *)p + 88, "kern/a.c");
		tdat_store32(p + (_i ? 92 : 120), 12, false);
		tdat_store32(p + (_i ? 96 : 124), 1 - i, false);
	}
	collect_add_memory(&in, "ktr_buf.bin", data, (size_t)2 * len);
	check(&in, options[_i], expected[_i], &c);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* A format and its words on amd64, as the C library prints the same. */
static const struct {
	const char *format; /* as in strings.txt */
	uint64_t parms[6];
	const char *message;
} conversions[] = {
	{"%d%%", {100}, "100%"},
	{"%5d|%-5d|%05d|%+d|% d", {42, 42, 42, 42, 42}, "   42|42   |00042|+42| 42"},
	{"%.3d|%5.3d|%-6.2x|", {7, 7, 0xa}, "007|  007|0a    |"},
	{"%hd %hhd %hu %hhx", {0x18000, 0x1ff, 0x1ffff, 0x1ab}, "-32768 -1 65535 ab"},
	{"%u %lu %llu %qu",
	 {~0ull, ~0ull, ~0ull, 5},
	 "4294967295 18446744073709551615 "
	 "18446744073709551615 5"},
	{"%jd %zd %td %Lx", {~0ull, ~1ull, 3, 0xffffffffffull}, "-1 -2 3 ffffffffff"},
	{"%x %X %#x %#X %#o %o", {255, 255, 255, 255, 8, 8}, "ff FF 0xff 0XFF 010 10"},
	{"%#x %#o %.0d|%p %d", {0, 0, 0, 0, 0}, "0 0 |0x0 0"},
	{"%#08x %08x %-8x|", {0x1f, 0x1f, 0x1f}, "0x00001f 0000001f 1f      |"},
	{"%c%c%3c|%-3c|", {'o', 'k', '.', '.'}, "ok  .|.  |"},
	{"%p %lx", {0xfffff80003a54b40, 0xfffff80003a54b40}, "0xfffff80003a54b40 fffff80003a54b40"},
	{"%s|%10s|%-10s|%.4s",
	 {0xffffffff80e00100, 0xffffffff80e00100, 0xffffffff80e00100, 0xffffffff80e00100},
	 "string|    string|string    |stri"},
	{"%'d %i", {1234567, ~0ull}, "1234567 -1"},
	{"%s", {0xfffff80000000000}, "<0xfffff80000000000>"},
	{"%*d", {1, 2}, "%*d [0x1 0x2 0x0 0x0 0x0 0x0]"},
	{"%b", {1, 2}, "%b [0x1 0x2 0x0 0x0 0x0 0x0]"},
	{"%D", {1, 2}, "%D [0x1 0x2 0x0 0x0 0x0 0x0]"},
	{"%f", {1, 2}, "%f [0x1 0x2 0x0 0x0 0x0 0x0]"},
	{"%n", {1, 2}, "%n [0x1 0x2 0x0 0x0 0x0 0x0]"},
	{"100%", {1}, "100%"},
	{"", {1}, ""},
	{"a%5", {1}, "a%5"},
	{"two\\nlines\\ttab \\033[1m\\\"", {0}, "two\\nlines\ttab \\x1b[1m\""},
	{"%d %d %d %d %d %d %d %s", {1, 2, 3, 4, 5, 6}, "1 2 3 4 5 6 <no arg> <no arg>"},
	{"%-*d %s", {1, 2}, "%-*d %s [0x1 0x2 0x0 0x0 0x0 0x0]"},
};
enum { CONVERSIONS = sizeof(conversions) / sizeof(conversions[0]) };

START_TEST(conversion)
{
	uint8_t e[88] = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	char strings[512], msg[512];

	snprintf(strings, sizeof(strings),
		 "0xffffffff80e00010\t\"kern/x.c\"\n0xffffffff80e00020\t\"%s\"\n"
		 "0xffffffff80e00100\t\"string\"\n",
		 conversions[_i].format);
	tdat_store32(e + 12, 5, false);
	tdat_store64(e + 16, 0xffffffff80e00010, false);
	tdat_store64(e + 24, 0xffffffff80e00020, false);
	for (unsigned int i = 0; i < 6; i++)
		tdat_store64(e + 40 + 8 * i, conversions[_i].parms[i], false);
	collect_add_memory(&in, "ktr.out", e, sizeof(e));
	collect_add_memory(&in, "strings.txt", strings, strlen(strings));
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK, "%s", err.message);
	ck_assert_uint_eq(c.event_count, 1);
	ck_assert_str_eq(collect_string(&c.events[0], "msg", msg, sizeof(msg)),
			 conversions[_i].message);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* A long format and a long string end where ktrdump's buffers do. */
START_TEST(long_text)
{
	uint8_t e[88] = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	char strings[1024], x[301], msg[512];

	memset(x, 'x', 300);
	x[300] = '\0';
	snprintf(strings, sizeof(strings),
		 "0xffffffff80e00010\t\"%s\"\n0xffffffff80e00200\t\"%%s|%s\"\n", x, x);
	tdat_store64(e + 16, 0xffffffff80e00010, false);
	tdat_store64(e + 24, 0xffffffff80e00200, false);
	tdat_store64(e + 40, 0xffffffff80e00010, false);
	collect_add_memory(&in, "ktr.out", e, sizeof(e));
	collect_add_memory(&in, "strings.txt", strings, strlen(strings));
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK, "%s", err.message);
	collect_string(&c.events[0], "msg", msg, sizeof(msg));
	ck_assert_uint_eq(strlen(msg), 127 + 1 + 124);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* A CPU that cannot be. */
START_TEST(bad_cpu)
{
	const struct shape *s = &shapes[0];
	struct collect_inputs in = {0};
	struct tdat_build b;
	struct collect c;

	tdat_build_init(&b, false);
	for (unsigned int i = 0; i < 3; i++)
		add_entry(&b, s, i * 2, false);
	tdat_store32(b.ptr + 88 + 8, 4096, false);
	collect_add_memory(&in, "ktr.out", b.ptr, b.len);
	collect_add_memory(&in, "strings.txt", strings64, strlen(strings64));
	check(&in, NULL,
	      "# layout=freebsd-v2-64 endian=little entries=3 cpus=1\n"
	      "# warning: 1 entry with a cpu outside 0..4095 put on cpu 0\n"
	      "[000] 1000 td=0xffffffff80e01000 kern/x.c:10: n=-5 u=4294967290 x=0x1f l=-7 s=text\n"
	      "[000] 1020 td=0xffffffff80e01000 kern/x.c:12: n=-5 u=4294967290 x=0x1f l=-7 s=text\n"
	      "[000] 1040 td=0xffffffff80e01000 kern/x.c:14: n=-5 u=4294967290 x=0x1f l=-7 "
	      "s=text\n",
	      &c);
	ck_assert_uint_eq(c.warning_offs[0], 88);
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b);
}
END_TEST

/* Each format's own event carries the arguments as the conversions see them. */
START_TEST(typed)
{
	static const char *const options[] = {"typed", NULL};
	const struct shape *s = &shapes[0];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	const struct collect_event *e;
	struct tdat_build b;
	struct collect c;
	char buf[64];

	tdat_build_init(&b, false);
	add_entry(&b, s, 0, false);
	collect_add_memory(&in, "ktr.out", b.ptr, b.len);
	collect_add_memory(&in, "strings.txt", strings64, strlen(strings64));
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, options, &err) == TDAT_OK);
	ck_assert_uint_eq(c.event_count, 2);
	e = &c.events[1];
	ck_assert_str_eq(e->format->name, "n");
	ck_assert_int_eq(collect_int(e, "arg1"), -5);
	ck_assert_uint_eq(collect_uint(e, "arg2"), 4294967290u);
	ck_assert_uint_eq(collect_uint(e, "arg3"), 0x1f);
	ck_assert_int_eq(collect_int(e, "arg4"), -7);
	ck_assert_str_eq(collect_string(e, "arg5", buf, sizeof(buf)), "text");
	ck_assert(strstr(e->format->text, "print fmt: \"n=%lld u=%llu x=%#llx l=%lld s=%s\", "
					  "REC->arg1, REC->arg2, REC->arg3, REC->arg4, "
					  "__get_str(arg5)\n"));
	collect_fini(&c);
	collect_close(&in);
	tdat_build_fini(&b);
}
END_TEST

/*
 * Many entries out of order, by little (a window does) and by half the file (the
 * sort does): the collector holds them to rising time; none is lost.
 */
START_TEST(order)
{
	enum { COUNT = 90000 };
	static const char *const options[] = {"layout=freebsd-v2-64", "endian=little", NULL};
	uint8_t *data = calloc(COUNT, 88);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	uint64_t x = 88172645463325252ull;

	for (uint64_t i = 0; i < COUNT; i++) {
		uint8_t *p = data + i * 88;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		tdat_store64(p, _i ? i % (COUNT / 2) : 100 * i + x % 20000, false);
		tdat_store32(p + 8, _i ? (uint32_t)(i / (COUNT / 2)) : (uint32_t)(x >> 60), false);
		tdat_store64(p + 24, 0xffffffff80e00020 + i % 3, false);
	}
	collect_add_memory(&in, "ktr.out", data, (size_t)COUNT * 88);
	collect_init(&c);
	c.count_only = true;
	ck_assert_msg(collect_run(&c, "ktr", &in, options, &err) == TDAT_OK, "%s", err.message);
	ck_assert_uint_eq(c.events_seen, COUNT);
	collect_fini(&c);
	collect_close(&in);
	free(data);
}
END_TEST

/* An image named by an option is used once; a module needs its address. */
START_TEST(modules)
{
	static const char *const as_kernel[] = {"kernel=kernel.elf", NULL};
	static const char *const as_module[] = {"module=kernel.elf@ffffffff82000000", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	uint8_t e[88] = {0};
	char path[4096], msg[128], *kernel;
	struct collect c;
	size_t len;

	snprintf(path, sizeof(path), "%s/foreign/ktr/fbsd_amd64_alq/kernel.elf",
		 getenv("TDAT_FIXTURES"));
	kernel = collect_read_file(path, &len);
	tdat_store64(e + 16, 0xffffffff82000067, false);
	tdat_store64(e + 24, 0xffffffff82000170, false);
	tdat_store64(e + 40, 0x1f, false);
	collect_add_memory(&in, "ktr.out", e, sizeof(e));
	collect_add_memory(&in, "kernel.elf", kernel, len);
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, as_kernel, &err) == TDAT_OK);
	ck_assert_str_eq(c.kallsyms, "ffffffff81000000 D ktr_version\n"
				     "ffffffff81000004 D ktr_entries\n"
				     "ffffffff81000008 D ktr_idx\n");
	collect_fini(&c);
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, as_module, &err) == TDAT_OK);
	ck_assert_str_eq(collect_string(&c.events[0], "msg", msg, sizeof(msg)),
			 "ast: 100% done, flags 0x0000001f");
	ck_assert_str_eq(collect_string(&c.events[0], "file", msg, sizeof(msg)),
			 "kern/kern_synch.c");
	ck_assert(strstr(c.kallsyms, "ffffffff82200000 D ktr_version\t[kernel]\n"));
	collect_fini(&c);
	/* An object file without an address: told, and not used. */
	kernel[16] = 1;
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK);
	ck_assert(strstr(c.warnings[0], "--module"));
	ck_assert_ptr_null(c.kallsyms);
	collect_fini(&c);
	collect_close(&in);
	free(kernel);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ktr_layouts");
	TCase *t = tcase_create("entries");

	tcase_add_loop_test(t, layouts, 0, 2 * SHAPES);
	tcase_add_loop_test(t, layouts_without_strings, 0, 2 * FREEBSD);
	tcase_add_test(t, noise);
	tcase_add_loop_test(t, bsdos_timeval, 0, 2);
	tcase_add_loop_test(t, bsdos_ring, 0, 3);
	tcase_add_loop_test(t, extended, 0, 2);
	tcase_add_loop_test(t, conversion, 0, CONVERSIONS);
	tcase_add_test(t, long_text);
	tcase_add_test(t, bad_cpu);
	tcase_add_test(t, typed);
	tcase_add_test(t, modules);
	tcase_add_loop_test(t, order, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
