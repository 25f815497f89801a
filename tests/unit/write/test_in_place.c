/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of a file that are moved about in it have their bytes where they belong, and each is moved
 * about once; files that are made so are those that are made by copying.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tdat/file.h>

#include "../common/run.h"
#include "core/temp_file.h"
#include "unit/write/gen.h"
#include "write/disk.h"
#include "write/rearrange.h"
#include "write/writer.h"

#define EXPECT(cond, ...) ck_assert_msg(cond, __VA_ARGS__)

/* ---- moving ---- */

enum { MOVES_MOST = 60, UNITS_MOST = 90 };

struct layout {
	uint32_t unit;
	size_t count;
	struct rearrange_move moves[MOVES_MOST]; /* by dest */
};

static uint64_t below(uint64_t *seed, uint64_t n)
{
	return gen_random(seed) % n;
}

/* Parts of random lengths lie in random order from src on, and belong in order from dest on. */
static void make_layout(struct layout *l, uint64_t *seed, uint32_t unit, uint64_t src, bool gaps)
{
	uint64_t dest = below(seed, 40) * unit;
	size_t order[MOVES_MOST];

	l->unit = unit;
	l->count = 1 + below(seed, MOVES_MOST);
	for (size_t i = 0; i < l->count; i++) {
		const size_t j = below(seed, i + 1);

		order[i] = order[j];
		order[j] = i;
		l->moves[i].len = (1 + below(seed, UNITS_MOST)) * unit;
		l->moves[i].dest = dest;
		dest += l->moves[i].len;
	}
	for (size_t i = 0; i < l->count; i++) {
		l->moves[order[i]].src = src;
		src += l->moves[order[i]].len + (gaps ? below(seed, 3) * unit : 0);
	}
}

static uint64_t word_of(size_t move, uint64_t pos)
{
	return (uint64_t)move << 40 | pos;
}

static void put_bytes(int fd, const struct layout *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct rearrange_move *m = &l->moves[i];
		uint64_t *words = malloc(m->len);

		for (uint64_t pos = 0; pos < m->len; pos += 8)
			words[pos / 8] = word_of(i, pos);
		ck_assert_int_eq(write_disk_put(fd, "file", m->src, words, m->len, 0, NULL),
				 TDAT_OK);
		free(words);
	}
}

static void check_bytes(int fd, const struct layout *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct rearrange_move *m = &l->moves[i];
		uint64_t *words = malloc(m->len);

		ck_assert_int_eq(write_disk_get(fd, "file", m->dest, words, m->len, NULL), TDAT_OK);
		for (uint64_t pos = 0; pos < m->len; pos += 8)
			EXPECT(words[pos / 8] == word_of(i, pos), "part %zu at %llu of %llu", i,
			       (unsigned long long)pos, (unsigned long long)m->len);
		free(words);
	}
}

static void count_moved(void *ctx, uint64_t len)
{
	*(uint64_t *)ctx += len;
}

static void rearrange(const struct layout *l, uint64_t aside_len)
{
	uint64_t moved = 0, all = 0;
	struct rearrange r = {.unit = l->unit, .on_moved = count_moved, .ctx = &moved};
	int fd = tdat_temp_open(tdat_temp_dir(), NULL);

	r.aside_fd = tdat_temp_open(tdat_temp_dir(), NULL);
	r.aside_off = 77;
	r.aside_len = aside_len;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(r.aside_fd, 0);
	put_bytes(fd, l);
	for (size_t i = 0; i < l->count; i++) {
		const struct rearrange_move *m = &l->moves[i];

		all += m->len;
		ck_assert_int_eq(rearrange_add(&r, m->src, m->dest, m->len, NULL), TDAT_OK);
	}
	ck_assert_int_eq(rearrange_run(&r, fd, "file", NULL), TDAT_OK);
	close(r.aside_fd);
	rearrange_fini(&r);
	check_bytes(fd, l);
	ck_assert_uint_eq(moved, all);
	close(fd);
}

