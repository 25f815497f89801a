/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the importer of kmemtrace captures: samples against their expected.txt, options, damage. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/part.h"
#include "../common/run.h"
#include "collect.h"
#include "core/endian.h"

/* ---- printing as in expected.txt ---- */

/* Flags of 2.6.28 to 2.6.30, in the order of naming. */
static const struct {
	uint32_t bits;
	const char *name;
} gfp_names[] = {
	{0x1200d2, "HIGHUSER_MOVABLE"},
	{0x200d2, "HIGHUSER"},
	{0x200d0, "USER"},
	{0x800d0, "TEMPORARY"},
	{0xd0, "KERNEL"},
	{0x50, "NOFS"},
	{0x20, "ATOMIC"},
	{0x10, "NOIO"},
	{0x20, "HIGH"},
	{0x10, "WAIT"},
	{0x40, "IO"},
	{0x80, "FS"},
	{0x100, "COLD"},
	{0x200, "NOWARN"},
	{0x400, "REPEAT"},
	{0x800, "NOFAIL"},
	{0x1000, "NORETRY"},
	{0x4000, "COMP"},
	{0x8000, "ZERO"},
	{0x10000, "NOMEMALLOC"},
	{0x20000, "HARDWALL"},
	{0x40000, "THISNODE"},
	{0x80000, "RECLAIMABLE"},
	{0x100000, "MOVABLE"},
	{0x1, "DMA"},
	{0x2, "HIGHMEM"},
	{0x4, "DMA32"},
};

static void print_gfp(FILE *out, uint32_t flags)
{
	const char *bar = "";

	fprintf(out, " gfp_flags=0x%x(", flags);
	if (!flags)
		fputs("GFP_NOWAIT", out);
	for (size_t i = 0; i < sizeof(gfp_names) / sizeof(gfp_names[0]); i++) {
		if ((flags & gfp_names[i].bits) != gfp_names[i].bits)
			continue;
		fprintf(out, "%sGFP_%s", bar, gfp_names[i].name);
		flags &= ~gfp_names[i].bits;
		bar = "|";
	}
	if (flags)
		fprintf(out, "%s0x%x", bar, flags);
	fputc(')', out);
}

static void print_feature(FILE *out, const struct collect_event *e)
{
	struct tdat_span data = collect_bytes(e, "data");

	fprintf(out, " feature[%" PRIu64 "]=", collect_uint(e, "id"));
	for (size_t i = 0; i < data.len; i++)
		fprintf(out, "%02x", data.ptr[i]);
}

static void print_event(FILE *out, const struct collect_event *e)
{
	fprintf(out, "[%03u] %" PRIu64 " %s:%s: call_site=0x%" PRIx64 " ptr=0x%" PRIx64, e->cpu,
		e->ts, e->format->system, e->format->name, collect_uint(e, "call_site"),
		collect_uint(e, "ptr"));
	if (!collect_has(e, "bytes_req"))
		return;
	fprintf(out, " bytes_req=%" PRIu64 " bytes_alloc=%" PRIu64, collect_uint(e, "bytes_req"),
		collect_uint(e, "bytes_alloc"));
	print_gfp(out, (uint32_t)collect_uint(e, "gfp_flags"));
	if (collect_has(e, "node"))
		fprintf(out, " node=%" PRId64, collect_int(e, "node"));
}

