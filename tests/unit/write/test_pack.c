/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages that are compressed while events come give the chunks that the codec makes of the pages of
 * an uncompressed file, for any number of CPUs, threads and sizes of pages.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/file.h>

#include "core/temp_file.h"
#include "../common/run.h"
#include "core/build.h"
#include "core/codec.h"
#include "unit/write/gen.h"
#include "write/state.h"

#define EXPECT(cond, ...) ck_assert_msg(cond, __VA_ARGS__)

enum { CPUS_MAX = 60, RECORD_LEN = 64 };

struct param {
	const char *codec;
	uint32_t cpus, page_size, threads;
	size_t len;	/* bytes of pages of each CPU, about */
	bool cpu_emits; /* two threads fill the CPUs, each through an emit of its own */
};

/* 60 CPUs: some have no block that a chunk fits in, and their pages are spooled as they are. */
static const struct param params[] = {
	{"zstd", 1, 4096, 1, 3 << 20, false},	{"zstd", 2, 4096, 2, 3 << 20, false},
	{"zstd", 9, 4096, 5, 1 << 20, false},	{"zstd", 60, 4096, 3, 200000, false},
	{"zstd", 2, 65536, 2, 8 << 20, false},	{"zstd", 2, 1 << 20, 2, 7 << 20, false},
	{"zstd", 6, 4096, 2, 2 << 20, true},	{"zstd", 6, 4096, 5, 2 << 20, true},
	{"zlib", 3, 4096, 1, 400000, true},	{"zstd", 3, 4096, 2, 41000, true},
	{"zstd", 3, 8192, 2, 81920 * 12, false}};

/* One event of a CPU, and its number there. */
static void put_event(const struct tdat_emit *emit, uint32_t cpu, uint32_t n)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_emit_event event = {.cpu = cpu, .ts = 1000 + n * 70ull};
	uint64_t rng = (uint64_t)cpu << 32 | n;
	uint8_t record[RECORD_LEN];

	for (size_t i = 0; i < RECORD_LEN; i++)
		record[i] = i % 4 ? (uint8_t)i : (uint8_t)gen_random(&rng);
	event.record = (struct tdat_span){record, 12 + gen_random(&rng) % (RECORD_LEN - 12)};
	EXPECT(tdat_emit_event(emit, &event, &err) == TDAT_OK, "%s", err.message);
}

struct filler {
	const struct param *param;
	const struct tdat_emit **emits;
	uint32_t first;
};

static void *fill(void *arg)
{
	const struct filler *f = arg;

	for (uint32_t cpu = f->first; cpu < f->param->cpus; cpu += 2) {
		for (uint32_t n = 0; n < f->param->len / 44; n++)
			put_event(f->emits[cpu], cpu, n);
		ck_assert_int_eq(tdat_emit_cpu_end(f->emits[cpu], NULL), TDAT_OK);
	}
	return NULL;
}

static void fill_cpus(struct tdat_writer *w, const struct param *p)
{
	const struct tdat_emit *emit = tdat_writer_emit(w), *emits[CPUS_MAX];
	struct filler fillers[2] = {{p, emits, 0}, {p, emits, 1}};
	pthread_t threads[2];

	if (!p->cpu_emits) {
		for (uint32_t n = 0; n < p->len / 44; n++)
			for (uint32_t cpu = 0; cpu < p->cpus; cpu++)
				put_event(emit, cpu, n);
		return;
	}
	for (uint32_t cpu = 0; cpu < p->cpus; cpu++)
		ck_assert_int_eq(tdat_emit_cpu_emit(emit, 0, cpu, &emits[cpu], NULL), TDAT_OK);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, fill, &fillers[i]), 0);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* The finished file, which has no name. Returns whether there were chunks before its layout. */
