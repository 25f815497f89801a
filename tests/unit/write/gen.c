/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes random but repeatable captures, and writes them with tdat_writer. */
#include "unit/write/gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/asserts.h"
#include "core/endian.h"

const char *const gen_buffer_names[GEN_BUFFERS] = {"", "first", "second one"};

static const char format_text[] =
	"name: prop\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:unsigned int n;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:char rest[];\toffset:12;\tsize:0;\tsigned:0;\n"
	"\n"
	"print fmt: \"n=%u\", REC->n\n";

uint64_t gen_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Mostly small; now and then around the limit of type_len, or up to a whole page. */
static uint32_t random_len(uint64_t *rng, uint32_t page_data)
{
	switch (gen_random(rng) % 40) {
	case 0:
		return 12 + (uint32_t)(gen_random(rng) % (page_data - 8 - 12 + 1));
	case 1:
		return page_data - 8;
	case 2:
	case 3:
	case 4:
		return 104 + (uint32_t)(gen_random(rng) % 20);
	default:
		return 12 + (uint32_t)(gen_random(rng) % 60);
	}
}

/* Gaps around every limit of the format: 2^27 and 2^59. */
static uint64_t random_gap(uint64_t *rng, uint64_t now)
{
	switch (gen_random(rng) % 60) {
	case 0:
		return 0;
	case 1:
		return (1ull << 27) - 2 + gen_random(rng) % 4;
	case 2:
		return gen_random(rng) % (1ull << 40);
	case 3: /* rarely, so that 64 bits last */
		if (gen_random(rng) % 24 || now > 1ull << 62)
			return 7;
		return (1ull << 59) - 2 + gen_random(rng) % 4;
	default:
		return gen_random(rng) % 100000;
	}
}

static int64_t random_lost(uint64_t *rng)
{
	switch (gen_random(rng) % 200) {
	case 0:
		return -1;
	case 1:
		return 1 + (int64_t)(gen_random(rng) % 1000000);
	default:
		return 0;
	}
}

static void event_init(struct gen_event *e, const struct gen_case *c, uint64_t *rng, uint64_t *now,
		       uint16_t id, uint32_t n)
{
	static const uint32_t cpus[] = {0, 2, 3, 5};
	uint32_t data = c->page_size - 8 - c->long_size;

	e->buffer = (uint32_t)(gen_random(rng) % GEN_BUFFERS);
	e->cpu = cpus[gen_random(rng) % (sizeof(cpus) / sizeof(cpus[0]))];
	*now += random_gap(rng, *now);
	e->ts = *now;
	e->lost = random_lost(rng);
	e->len = random_len(rng, data);
	e->record = malloc(e->len);
	ck_assert_ptr_nonnull(e->record);
	for (uint32_t i = 0; i < e->len; i++)
		e->record[i] = (uint8_t)(gen_random(rng) & 0x7f);
	tdat_store16(e->record, id, c->big);
	tdat_store32(e->record + 4, 42, c->big);
	tdat_store32(e->record + 8, n, c->big);
}

void gen_init(struct gen *g, const struct gen_case *c, uint16_t id)
{
	uint64_t rng = c->seed, now = 1000000000;

	g->count = c->count;
	g->events = calloc(c->count, sizeof(*g->events));
	ck_assert_ptr_nonnull(g->events);
	for (size_t i = 0; i < c->count; i++)
		event_init(&g->events[i], c, &rng, &now, id, (uint32_t)i);
}

void gen_fini(struct gen *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->events[i].record);
	free(g->events);
}

static enum tdat_status write_all(const struct gen *g, const struct gen_case *c,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	enum tdat_status st;
	uint32_t number;
	uint16_t id = 0;

	info.big_endian = c->big;
	info.long_size = c->long_size;
	info.page_size = c->page_size;
	info.cpu_count = GEN_CPUS;
	info.clock = "mono";
	info.uname = "Linux host 6.1 test";
	info.version = "test";
	st = tdat_emit_info(emit, &info, err);
	for (uint32_t i = 1; st == TDAT_OK && i < GEN_BUFFERS; i++) {
		st = tdat_emit_buffer(emit, gen_buffer_names[i], NULL, &number, err);
		ck_assert(st != TDAT_OK || number == i);
	}
	if (st == TDAT_OK)
		st = tdat_emit_format(emit, "test", format_text, strlen(format_text), &id, err);
	if (st == TDAT_OK)
		st = tdat_emit_comm(emit, 42, "some task", err);
	ck_assert(st != TDAT_OK || id == GEN_ID);
	for (size_t i = 0; st == TDAT_OK && i < g->count; i++) {
		const struct gen_event *e = &g->events[i];
		struct tdat_emit_event event = {
			e->buffer, e->cpu, e->ts, e->lost, {e->record, e->len}};

		st = tdat_emit_event(emit, &event, err);
	}
	return st;
}

void gen_write(const struct gen *g, const struct gen_case *c, const char *path)
{
	gen_write_as(g, c, path, true);
}

void gen_write_as(const struct gen *g, const struct gen_case *c, const char *path, bool force)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.version = c->version;
	opts.compression = c->compression;
	opts.threads = c->threads;
	opts.force = force;
	st = tdat_writer_new(&w, path, &opts, &err);
	ck_assert_msg(st == TDAT_OK, "%s", err.message);
	st = write_all(g, c, tdat_writer_emit(w), &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, &err);
	ck_assert_msg(st == TDAT_OK, "%s", err.message);
	ck_assert_uint_eq(tdat_writer_events(w), g->count);
	tdat_writer_free(w);
}

uint32_t gen_read_len(uint32_t len)
{
	return (len + 3) & ~3u;
}

const char *gen_name(const struct gen_case *c, char *buf, size_t len)
{
	snprintf(buf, len, "v%u %s %s-endian long %u page %u seed %llu", c->version, c->compression,
		 c->big ? "big" : "little", c->long_size, c->page_size,
		 (unsigned long long)c->seed);
	return buf;
}
