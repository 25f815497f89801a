/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams of one spool keep their own bytes, spooled or borrowed, and find each again; copies. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/temp_file.h"
#include "../common/run.h"
#include "write/data.h"

enum { STREAMS = 5, UNIT = 4096 };

static uint8_t byte_of(unsigned int stream, uint64_t pos)
{
	return (uint8_t)(pos * 31 + pos / UNIT * 7 + stream * 101);
}

static void append(struct write_spool *spool, struct write_extents *ext, unsigned int stream,
		   size_t units)
{
	uint8_t *p = malloc(units * UNIT + 1);

	for (size_t i = 0; i < units * UNIT; i++)
		p[i] = byte_of(stream, ext->used + i);
	ck_assert_int_eq(write_spool_append(spool, ext, UNIT, p, units * UNIT, NULL), TDAT_OK);
	free(p);
}

static void check_bytes(const struct write_extents *ext, unsigned int stream, uint64_t pos,
			size_t n)
{
	uint8_t *p = malloc(n + 1), *want = malloc(n + 1);

	for (size_t i = 0; i < n; i++)
		want[i] = byte_of(stream, pos + i);
	ck_assert_int_eq(write_spool_read(ext, pos, p, n, false, NULL), TDAT_OK);
	ck_assert_mem_eq(p, want, n);
	free(p);
	free(want);
}

/* The parts that find gives are one behind the other, and never hold half a unit. */
static void check_parts(const struct write_extents *ext)
{
	const struct tdat_source *src;
	uint64_t pos, off, len;

	for (pos = 0; pos < ext->used; pos += len) {
		write_extents_find(ext, pos, &src, &off, &len);
		ck_assert_uint_gt(len, 0);
		ck_assert_uint_le(len, ext->used - pos);
		ck_assert_uint_eq(len % UNIT, 0);
		if (len > 3) { /* from the middle of a part it is the same part */
			const struct tdat_source *same;
			uint64_t off3, len3;

			write_extents_find(ext, pos + 3, &same, &off3, &len3);
			ck_assert_ptr_eq(same, src);
			ck_assert_uint_eq(off3, off + 3);
			ck_assert_uint_eq(len3, len - 3);
		}
	}
	ck_assert_uint_eq(pos, ext->used);
}

START_TEST(streams)
{
	struct write_extents ext[STREAMS] = {{.spool = NULL}};
	struct write_spool spool;
	const char *dir = getenv("TMPDIR");

	ck_assert_int_eq(write_spool_init(&spool, dir && *dir ? dir : "/tmp", NULL), TDAT_OK);
	ck_assert_int_eq(spool.fd, -1); /* nothing is made before the first byte */
	for (size_t round = 0; round < 60; round++)
		append(&spool, &ext[round % STREAMS], (unsigned int)(round % STREAMS),
		       round % 7 ? round % 7 : 40);
	for (unsigned int i = 0; i < STREAMS; i++) {
		ck_assert_uint_ge(ext[i].room, ext[i].used);
		check_parts(&ext[i]);
		check_bytes(&ext[i], i, 0, (size_t)ext[i].used);
		for (uint64_t pos = 0; pos < ext[i].used; pos += 50001)
			check_bytes(&ext[i], i, pos,
				    ext[i].used - pos < 70000 ? (size_t)(ext[i].used - pos)
							      : 70000);
		write_extents_fini(&ext[i]);
		ck_assert_uint_eq(ext[i].used, 0);
	}
	write_spool_fini(&spool);
	ck_assert_int_eq(spool.fd, -1);
}
END_TEST