static bool make(const struct param *p, const char *codec, struct tdat_file **file,
		 struct tdat_writer **writer)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	const int fd = tdat_temp_open(tdat_temp_dir());
	struct tdat_source *source;
	uint64_t chunks = 0;

	opts.fd = &fd;
	opts.compression = codec;
	opts.threads = p->threads;
	EXPECT(tdat_writer_new(writer, "packed", &opts, &err) == TDAT_OK, "%s", err.message);
	emit = tdat_writer_emit(*writer);
	info.page_size = p->page_size;
	info.cpu_count = p->cpus;
	ck_assert_int_eq(tdat_emit_info(emit, &info, NULL), TDAT_OK);
	fill_cpus(*writer, p);
	for (uint32_t cpu = 0; cpu < p->cpus; cpu++)
		chunks += (*writer)->buffers[0]->streams[cpu]->pack.chunk_count;
	EXPECT(tdat_writer_finish(*writer, &err) == TDAT_OK, "%s", err.message);
	EXPECT(tdat_source_open_fd(&source, fd, "packed", TDAT_ACCESS_READ, &err) == TDAT_OK, "%s",
	       err.message);
	close(fd);
	EXPECT(tdat_file_open_source(file, source, NULL, &err) == TDAT_OK, "%s", err.message);
	return chunks != 0;
}

static uint8_t *stored(struct tdat_writer *w, const struct tdat_cpu *cpu)
{
	uint8_t *p = malloc((size_t)cpu->len + 1);

	ck_assert_int_eq(pread(w->out.fd, p, (size_t)cpu->len, (off_t)cpu->off), (ssize_t)cpu->len);
	return p;
}

/* What the codec makes of pages, in chunks as trace-cmd has them: ten pages, or a MiB at most. */
static void compress_pages(struct tdat_build *out, const struct param *p, const uint8_t *pages,
			   size_t len)
{
	const struct tdat_codec *codec = tdat_codec_find(p->codec);
	const size_t pages_max = (1 << 20) / p->page_size;
	const size_t chunk_len = (pages_max < 10 ? pages_max : 10) * p->page_size;

	tdat_build_u32(out, (uint32_t)((len + chunk_len - 1) / chunk_len));
	for (size_t off = 0; off < len; off += chunk_len) {
		const size_t n = len - off < chunk_len ? len - off : chunk_len;
		size_t packed_len = codec->bound(n);
		uint8_t *packed = malloc(packed_len);
		const char *why;

		ck_assert_int_eq(codec->deflate(NULL, pages + off, n, packed, &packed_len,
						codec->default_level, &why),
				 0);
		tdat_build_u32(out, (uint32_t)packed_len);
		tdat_build_u32(out, (uint32_t)n);
		tdat_build_bytes(out, packed, packed_len);
		free(packed);
	}
}

START_TEST(chunks)
{
	const struct param *p = &params[_i];
	const struct tdat_buffer *plain, *packed;
	struct tdat_file *files[2];
	struct tdat_writer *writers[2];
	size_t count;

	if (!tdat_codec_find(p->codec))
		return;
	ck_assert(!make(p, "none", &files[0], &writers[0]));
	ck_assert(make(p, p->codec, &files[1], &writers[1]) || p->len < 100000);
	plain = tdat_file_buffers(files[0], &count);
	packed = tdat_file_buffers(files[1], &count);
	ck_assert_uint_eq(plain->cpu_count, p->cpus);
	ck_assert_uint_eq(packed->cpu_count, p->cpus);
	for (uint32_t i = 0; i < p->cpus; i++) {
		uint8_t *pages = stored(writers[0], &plain->cpus[i]);
		uint8_t *got = stored(writers[1], &packed->cpus[i]);
		struct tdat_build want;

		tdat_build_init(&want, false);
		compress_pages(&want, p, pages, (size_t)plain->cpus[i].len);
		ck_assert_uint_eq(packed->cpus[i].len, want.len);
		ck_assert(!memcmp(got, want.ptr, want.len));
		tdat_build_fini(&want);
		free(pages);
		free(got);
	}
	for (size_t i = 0; i < 2; i++) {
		tdat_file_close(files[i]);
		tdat_writer_free(writers[i]);
	}
}
END_TEST

/* A writer that is given up while threads compress. */
START_TEST(given_up)
{
	static const struct param p = {"zstd", 3, 4096, 3, 2 << 20, false};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	const int fd = tdat_temp_open(tdat_temp_dir());
	struct tdat_writer *w;

	opts.fd = &fd;
	opts.threads = p.threads;
	ck_assert_int_eq(tdat_writer_new(&w, "packed", &opts, NULL), TDAT_OK);
	fill_cpus(w, &p);
	tdat_writer_free(w);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pack");
	TCase *t = tcase_create("pack");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, chunks, 0, (int)(sizeof(params) / sizeof(params[0])));
	tcase_add_test(t, given_up);
	suite_add_tcase(s, t);
	return run_suite(s);
}
