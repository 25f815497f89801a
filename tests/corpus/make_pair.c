/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host's trace.dat and one of its guest, with the options that tie them together.
 * usage: make_pair CASE HOST.dat GUEST.dat; without arguments lists the cases
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "core/build.h"

enum { CPUS = 3, EVENTS = 400, HOST_ID = 0x1111, GUEST_ID = 0x2222 };

struct shift {
	int64_t time, offset, scaling, fraction;
};

struct pair {
	const char *name;
	uint32_t version;
	bool big;
	const char *clock;
	uint64_t tick;	     /* of the clock, between two events */
	uint32_t flags;	     /* of TIME_SHIFT */
	uint32_t cpus;	     /* it tells of */
	bool old;	     /* without fractions */
	bool shared;	     /* both files have each other's id */
	bool instance;	     /* the guest has a buffer instance */
	uint32_t mult, down; /* TSC2NSEC */
	const char *date, *offset;
	uint32_t count; /* samples per CPU */
	struct shift shifts[4];
};

#define PLAIN .version = 7, .clock = "mono", .tick = 1000003, .cpus = CPUS, .shared = true
#define ONE .count = 1, .shifts = {{0, 123456789, 1, 0}}

static const struct pair pairs[] = {
	{.name = "one", PLAIN, ONE},
	{.name = "old", PLAIN, .old = true, ONE},
	{.name = "negative", PLAIN, .count = 1, .shifts = {{0, -500000000, 1, 0}}},
	{.name = "interpolated",
	 PLAIN,
	 .flags = 1,
	 .count = 4,
	 .shifts = {{1000000000, 100, 1, 0},
		    {1100000000, 5000100, 1, 0},
		    {1200000000, -77, 1, 0},
		    {1300000000, 33333333, 1, 0}}},
	{.name = "steps",
	 PLAIN,
	 .count = 4,
	 .shifts = {{1000000000, 100, 1, 0},
		    {1100000000, 5000100, 1, 0},
		    {1200000000, -77, 1, 0},
		    {1300000000, 33333333, 1, 0}}},
	{.name = "ties",
	 PLAIN,
	 .flags = 1,
	 .count = 4, /* at times of events */
	 .shifts = {{990000007, 100, 2, 0},
		    {990000007 + 1000003 * 111, 5000100, 3, 0},
		    {990000007 + 1000003 * 112, -77, 4, 1},
		    {990000007 + 1000003 * 213, 33333333, 5, 2}}},
	{.name = "fractions",
	 PLAIN,
	 .flags = 1,
	 .count = 2,
	 .shifts = {{1000000000, 100, 3ll << 30, 31}, {1200000000, 9000, 5ll << 29, 31}}},
	{.name = "scaled",
	 PLAIN,
	 .count = 2,
	 .shifts = {{1000000000, 100, 2, 0}, {1200000000, 9000, 3, 0}}},
	{.name = "unsorted",
	 PLAIN,
	 .flags = 1,
	 .count = 4,
	 .shifts = {{1300000000, 100, 1, 0},
		    {1100000000, 5000100, 1, 0},
		    {1100000000, 7, 1, 0},
		    {1000000000, 33333333, 1, 0}}},
	{.name = "fewer-cpus",
	 .version = 7,
	 .clock = "mono",
	 .tick = 1000003,
	 .cpus = 1,
	 .shared = true,
	 ONE},
	{.name = "strangers", .version = 7, .clock = "mono", .tick = 1000003, .cpus = CPUS, ONE},
	{.name = "version-6",
	 .version = 6,
	 .clock = "mono",
	 .tick = 1000003,
	 .cpus = CPUS,
	 .shared = true,
	 .flags = 1,
	 .count = 2,
	 .shifts = {{1000000000, 100, 1, 0}, {1300000000, 900000000, 1, 0}}},
	{.name = "big-endian",
	 .version = 7,
	 .big = true,
	 .clock = "mono",
	 .tick = 1000003,
	 .cpus = CPUS,
	 .shared = true,
	 .flags = 1,
	 .count = 2,
	 .shifts = {{1000000000, 100, 3ll << 30, 31}, {1300000000, 900000000, 1, 0}}},
	{.name = "instance", PLAIN, .instance = true, ONE},
	{.name = "tsc",
	 .version = 7,
	 .clock = "x86-tsc",
	 .tick = 2600077,
	 .cpus = CPUS,
	 .shared = true,
	 .mult = 1636363,
	 .down = 22,
	 .count = 1,
	 .shifts = {{0, 9999999999, 1, 0}}},
	{.name = "tsc-raw",
	 .version = 7,
	 .clock = "x86-tsc",
	 .tick = 2600077,
	 .cpus = CPUS,
	 .shared = true,
	 ONE},
	{.name = "date", PLAIN, .date = "0x5f5e100", .offset = "-250000", ONE},
};
enum { PAIRS = sizeof(pairs) / sizeof(pairs[0]) };

static const char format[] =
	"name: tick\nID: 1000\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"n=%llu\", REC->n\n";

static void must(enum tdat_status st, const struct tdat_error *err)
{
	if (st == TDAT_OK)
		return;
	fprintf(stderr, "make_pair: %s\n", err->message);
	exit(1);
}