/* src far behind all dest, in the midst of them, before them, and at the same place. */
START_TEST(random_moves)
{
	static const uint32_t units[] = {8, 512, 4096, 65536};
	static const uint64_t srcs[] = {4000, 100, 41, 1, 0};
	const uint32_t unit = units[_i % 4];
	uint64_t seed = 77 + (uint64_t)_i;
	struct layout l;

	for (size_t k = 0; k < (unit > 4096 ? 1 : 10); k++) {
		make_layout(&l, &seed, unit, srcs[_i / 4 % 5] * unit, _i / 20);
		rearrange(&l, (k % 3 ? 1 + below(&seed, 50) : 1) * unit);
	}
}
END_TEST

/* One circle through all parts, larger ones than a piece, and some that are in their place. */
START_TEST(circles)
{
	enum { PARTS = 9 };
	const uint64_t len = 300 * 1024;
	struct layout l = {.unit = 1024, .count = PARTS};

	for (size_t step = 0; step < PARTS; step++) {
		for (size_t i = 0; i < PARTS; i++)
			l.moves[i] =
				(struct rearrange_move){(i + step) % PARTS * len, i * len, len};
		rearrange(&l, 64 * 1024);
		l.moves[4].src = 4 * len;
		l.moves[(4 + PARTS - step) % PARTS].src = (4 + step) % PARTS * len;
		rearrange(&l, 1024 * 1024);
	}
}
END_TEST

/* ---- files ---- */

struct param {
	uint32_t version, cpus, page_size;
	size_t events;
	size_t kallsyms; /* bytes of it */
	bool two_buffers, replaces, moved;
};

static const struct param params[] = {
	{7, 1, 4096, 250000, 100, false, false, true},
	{7, 4, 4096, 300000, 3000000, false, true, true},
	{6, 4, 4096, 300000, 100, false, false, true},
	{7, 37, 8192, 250000, 100, false, false, true},
	{6, 300, 512, 200000, 100, false, true, true},
	{7, 5, 65536, 250000, 9000, false, false, true},
	{7, 3, 4096, 200000, 100, true, false, false},
	{7, 3, 4096, 200000, 17 << 20, false, false, true},
	{7, 2, 1 << 19, 250000, 100, false, false, true},
	{6, 2, 1 << 19, 250000, 100, false, false, true},
	{7, 2, 4096, 10, 100, false, false, false},
};

static void put_kallsyms(const struct tdat_emit *emit, size_t len)
{
	char line[] = "ffffffff81000000 T a_symbol_of_the_kernel\n", *text = malloc(len + 64);
	size_t at = 0;

	for (size_t n = 0; at < len; n++) {
		line[8] = (char)('0' + n % 8);
		memcpy(text + at, line, sizeof(line) - 1);
		at += sizeof(line) - 1;
	}
	ck_assert_int_eq(emit->ops->kallsyms(emit->ctx, text, at, NULL), TDAT_OK);
	free(text);
}

/* CPUs have other shares of the events at each time, and begin and end one after the other. */
static void put_events(const struct tdat_emit *emit, const struct param *p, uint16_t id)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t seed = 5;

	for (size_t n = 0; n < p->events; n++) {
		const uint64_t near = n * p->cpus / p->events, any = gen_random(&seed) % 97;
		uint8_t record[40];
		struct tdat_emit_event e = {.ts = 1000 + n * 50};

		for (size_t i = 0; i < sizeof(record); i++)
			record[i] = (uint8_t)(gen_random(&seed) >> 9);
		memcpy(record, &id, 2);
		e.cpu = (uint32_t)(any < 60 ? near : any % p->cpus);
		e.buffer = p->two_buffers && any % 3 == 0;
		e.record = (struct tdat_span){record, 8 + 4 * (any % 9)};
		EXPECT(emit->ops->event(emit->ctx, &e, &err) == TDAT_OK, "%s", err.message);
	}
}

static struct tdat_writer *write_file(const struct param *p, const char *path, bool memory)
{
	static const char format[] =
		"name: event\nID: 0\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\nprint fmt: \"x\"\n";
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint32_t number;
	uint16_t id;