/* The whole of expected.txt from what was collected with keep-features. */
static char *print_all(const struct collect *c)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	static const char *const facts[] = {"endian",  "layout",      "cpus",
					    "records", "missing_seq", "total_overruns"};

	fputc('#', out);
	for (size_t i = 0; i < 6; i++)
		fprintf(out, " %s=%s", facts[i], collect_fact(c, facts[i]));
	fputc('\n', out);
	for (size_t i = 0; i < c->warning_count; i++)
		fprintf(out, "# warning: %s\n", c->warnings[i]);
	for (size_t i = 0; i < c->event_count; i++) {
		print_event(out, &c->events[i]);
		while (i + 1 < c->event_count && !strcmp(c->events[i + 1].format->name, "feature"))
			print_feature(out, &c->events[++i]);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static void run_sample(const char *dir, enum tdat_access access)
{
	static const char *const options[] = {"keep-features", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in;
	struct collect c;
	char path[4096], *expected, *got;
	const struct tdat_importer *im;

	snprintf(path, sizeof(path), "%s/expected.txt", dir);
	expected = collect_read_file(path, NULL);
	collect_open_dir(&in, dir, access);
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "kmemtrace", &in, options, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	got = print_all(&c);
	ck_assert_msg(!strcmp(got, expected), "%s\n--- got\n%s--- expected\n%s", dir, got,
		      expected);
	ck_assert_str_eq(c.uname, "Linux kmemtrace-import");
	ck_assert_msg(!strncmp(c.version, "tdat ", 5), "%s", c.version);
	ck_assert_msg(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	ck_assert_str_eq(im->name, "kmemtrace");
	free(got);
	free(expected);
	collect_fini(&c);
	collect_close(&in);
}

static void on_sample(const char *dir, void *ctx)
{
	(void)ctx;
	run_sample(dir, TDAT_ACCESS_MAP);
	run_sample(dir, TDAT_ACCESS_READ);
}

START_TEST(samples)
{
	collect_each_sample("kmemtrace", on_sample, NULL);
}
END_TEST

/* ---- made captures ---- */

struct maker {
	uint8_t *data;
	size_t len;
	size_t cap;
	bool big;
};

static uint8_t *more(struct maker *m, size_t n)
{
	if (n > m->cap - m->len) {
		m->cap = 2 * m->cap + n;
		m->data = realloc(m->data, m->cap);
		EXPECT(m->data, "no memory");
	}
	memset(m->data + m->len, 0, n);
	m->len += n;
	return m->data + m->len - n;
}

static void put_free(struct maker *m, uint32_t seq, uint8_t type, uint64_t ptr)
{
	uint8_t *p = more(m, 24);

	p[0] = 1;
	p[1] = type;
	tdat_store16(p + 2, 24, m->big);
	tdat_store32(p + 4, seq, m->big);
	tdat_store64(p + 8, 0xffffffff80237f10, m->big);
	tdat_store64(p + 16, ptr, m->big);
}

static void put_alloc(struct maker *m, uint32_t seq, uint8_t type, uint64_t ptr, uint64_t bytes,
		      uint16_t extra)
{
	uint8_t *p = more(m, 48u + extra);

	p[1] = type;
	tdat_store16(p + 2, (uint16_t)(48 + extra), m->big);
	tdat_store32(p + 4, seq, m->big);
	tdat_store64(p + 8, 0xffffffff8029d5c1, m->big);
	tdat_store64(p + 16, ptr, m->big);
	tdat_store64(p + 24, bytes, m->big);
	tdat_store64(p + 32, bytes, m->big);
	tdat_store32(p + 40, 0xd0, m->big);
	tdat_store32(p + 44, 0xffffffff, m->big);
}

/* Decodes what was made; the caller ends both. */
static enum tdat_status decode(struct collect *c, const struct maker *files, size_t count,
			       const char *const *options, struct tdat_error *err)
{
	struct collect_inputs in = {0};
	enum tdat_status st;

	for (size_t i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cpu%zu.out", i);
		collect_add_memory(&in, name, files[i].data, files[i].len);
	}
	st = collect_run(c, "kmemtrace", &in, options, err);
	collect_close(&in);
	return st;
}

#define RUN(c, files, count, ...)                                                                  \
	do {                                                                                       \
		const char *const opts_[] = {__VA_ARGS__};                                         \
		struct tdat_error err_ = TDAT_ERROR_INIT;                                          \
		collect_init(c);                                                                   \
		ck_assert_msg(decode(c, files, count, opts_, &err_) == TDAT_OK, "%s",              \
			      err_.message);                                                       \
	} while (0)

/* -1 -> 0 across the wrap, both orders; file 1 begins before the reference. */
START_TEST(wrap_zero)
{
	for (int big = 0; big < 2; big++) {
		struct maker f[2] = {{.big = big}, {.big = big}};
		struct collect c;

		put_alloc(&f[0], 0xfffffffe, 0, 0x1000, 8, 0);
		put_free(&f[0], 1, 0, 0x1000);
		put_free(&f[1], 0xfffffffd, 0, 0x2000);
		put_free(&f[1], 0xffffffff, 0, 0x3000);
		put_free(&f[1], 0, 0, 0x4000);
		RUN(&c, f, 2, NULL);
		ck_assert_uint_eq(c.event_count, 5);
		for (size_t i = 0; i < 5; i++)
			ck_assert_uint_eq(c.events[i].ts, UINT64_C(0xfffffffd) + i);
		ck_assert_uint_eq(c.events[0].cpu, 1);
		ck_assert_uint_eq(c.events[1].cpu, 0);
		ck_assert_int_eq(c.info.big_endian, big);
		ck_assert_str_eq(c.clock, "counter");
		ck_assert_str_eq(collect_fact(&c, "missing_seq"), "0");
		collect_fini(&c);
		free(f[0].data);
		free(f[1].data);
	}
}
END_TEST

/* The reference is 1, another CPU began at -2: all times move by one wrap. */
START_TEST(before_zero)
{
	struct maker f[2] = {{0}};
	struct collect c;

	put_free(&f[0], 1, 0, 0x1000);
	put_free(&f[1], 0xfffffffe, 0, 0x2000);
	RUN(&c, f, 2, "ts-step=1000", NULL);
	ck_assert_uint_eq(c.events[0].ts, 0xfffffffe * 1000ull);
	ck_assert_uint_eq(c.events[1].ts, 0x100000001 * 1000ull);
	ck_assert_str_eq(collect_fact(&c, "missing_seq"), "2");
	ck_assert_str_eq(c.clock, "local");
	collect_fini(&c);
	free(f[0].data);
	free(f[1].data);
}
END_TEST

/* Numbers of records that are skipped are in the file; each of their ids is told of once. */
START_TEST(skipped)
{
	static const char *const atrace[] = {NULL, "atrace"};
	struct maker f[2] = {{0}};
	struct collect c;

	for (uint32_t seq = 1; seq <= 50001; seq++) {
		struct maker *m = &f[seq % 7 == 3];

		put_free(m, seq, 0, 0x1000);
		if (seq > 1 && seq < 50001)
			m->data[m->len - 24] = (uint8_t)(5 + seq % 2);
	}
	RUN(&c, f, 2, atrace[_i], NULL);
	ck_assert_uint_eq(c.event_count, 2);
	ck_assert_str_eq(collect_fact(&c, "records"), "2");
	ck_assert_str_eq(collect_fact(&c, "missing_seq"), "0");
	ck_assert_uint_eq(c.warning_count, 6);
	ck_assert_str_eq(c.warnings[0], "cpu0.out: unknown event id 5 at 24 skipped (24 bytes)");
	ck_assert_str_eq(c.warnings[2],
			 "cpu0.out: 42854 more records of unknown kinds were skipped");
	collect_fini(&c);
	free(f[0].data);
	free(f[1].data);
}
END_TEST

/* Few records of known kinds, big endian, are too little to tell; the file beside them does. */
START_TEST(tiny)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_importer *im;
	struct collect_inputs in = {0};
	struct maker f = {.big = true};

	put_alloc(&f, 1, 0, 0xffff88003e5c0000, 10, 0);
	put_free(&f, 2, 7, 0);
	put_free(&f, 3, 7, 0);
	put_free(&f, 4, 0, 0xffff88003e5c0000);
	f.data[_i ? 0 : 48] = 5;
	collect_add_memory(&in, "cpu0.out", f.data, f.len);
	collect_add_memory(&in, "abi_version", "3\n", 2);
	ck_assert(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK);
	ck_assert_str_eq(im->name, "kmemtrace");
	collect_close(&in);
	free(f.data);
}
END_TEST

START_TEST(backwards_and_overrun)
{
	struct maker f = {0};
	struct collect c;
	uint8_t *p;

	put_free(&f, 5, 0, 0x1000);
	put_free(&f, 3, 0, 0x2000);
	put_free(&f, 4, 1, 0x3000);
	put_alloc(&f, 7, 0, 0x4000, 8, 6);
	p = f.data + f.len - 6;
	tdat_store16(p, 40, false);
	p[2] = 9;
	put_alloc(&f, 8, 0, 0x4000, 8, 2);
	put_free(&f, 9, 2, 0x3000);
	RUN(&c, &f, 1, "layout=relay", "keep-features", NULL);
	ck_assert_uint_eq(c.warning_count, 3);
	ck_assert_str_eq(c.warnings[0], "cpu0.out: sequence 3 at 24 does not follow 5");
	ck_assert_str_eq(c.warnings[1],
			 "cpu0.out: feature 9 of record at 72 has size 40, 6 left, rest ignored");
	ck_assert_str_eq(c.warnings[2],
			 "cpu0.out: 2 bytes at the end of record at 126 do not hold a feature");
	ck_assert_uint_eq(c.event_count, 6);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(c.events[i].ts, 3 + i);
	ck_assert_str_eq(c.events[5].format->name, "pages_free");
	ck_assert_str_eq(collect_fact(&c, "missing_seq"), "1");
	ck_assert_str_eq(collect_fact(&c, "reordered"), "2");
	collect_fini(&c);
	free(f.data);
}
END_TEST

/* Two files with one CPU each of thousands of records, shuffled within the file. */
START_TEST(out_of_order)
{
	struct maker f[2] = {{0}};
	struct collect c;
	enum { COUNT = 20000 };

	for (uint32_t i = 0; i < COUNT; i++)
		put_free(&f[i & 1], 1000 + (i ^ 6), 0, i ^ 6);
	RUN(&c, f, 2, NULL);
	ck_assert_uint_eq(c.event_count, COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		EXPECT(c.events[i].ts == 1000 + i && c.events[i].cpu == (i & 1), "at %u", i);
		EXPECT(collect_uint(&c.events[i], "ptr") == i, "at %u", i);
	}
	/* A thousand of a kind and file are told, the rest only counted. */
	ck_assert_uint_eq(c.warning_count, 2 * 1001);
	ck_assert_msg(strstr(c.warnings[1000], "more records are out of order"), "%s",
		      c.warnings[1000]);
	collect_fini(&c);
	free(f[0].data);
	free(f[1].data);
}
END_TEST

START_TEST(subbuf_padding)
{
	struct maker f = {0};
	struct collect c;

	put_alloc(&f, 1, 0, 0x1000, 8, 0);
	put_free(&f, 2, 0, 0x1000);
	more(&f, 100 - 72); /* at least a header of zeros */
	put_alloc(&f, 3, 0, 0x1000, 8, 0);
	put_alloc(&f, 4, 0, 0x1000, 8, 0);
	more(&f, 4); /* less than a header */
	put_free(&f, 5, 0, 0x1000);
	more(&f, 76); /* to the end of the file */
	RUN(&c, &f, 1, "subbuf-size=100", NULL);
	ck_assert_uint_eq(c.event_count, 5);
	ck_assert_uint_eq(c.warning_count, 0);
	collect_fini(&c);
	/* A stale fragment goes on past the sub-buffer: only that one is left. */
	f.data[100 + 48 + 2] = 60;
	RUN(&c, &f, 1, "subbuf-size=100", NULL);
	ck_assert_uint_eq(c.event_count, 4);
	ck_assert_str_eq(c.warnings[0], "cpu0.out: record at 148 claims 60 bytes, 52 left in its "
					"sub-buffer, which is skipped");
	collect_fini(&c);
	RUN(&c, &f, 1, NULL);
	ck_assert_uint_eq(c.event_count, 2);
	ck_assert_str_eq(c.warnings[0], "cpu0.out: record at 72 has event size 0 (< 24), stopping");
	collect_fini(&c);
	free(f.data);
}
END_TEST

START_TEST(unknown_and_counters)
{
	struct maker f = {0};
	struct collect c;
	char text[64];
	static const char *const marks[] = {"C|0|kmalloc bytes|100", "C|0|kmem_cache bytes|50",
					    "C|0|kmalloc bytes|107", "C|0|kmalloc bytes|7"};
	size_t mark = 0;

	put_alloc(&f, 1, 0, 0x1000, 100, 0);
	put_alloc(&f, 2, 1, 0x2000, 50, 0);
	put_alloc(&f, 3, 0, 0x3000, 7, 0);
	put_free(&f, 4, 0, 0x1000);
	put_free(&f, 5, 0, 0x1000); /* not live any more */
	put_free(&f, 6, 0, 0);
	put_free(&f, 7, 0, 0x1000);
	f.data[f.len - 24] = 9;
	RUN(&c, &f, 1, "atrace", "keep-unknown", NULL);
	for (size_t i = 0; i < c.event_count; i++)
		if (!strcmp(c.events[i].format->name, "tracing_mark_write"))
			ck_assert_str_eq(collect_string(&c.events[i], "buf", text, sizeof(text)),
					 marks[mark++]);
	ck_assert_uint_eq(mark, 4);
	ck_assert_uint_eq(c.event_count, 11);
	ck_assert_str_eq(c.events[10].format->name, "unknown");
	ck_assert_uint_eq(collect_uint(&c.events[10], "event_id"), 9);
	ck_assert_mem_eq(collect_bytes(&c.events[10], "record").ptr, f.data + f.len - 24, 24);
	ck_assert_str_eq(c.warnings[0], "cpu0.out: unknown event id 9 at 216 kept (24 bytes)");
	collect_fini(&c);
	free(f.data);
}
END_TEST

/* Counters equal a simple count over many allocations and frees. */
START_TEST(counters_follow)
{
	enum { SLOTS = 3000, STEPS = 30000 };
	static uint64_t live[SLOTS];
	struct maker f = {0};
	struct collect c;
	uint64_t x = 88172645463325252ull, sum = 0, *sums = calloc(STEPS, sizeof(*sums));
	size_t mark = 0;
	char text[64], want[64];

	for (uint32_t i = 0; i < STEPS; i++) {
		size_t slot;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		slot = x % SLOTS;
		if (live[slot]) {
			put_free(&f, i + 1, 0, 0x1000 + slot * 64);
			sum -= live[slot];
			live[slot] = 0;
		} else {
			live[slot] = 1 + (x >> 40) % 5000;
			put_alloc(&f, i + 1, 0, 0x1000 + slot * 64, live[slot], 0);
			sum += live[slot];
		}
		sums[i] = sum;
	}
	RUN(&c, &f, 1, "atrace", NULL);
	ck_assert_uint_eq(c.event_count, 2 * STEPS);
	for (size_t i = 1; i < c.event_count; i += 2, mark++) {
		snprintf(want, sizeof(want), "C|0|kmalloc bytes|%" PRIu64, sums[mark]);
		collect_string(&c.events[i], "buf", text, sizeof(text));
		EXPECT(!strcmp(text, want), "step %zu: %s, not %s", mark, text, want);
	}
	collect_fini(&c);
	free(f.data);
	free(sums);
}
END_TEST

/* ---- the other layouts ---- */

/* One record of a layout with times, from fields. */
struct shape {
	const char *name;
	bool wide;    /* 16-bit ids, no size */
	bool ftrace;  /* cpu and time in front */
	uint8_t word; /* bytes of addresses and sizes */
	uint8_t free_len, alloc_len, alloc_id;
};

static const struct shape shapes[] = {
	{"rfc1", true, false, 8, 56, 56, 1},
	{"rfc2", false, false, 8, 56, 56, 1},
	{"ftrace64", false, true, 8, 32, 56, 0},
	{"ftrace32", false, true, 4, 24, 40, 0},
};

static uint8_t *put(uint8_t *p, uint64_t v, uint8_t len, bool big)
{
	if (len == 8)
		tdat_store64(p, v, big);
	else if (len == 4)
		tdat_store32(p, (uint32_t)v, big);
	else if (len == 2)
		tdat_store16(p, (uint16_t)v, big);
	else
		*p = (uint8_t)v;
	return p + len;
}

static void put_timed(struct maker *m, const struct shape *s, bool is_free, uint32_t cpu,
		      uint64_t time, uint32_t node)
{
	uint8_t len = is_free ? s->free_len : s->alloc_len, ids = s->wide ? 2 : 1;
	uint8_t *p = more(m, len);

	p = put(p, (uint8_t)(s->alloc_id + is_free), ids, m->big);
	p = put(p, 1, ids, m->big);
	if (!s->wide)
		p = put(p, len, 2, m->big);
	p = put(p, s->ftrace ? cpu : node, 4, m->big);
	if (s->ftrace)
		p = put(p, time, 8, m->big);
	p = put(p, 0x8029d5c1, s->word, m->big);
	p = put(p, 0x3e5c1000, s->word, m->big);
	if (is_free && s->ftrace)
		return;
	p = put(p, is_free ? 0xdead : 100, s->word, m->big); /* a free has garbage there */
	p = put(p, 128, s->word, m->big);
	p = put(p, 0x8020, s->ftrace ? 4 : 8, m->big);
	put(p, s->ftrace ? node : time, s->ftrace ? 4 : 8, m->big);
}

START_TEST(timed_layouts)
{
	const struct shape *s = &shapes[_i / 2];
	struct maker f = {.big = _i & 1};
	struct collect c;

	put_timed(&f, s, false, 0, 1000, 0xffffffff);
	put_timed(&f, s, false, 2, 2000, 1);
	put_timed(&f, s, true, 2, 1500, 77);
	put_timed(&f, s, true, 0, 3000, 77);
	RUN(&c, &f, 1, "ts-step=7", NULL); /* which these do not need */
	ck_assert_str_eq(collect_fact(&c, "layout"), s->name);
	ck_assert_str_eq(collect_fact(&c, "endian"), f.big ? "big" : "little");
	ck_assert_str_eq(c.clock, "local");
	ck_assert_uint_eq(c.event_count, 4);
	ck_assert_uint_eq(c.warning_count, 0);
	ck_assert_str_eq(c.events[0].format->name, "kmem_cache_alloc");
	ck_assert_str_eq(c.events[1].format->name, "kmem_cache_free");
	ck_assert_str_eq(c.events[2].format->name, "kmem_cache_alloc_node");
	ck_assert_uint_eq(c.events[1].ts, 1500);
	ck_assert_uint_eq(c.events[1].cpu, s->ftrace ? 2 : 0);
	ck_assert_uint_eq(c.info.cpu_count, s->ftrace ? 3 : 1);
	ck_assert_uint_eq(collect_uint(&c.events[2], "bytes_alloc"), 128);
	ck_assert_uint_eq(collect_uint(&c.events[2], "gfp_flags"), 0x8020);
	ck_assert_int_eq(collect_int(&c.events[2], "node"), 1);
	ck_assert_uint_eq(collect_uint(&c.events[3], "call_site"), 0x8029d5c1);
	collect_fini(&c);
	/* Times no clock reaches, a CPU no machine had, a cut record. */
	put_timed(&f, s, true, 0, 1ull << 63, 0);
	put_timed(&f, s, true, 0xffff, 4000, 0);
	more(&f, 5);
	RUN(&c, &f, 1, NULL);
	ck_assert_uint_eq(c.event_count, s->ftrace ? 5 : 6);
	ck_assert_uint_eq(c.warning_count, s->ftrace ? 3 : 2);
	ck_assert_uint_eq(c.events[0].ts, 0);
	ck_assert_msg(strstr(c.warnings[0], "has the impossible time 0x8000000000000000, taken"),
		      "%s", c.warnings[0]);
	ck_assert_msg(strstr(c.warnings[c.warning_count - 1], "5 trailing bytes at "), "%s",
		      c.warnings[c.warning_count - 1]);
	collect_fini(&c);
	free(f.data);
}
END_TEST

/* ---- inputs, options ---- */

static enum tdat_status run_named(struct collect *c, const char *const *names,
				  const struct maker *f, size_t count, const char *const *options,
				  struct tdat_error *err)
{
	struct collect_inputs in = {0};
	enum tdat_status st;

	collect_init(c);
	for (size_t i = 0; i < count; i++)
		collect_add_memory(&in, names[i], f[i].data, f[i].len);
	st = collect_run(c, "kmemtrace", &in, options, err);
	collect_close(&in);
	return st;
}

START_TEST(cpu_of_files)
{
	static const char *const names[] = {"cpu7.out", "second", "notes.txt", "cpu3.out"};
	static const char *const by_user[] = {"cpu=4=second", "cpu=1=cpu7.out", NULL};
	static const char *const wrong[] = {"cpu=4=nobody", NULL};
	static const char *const wrong2[] = {"cpu=second", NULL};
	struct maker f[4] = {{0}};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c;

	put_free(&f[0], 1, 0, 0x1000);
	put_free(&f[1], 2, 0, 0x1000);
	memcpy(more(&f[2], 10), "some notes", 10);
	put_free(&f[3], 3, 0, 0x1000);
	ck_assert_int_eq(run_named(&c, names, f, 4, NULL, &err), TDAT_OK);
	ck_assert_uint_eq(c.event_count, 3);
	ck_assert_uint_eq(c.events[0].cpu, 7);
	ck_assert_uint_eq(c.events[1].cpu, 1);
	ck_assert_uint_eq(c.events[2].cpu, 3);
	ck_assert_uint_eq(c.warning_count, 5); /* 0, 2, 4, 5, 6 */
	ck_assert_str_eq(c.warnings[1], "cpu2.out is absent");
	ck_assert_uint_eq(c.info.cpu_count, 8);
	collect_fini(&c);
	ck_assert_int_eq(run_named(&c, names, f, 4, by_user, &err), TDAT_OK);
	ck_assert_uint_eq(c.events[0].cpu, 1);
	ck_assert_uint_eq(c.events[1].cpu, 4);
	collect_fini(&c);
	ck_assert_int_eq(run_named(&c, names, f, 4, wrong, &err), TDAT_E_USAGE);
	collect_fini(&c);
	ck_assert_int_eq(run_named(&c, names, f, 4, wrong2, &err), TDAT_E_USAGE);
	collect_fini(&c);
	ck_assert_int_eq(run_named(&c, names + 2, f + 2, 1, NULL, &err), TDAT_E_FORMAT);
	collect_fini(&c);
	for (int i = 0; i < 4; i++)
		free(f[i].data);
}
END_TEST

START_TEST(bad_options)
{
	static const char *const rows[][2] = {
		{"layout=relai", "must be one of"}, {"subbuf-size=3", "must be 56 to"},
		{"ts-step=0", "must be 1 to"},	    {"endian=middle", "must be one of"},
		{"subuf-size=9", "subbuf-size"},    {"atrace=1", "does not accept a value"},
	};
	struct maker f = {0};

	put_free(&f, 1, 0, 0x1000);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const options[] = {rows[i][0], NULL};
		struct tdat_error err = TDAT_ERROR_INIT;
		struct collect c;

		collect_init(&c);
		ck_assert_int_eq(decode(&c, &f, 1, options, &err), TDAT_E_USAGE);
		ck_assert_msg(strstr(err.message, rows[i][1]), "%s", err.message);
		ck_assert_uint_eq(c.event_count, 0);
		collect_fini(&c);
	}
	free(f.data);
}
END_TEST

START_TEST(sidecars)
{
	static const char *const names[] = {"cpu0.out", "total_overruns", "kallsyms", "meta"};
	struct maker f[4] = {{0}};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c;

	put_free(&f[0], 1, 0, 0x1000);
	memcpy(more(&f[1], 4), "12x\n", 4);
	memcpy(more(&f[2], 13), "ffff T start\n", 13);
	memcpy(more(&f[3], 27), "hello=1\nsubbuf_size=zero\nx=", 27);
	ck_assert_int_eq(run_named(&c, names, f, 4, NULL, &err), TDAT_OK);
	ck_assert_uint_eq(c.warning_count, 2);
	ck_assert_str_eq(c.warnings[0], "total_overruns: it does not contain a number");
	ck_assert_str_eq(c.warnings[1], "meta: subbuf_size is \"zero\", not a number from 56 to "
					"1073741824, and is ignored");
	ck_assert_str_eq(c.kallsyms, "ffff T start\n");
	collect_fini(&c);
	memcpy(f[1].data, "123\n", 4);
	f[1].len = 4;
	ck_assert_int_eq(run_named(&c, names, f, 3, NULL, &err), TDAT_OK);
	ck_assert_str_eq(collect_fact(&c, "total_overruns"), "123");
	ck_assert_uint_eq(c.option_count, 1);
	ck_assert_uint_eq(c.options[0].id, 2);
	ck_assert_str_eq((char *)c.options[0].data,
			 "CPU: 0\nread events: 1\nkmemtrace total_overruns: 123\n"
			 "kmemtrace missing_seq: 0\n");
	collect_fini(&c);
	for (int i = 0; i < 4; i++)
		free(f[i].data);
}
END_TEST

START_TEST(strict)
{
	struct maker f = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c;

	put_free(&f, 2, 0, 0x1000);
	put_free(&f, 1, 0, 0x1000);
	collect_init(&c);
	c.strict = true;
	ck_assert_int_eq(decode(&c, &f, 1, NULL, &err), TDAT_E_DAMAGED);
	collect_fini(&c);
	free(f.data);
}
END_TEST

START_TEST(garbage)
{
	struct maker f = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c;

	memset(more(&f, 4096), 0xee, 4096);
	collect_init(&c);
	ck_assert_int_eq(decode(&c, &f, 1, NULL, &err), TDAT_E_FORMAT);
	ck_assert_str_eq(err.message, "cpu0.out contains no record");
	collect_fini(&c);
	free(f.data);
}
END_TEST

/* ---- damage ---- */

/* Records wholly before len. */
static size_t whole_records(const uint8_t *p, size_t len)
{
	size_t n = 0;

	for (size_t off = 0; off + 24 <= len; n++) {
		size_t size = tdat_load16(p + off + 2, false);

		if (size > len - off)
			break;
		off += size;
	}
	return n;
}

static void make_mixed(struct maker *f)
{
	for (uint32_t i = 0; i < 12; i++) {
		if (i % 3 == 2)
			put_free(f, i + 1, (uint8_t)(i % 2), 0x1000 + i);
		else
			put_alloc(f, i + 1, (uint8_t)(i % 3), 0x1000 + i, 10 + i, i == 4 ? 3 : 0);
		if (i == 4)
			f->data[f->len - 3] = 3;
	}
}

START_TEST(truncations)
{
	struct maker f = {0};

	make_mixed(&f);
	for (size_t len = 24; len <= f.len; len++) {
		struct maker cut = {.data = malloc(len), .len = len};
		struct tdat_error err = TDAT_ERROR_INIT;
		struct collect c;
		size_t whole = whole_records(f.data, len);

		memcpy(cut.data, f.data, len);
		collect_init(&c);
		EXPECT(decode(&c, &cut, 1, NULL, &err) == (whole ? TDAT_OK : TDAT_E_FORMAT),
		       "cut at %zu: %s", len, err.message);
		EXPECT(c.event_count == whole, "cut at %zu: %zu of %zu", len, c.event_count, whole);
		collect_fini(&c);
		free(cut.data);
	}
	free(f.data);
}
END_TEST

/* Damage at byte i may cost what follows, never what came before it. */
START_TEST(mutations)
{
	static const char *const options[] = {"layout=relay", "endian=little", "keep-features",
					      "atrace",	      "keep-unknown",  NULL};
	const unsigned int rounds = part_of(4000);
	struct maker f = {0};
	uint64_t x = 88172645463325252ull;
	char *data = NULL;

	make_mixed(&f);
	for (unsigned int round = 0; round < rounds; round++) {
		struct maker hurt = {.data = malloc(f.len), .len = f.len};
		struct tdat_error err = TDAT_ERROR_INIT;
		struct collect c;
		size_t at, good, seen = 0;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		at = x % f.len;
		memcpy(hurt.data, f.data, f.len);
		for (size_t i = 0; i < 1 + (x >> 60) && at + i < f.len; i++)
			hurt.data[at + i] = (uint8_t)(x >> (8 + 3 * i));
		good = whole_records(f.data, at);
		collect_init(&c);
		if (decode(&c, &hurt, 1, round & 1 ? options : NULL, &err) != TDAT_OK)
			EXPECT(!good, "round %d: %s", round, err.message);
		for (size_t i = 0; i < c.event_count; i++)
			if (collect_has(&c.events[i], "ptr"))
				seen += collect_uint(&c.events[i], "ptr") < 0x1000 + good;
		EXPECT(seen >= good, "round %d: %zu of %zu before byte %zu", round, seen, good, at);
		collect_fini(&c);
		free(hurt.data);
	}
	free(data);
	free(f.data);
}
END_TEST

/* Every cut and many changes of every stored sample: no crash, time in order. */
static void hurt_sample(const char *dir, void *ctx)
{
	struct collect_inputs in;
	uint64_t *x = ctx;

	collect_open_dir(&in, dir, TDAT_ACCESS_MAP);
	for (size_t i = 0; i < in.count; i++) {
		size_t len = (size_t)tdat_source_len(in.inputs[i].source);
		const struct tdat_source *whole = in.inputs[i].source;

		for (size_t round = 0; round < len; round++) {
			struct tdat_error err = TDAT_ERROR_INIT;
			struct tdat_source *source;
			struct collect c;
			uint8_t *copy;
			size_t keep = round & 1 ? len : round;

			if (!part_takes(round / 2)) /* some of both kinds */
				continue;
			copy = malloc(len);
			EXPECT(copy && !tdat_source_read(whole, 0, copy, len, &err), "read");
			*x = *x * 6364136223846793005ull + 1442695040888963407ull;
			if (round & 1)
				copy[(*x >> 33) % len] ^= (uint8_t)(1u << (*x >> 60 & 7));
			tdat_source_open_memory(&source, copy, keep, in.inputs[i].path, &err);
			in.inputs[i].source = source;
			collect_init(&c);
			collect_run(&c, "kmemtrace", &in, NULL, &err);
			collect_fini(&c);
			tdat_source_close(source);
			free(copy);
		}
		in.inputs[i].source = whole;
	}
	collect_close(&in);
}

START_TEST(hurt_samples)
{
	uint64_t x = 1;

	collect_each_fixture("kmemtrace", hurt_sample, &x);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kmemtrace");
	TCase *tc = tcase_create("kmemtrace");

	tcase_add_test(tc, samples);
	tcase_add_test(tc, wrap_zero);
	tcase_add_test(tc, before_zero);
	tcase_add_test(tc, backwards_and_overrun);
	tcase_add_test(tc, out_of_order);
	tcase_add_test(tc, subbuf_padding);
	tcase_add_loop_test(tc, skipped, 0, 2);
	tcase_add_loop_test(tc, tiny, 0, 2);
	tcase_add_test(tc, unknown_and_counters);
	tcase_add_test(tc, counters_follow);
	tcase_add_loop_test(tc, timed_layouts, 0, 2 * sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_test(tc, cpu_of_files);
	tcase_add_test(tc, bad_options);
	tcase_add_test(tc, sidecars);
	tcase_add_test(tc, strict);
	tcase_add_test(tc, garbage);
	tcase_add_test(tc, truncations);
	tcase_add_test(tc, mutations);
	tcase_add_test(tc, hurt_samples);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