static void put(const struct tdat_emit *emit, uint16_t id, struct tdat_build *b)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	must(b->failed ? TDAT_E_NOMEM : tdat_emit_option(emit, id, b->ptr, b->len, &err), &err);
	tdat_build_fini(b);
}

/* Each CPU's offsets are its own. */
static void put_time_shift(const struct tdat_emit *emit, const struct pair *p)
{
	struct tdat_build b;
	uint32_t cpu, i;

	tdat_build_init(&b, p->big);
	tdat_build_u64(&b, p->shared ? HOST_ID : 0x9999);
	tdat_build_u32(&b, p->flags);
	tdat_build_u32(&b, p->cpus);
	for (cpu = 0; cpu < p->cpus; cpu++) {
		tdat_build_u32(&b, p->count);
		for (i = 0; i < p->count; i++)
			tdat_build_u64(&b, (uint64_t)p->shifts[i].time);
		for (i = 0; i < p->count; i++)
			tdat_build_u64(&b, (uint64_t)(p->shifts[i].offset + 1000 * (int64_t)cpu));
		for (i = 0; i < p->count; i++)
			tdat_build_u64(&b, (uint64_t)p->shifts[i].scaling);
	}
	for (cpu = 0; !p->old && cpu < p->cpus; cpu++)
		for (i = 0; i < p->count; i++)
			tdat_build_u64(&b, (uint64_t)p->shifts[i].fraction);
	put(emit, TDAT_OPTION_TIME_SHIFT, &b);
}

static void put_guest(const struct tdat_emit *emit, const struct pair *p)
{
	struct tdat_build b;
	uint32_t cpu;

	tdat_build_init(&b, p->big);
	tdat_build_cstr(&b, "the guest");
	tdat_build_u64(&b, GUEST_ID);
	tdat_build_u32(&b, CPUS);
	for (cpu = 0; cpu < CPUS; cpu++) {
		tdat_build_u32(&b, cpu);
		tdat_build_u32(&b, 100 + cpu);
	}
	put(emit, TDAT_OPTION_GUEST, &b);
}

static void put_text(const struct tdat_emit *emit, uint16_t id, const char *text)
{
	struct tdat_build b;

	if (!text)
		return;
	tdat_build_init(&b, false);
	tdat_build_cstr(&b, text);
	put(emit, id, &b);
}

static void put_options(const struct tdat_emit *emit, const struct pair *p, bool guest)
{
	struct tdat_build b;

	tdat_build_init(&b, p->big);
	tdat_build_u64(&b, guest ? GUEST_ID : HOST_ID);
	put(emit, TDAT_OPTION_TRACEID, &b);
	if (guest)
		put_time_shift(emit, p);
	else if (p->shared)
		put_guest(emit, p);
	if (p->mult) {
		tdat_build_init(&b, p->big);
		tdat_build_u32(&b, p->mult);
		tdat_build_u32(&b, p->down);
		tdat_build_u64(&b, 424242);
		put(emit, TDAT_OPTION_TSC2NSEC, &b);
	}
	put_text(emit, TDAT_OPTION_DATE, p->date);
	put_text(emit, TDAT_OPTION_OFFSET, p->offset);
}

static void put_events(const struct tdat_emit *emit, const struct pair *p, bool guest)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	uint32_t buffers = 1, i;

	if (guest && p->instance)
		must(tdat_emit_buffer(emit, "inst", p->clock, &buffers, &err), &err);
	if (guest && p->instance)
		buffers = 2;
	for (i = 0; i < EVENTS; i++) {
		uint8_t rec[16] = {0};
		struct tdat_emit_event ev = {.buffer = i / CPUS % buffers,
					     .cpu = i % CPUS,
					     .ts = 990000000 + p->tick * i + (guest ? 7 : 0),
					     .record = {rec, 16}};

		tdat_store16(rec, 1000, p->big);
		tdat_store32(rec + 4, guest ? 7 : 100 + i % CPUS, p->big);
		tdat_store64(rec + 8, i, p->big);
		must(tdat_emit_event(emit, &ev, &err), &err);
	}
}

static void write_one(const struct pair *p, const char *path, bool guest)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint16_t id;

	opts.version = p->version;
	opts.compression = "none";
	opts.force = true;
	info.big_endian = p->big;
	info.cpu_count = CPUS;
	info.clock = p->clock;
	must(tdat_writer_new(&w, path, &opts, &err), &err);
	emit = tdat_writer_emit(w);
	must(tdat_emit_info(emit, &info, &err), &err);
	must(tdat_emit_format(emit, "test", format, sizeof(format) - 1, &id, &err), &err);
	must(tdat_emit_comm(emit, 7, guest ? "in the guest" : "on the host", &err), &err);
	put_options(emit, p, guest);
	put_events(emit, p, guest);
	must(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < PAIRS; i++) {
		if (argc < 4) {
			puts(pairs[i].name);
		} else if (!strcmp(argv[1], pairs[i].name)) {
			write_one(&pairs[i], argv[2], false);
			write_one(&pairs[i], argv[3], true);
			return 0;
		}
	}
	return argc < 4 ? 0 : 2;
}