/* Bytes that stay in a source lie between spooled ones. */
START_TEST(borrowed)
{
	static uint8_t lent[8 * UNIT];
	struct write_extents ext = {.spool = NULL};
	const struct tdat_source *at;
	struct tdat_source *src;
	struct write_spool spool;
	uint64_t off, len;

	for (size_t i = 0; i < 6 * UNIT; i++)
		lent[100 + i] = byte_of(1, 3 * UNIT + i);
	ck_assert_int_eq(tdat_source_open_memory(&src, lent, sizeof(lent), "lent", NULL), TDAT_OK);
	ck_assert_int_eq(write_spool_init(&spool, "/tmp", NULL), TDAT_OK);
	append(&spool, &ext, 1, 3);
	ck_assert_int_eq(write_spool_borrow(&spool, &ext, src, 100, 4 * UNIT, NULL), TDAT_OK);
	ck_assert_uint_eq(ext.used, 7 * UNIT);
	ck_assert_int_eq(write_spool_borrow(&spool, &ext, src, 100 + 4 * UNIT, 2 * UNIT, NULL),
			 TDAT_OK);
	append(&spool, &ext, 1, 2);
	ck_assert_uint_eq(ext.used, 11 * UNIT);
	check_parts(&ext);
	check_bytes(&ext, 1, 0, 11 * UNIT);
	check_bytes(&ext, 1, 3 * UNIT - 5, 4 * UNIT + 10);
	write_extents_find(&ext, 5 * UNIT, &at, &off, &len);
	ck_assert_ptr_eq(at, src);
	ck_assert_uint_eq(off, 100 + 2 * UNIT);
	write_extents_find(&ext, 10 * UNIT, &at, &off, &len);
	ck_assert_ptr_null(at);
	ck_assert_uint_eq(len, UNIT);
	write_extents_fini(&ext);
	write_spool_fini(&spool);
	tdat_source_close(src);
}
END_TEST

START_TEST(no_folder)
{
	struct write_extents ext = {.spool = NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct write_spool spool;
	uint8_t unit[UNIT] = {0};

	ck_assert_int_eq(write_spool_init(&spool, "/nonexistent/folder", &err), TDAT_OK);
	ck_assert_int_ne(write_spool_append(&spool, &ext, UNIT, unit, UNIT, &err), TDAT_OK);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/folder"));
	ck_assert_uint_eq(ext.used, 0);
	write_extents_fini(&ext);
	write_spool_fini(&spool);
}
END_TEST

static blkcnt_t blocks_of(const struct write_spool *spool)
{
	struct stat sb;

	ck_assert_int_eq(fstat(spool->fd, &sb), 0);
	return sb.st_blocks;
}

/* Copies the stream to a temporary file, and compares it there. */
static void copy_and_check(const struct write_extents *ext, unsigned int stream)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	const size_t len = (size_t)ext->used;
	uint8_t *p = malloc(len);
	const int fd = tdat_temp_open(tdat_temp_dir());
	struct tdat_writer *w;

	opts.fd = &fd;
	opts.compression = "none";
	ck_assert_int_eq(tdat_writer_new(&w, "copy", &opts, NULL), TDAT_OK);
	ck_assert_int_eq(write_out_bytes(&w->out, "head", 4, NULL), TDAT_OK);
	ck_assert_int_eq(write_data_put(w, &(struct write_data){.ext = ext}, NULL), TDAT_OK);
	ck_assert_int_eq(write_out_flush(&w->out, NULL), TDAT_OK);
	ck_assert_uint_eq(write_out_pos(&w->out), 4 + len);
	ck_assert_uint_eq(w->progress_done, len);
	ck_assert_int_eq(pread(w->out.fd, p, len, 4), (ssize_t)len);
	for (size_t i = 0; i < len; i++)
		if (p[i] != byte_of(stream, i))
			ck_abort_msg("byte %zu of stream %u", i, stream);
	tdat_writer_free(w);
	close(fd);
	free(p);
}

/* A spool in memory gives back what was copied, and nothing of other streams. */
START_TEST(copied)
{
	struct write_extents ext[4] = {{.spool = NULL}};
	struct write_spool spool;
	blkcnt_t before, after;

	ck_assert_int_eq(write_spool_init(&spool, "/dev/shm", NULL), TDAT_OK);
	if (write_spool_open(&spool, NULL) == TDAT_OK && spool.in_memory) {
		for (size_t round = 0; round < 200; round++)
			append(&spool, &ext[round % 4], (unsigned int)(round % 4), 29);
		append(&spool, &ext[0], 0, 1);
		for (unsigned int i = 0; i < 3; i++) {
			before = blocks_of(&spool);
			copy_and_check(&ext[i], i);
			after = blocks_of(&spool);
			ck_assert_int_eq((before - after) * 512, (int64_t)ext[i].used);
		}
		check_bytes(&ext[3], 3, 0, (size_t)ext[3].used);
	}
	for (size_t i = 0; i < 4; i++)
		write_extents_fini(&ext[i]);
	write_spool_fini(&spool);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("spool");
	TCase *t = tcase_create("spool");

	tcase_add_test(t, streams);
	tcase_add_test(t, borrowed);
	tcase_add_test(t, copied);
	tcase_add_test(t, no_folder);
	suite_add_tcase(s, t);
	return run_suite(s);
}
