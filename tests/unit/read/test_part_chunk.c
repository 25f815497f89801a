/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A compressed file cut inside a chunk gives the events of all pages that the codec
 * itself can still inflate: with zlib nearly all that is there, with zstd whole
 * blocks of 128 KiB. How much that is the test asks the codec in its own way.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "../common/run.h"
#include "../common/scratch.h"
#include "core/endian.h"
#include "unit/common/seen.h"

enum { EVENTS = 40000, CUTS = 6, ROOM = 4 << 20 };

static const struct {
	const char *codec;
	uint32_t page_size;
} kinds[] = {{"zlib", 4096}, {"zlib", 65536}, {"zstd", 65536}, {"zstd", 4096}};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const char format[] = "name: tick\nID: 1000\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"n=%llu\", REC->n\n";

/* The same pages, compressed or not. */
static void make(struct bytes *b, const char *codec, uint32_t page_size)
{
	char path[SCRATCH_PATH];
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint16_t id;

	scratch_file(path);
	opts.compression = codec;
	opts.force = true;
	info.page_size = page_size;
	info.cpu_count = 1;
	info.clock = "mono";
	ck_assert_int_eq(tdat_writer_new(&w, path, &opts, NULL), TDAT_OK);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(tdat_emit_info(emit, &info, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_emit_format(emit, "test", format, sizeof(format) - 1, &id, NULL),
			 TDAT_OK);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t rec[16] = {0};
		struct tdat_emit_event ev = {.ts = 1000000 + 1000ull * i, .record = {rec, 16}};

		tdat_store16(rec, 1000, false);
		tdat_store64(rec + 8, i * 2654435761u, false);
		ck_assert_int_eq(tdat_emit_event(emit, &ev, NULL), TDAT_OK);
	}
	ck_assert_int_eq(tdat_writer_finish(w, NULL), TDAT_OK);
	tdat_writer_free(w);
	bytes_load(b, path);
	unlink(path);
}

/* ---- the codecs, asked directly ---- */

static size_t by_zlib(const uint8_t *in, size_t len, uint8_t *out)
{
	z_stream z = {
		.next_in = (Bytef *)in, .avail_in = (uInt)len, .next_out = out, .avail_out = ROOM};

	ck_assert_int_eq(inflateInit(&z), Z_OK);
	inflate(&z, Z_NO_FLUSH);
	inflateEnd(&z);
	return z.total_out;
}

static size_t by_zstd(const uint8_t *in, size_t len, uint8_t *out)
{
	ZSTD_DStream *d = ZSTD_createDStream();
	ZSTD_inBuffer from = {in, len, 0};
	ZSTD_outBuffer to = {out, ROOM, 0};

	ck_assert_ptr_nonnull(d);
	ZSTD_decompressStream(d, &to, &from);
	ZSTD_freeDStream(d);
	return to.pos;
}

/* Bytes of pages that can be had of the CPU data when the file ends at cut. */
static size_t inflatable(const struct bytes *b, uint64_t off, uint64_t cut, bool zlib, uint8_t *out)
{
	uint32_t chunks = tdat_load32(b->ptr + off, false);
	size_t total = 0;

	for (off += 4; chunks-- && off + 8 < cut;) {
		uint32_t len = tdat_load32(b->ptr + off, false);
		size_t there = off + 8 + len <= cut ? len : (size_t)(cut - off - 8);

		total += zlib ? by_zlib(b->ptr + off + 8, there, out)
			      : by_zstd(b->ptr + off + 8, there, out);
		off += 8 + len;
	}
	return total;
}

/* ---- */

static struct tdat_cpu only_cpu(const struct bytes *b, struct seen_all *all)
{
	struct tdat_file *file;
	struct tdat_cpu cpu;
	size_t count;

	ck_assert_int_eq(tdat_file_open_memory(&file, b->ptr, b->len, "whole", NULL, NULL),
			 TDAT_OK);
	cpu = tdat_file_buffers(file, &count)->cpus[0];
	seen_read(all, file);
	tdat_file_close(file);
	return cpu;
}

static void check_cut(const struct bytes *b, uint64_t cut, const struct seen_all *plain,
		      size_t want, const char *codec)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct seen_all got = {NULL, 0, 0, 0};
	uint8_t *copy = bytes_cut(b, cut);
	struct tdat_file *file;

	opts.tolerate_damage = true;
	ck_assert_int_eq(tdat_file_open_memory(&file, copy, cut, "cut", &opts, NULL), TDAT_OK);
	seen_read(&got, file);
	ck_assert_msg(got.count >= want && got.count <= plain->count,
		      "%s, cut at %llu: %zu events, %zu are in pages that can be inflated", codec,
		      (unsigned long long)cut, got.count, want);
	for (size_t i = 0; i < got.count; i++)
		ck_assert_msg(got.v[i].ts == plain->v[i].ts && got.v[i].hash == plain->v[i].hash,
			      "%s, cut at %llu: event %zu is another one", codec,
			      (unsigned long long)cut, i);
	tdat_file_close(file);
	seen_free(&got);
	free(copy);
}

START_TEST(cut_chunks)
{
	struct seen_all plain = {NULL, 0, 0, 0}, packed = {NULL, 0, 0, 0};
	const char *codec = kinds[_i].codec;
	uint8_t *out = malloc(ROOM);
	struct bytes b, none;
	struct tdat_cpu cpu, at;
	size_t most = 0, inside = 0;

	ck_assert_ptr_nonnull(out);
	make(&none, "none", kinds[_i].page_size);
	make(&b, codec, kinds[_i].page_size);
	at = only_cpu(&none, &plain);
	cpu = only_cpu(&b, &packed);
	ck_assert_uint_eq(plain.count, EVENTS);
	ck_assert_uint_eq(packed.count, EVENTS);
	for (uint64_t i = 1; i <= CUTS; i++) {
		uint64_t cut = cpu.off + cpu.len * i / (CUTS + 1);
		size_t len = inflatable(&b, cpu.off, cut, !strcmp(codec, "zlib"), out);
		size_t want = seen_before(&plain, at.off + len);

		inside += want > seen_before(&packed, cut);
		most = want;
		check_cut(&b, cut, &plain, want, codec);
	}
	ck_assert_uint_gt(most, EVENTS / 2);
	/* Chunks of 40 KiB are one block of zstd: all or nothing. */
	if (kinds[_i].page_size > 4096 || !strcmp(codec, "zlib"))
		ck_assert_uint_gt(inside, CUTS / 2);
	free(out);
	free(b.ptr);
	free(none.ptr);
	seen_free(&plain);
	seen_free(&packed);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("part_chunk");
	TCase *t = tcase_create("part_chunk");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, cut_chunks, 0, KINDS);
	suite_add_tcase(s, t);
	return run_suite(s);
}