	opts.version = p->version;
	opts.compression = "none";
	opts.memory = memory;
	opts.force = true;
	info.page_size = p->page_size;
	info.long_size = 8;
	EXPECT(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(emit->ops->info(emit->ctx, &info, &err), TDAT_OK);
	ck_assert_int_eq(
		emit->ops->format(emit->ctx, "test", format, sizeof(format) - 1, &id, &err),
		TDAT_OK);
	if (p->two_buffers)
		ck_assert_int_eq(emit->ops->buffer(emit->ctx, "other", NULL, &number, &err),
				 TDAT_OK);
	put_kallsyms(emit, p->kallsyms);
	put_events(emit, p, id);
	EXPECT(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	return w;
}

static void same_file(const char *path, struct tdat_writer *memory)
{
	struct tdat_source *src, *want;
	uint64_t len;

	ck_assert_int_eq(tdat_source_open(&src, path, TDAT_ACCESS_READ, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_writer_source(memory, &want, NULL), TDAT_OK);
	len = tdat_source_len(want);
	ck_assert_uint_eq(tdat_source_len(src), len);
	for (uint64_t at = 0, n; at < len; at += n) {
		uint8_t a[65536], b[65536];

		n = len - at < sizeof(a) ? len - at : sizeof(a);
		ck_assert_int_eq(tdat_source_read(src, at, a, n, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_source_read(want, at, b, n, NULL), TDAT_OK);
		EXPECT(!memcmp(a, b, n), "not the same from %llu on", (unsigned long long)at);
	}
	tdat_source_close(src);
	tdat_source_close(want);
}

START_TEST(same_as_copied)
{
	const struct param *p = &params[_i];
	const char *dir = access("/dev/shm", W_OK) ? getenv("TMPDIR") : "/dev/shm";
	struct tdat_writer *file, *memory;
	char path[4096];
	struct stat sb;
	mode_t mask;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tdat-in-place-%ld-%d.dat", dir && *dir ? dir : "/tmp",
		 (long)getpid(), _i);
	mask = umask(027);
	if (p->replaces) {
		f = fopen(path, "w");
		ck_assert_ptr_nonnull(f);
		fchmod(fileno(f), 0604);
		fclose(f);
	}
	file = write_file(p, path, false);
	umask(mask);
	if (file->spool.in_memory && file->spool.nameless)
		ck_assert_int_eq(file->spool.fd < 0, p->moved);
	memory = write_file(p, "memory", true);
	ck_assert_int_eq(stat(path, &sb), 0);
	ck_assert_int_eq(sb.st_mode & 0777, p->replaces ? 0604 : 0640);
	/* A file that was moved about in has no room of the spool left. */
	ck_assert_int_lt(sb.st_blocks * 512, sb.st_size + (1 << 20));
	same_file(path, memory);
	unlink(path);
	tdat_writer_free(file);
	tdat_writer_free(memory);
}
END_TEST

/* No file on the way is longer than the result, whose length a limit may be near. */
START_TEST(under_a_limit)
{
	const char *dir = access("/dev/shm", W_OK) ? getenv("TMPDIR") : "/dev/shm";
	struct tdat_writer *memory = write_file(&params[0], "memory", true), *file;
	struct rlimit old, limit;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tdat-in-place-%ld.dat", dir && *dir ? dir : "/tmp",
		 (long)getpid());
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = memory->out.off;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	file = write_file(&params[0], path, false);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	same_file(path, memory);
	unlink(path);
	tdat_writer_free(file);
	tdat_writer_free(memory);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("in_place");
	TCase *moves = tcase_create("moves"), *files = tcase_create("files");

	tcase_set_timeout(moves, 60);
	tcase_add_loop_test(moves, random_moves, 0, 40);
	tcase_add_test(moves, circles);
	suite_add_tcase(suite, moves);
	tcase_set_timeout(files, 120);
	tcase_add_loop_test(files, same_as_copied, 0, sizeof(params) / sizeof(params[0]));
	tcase_add_test(files, under_a_limit);
	suite_add_tcase(suite, files);
	return run_suite(suite);
}
