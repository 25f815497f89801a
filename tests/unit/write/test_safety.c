/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a writer leaves behind: the old file or the whole new one, and nothing
 * else, whatever happens meanwhile.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tdat/iter.h>

#include "../common/run.h"
#include "unit/write/gen.h"

static char dir[64], target[128];
static const struct gen_case small = {7, "zstd", false, 8, 4096, 2, 7, 1500};

static void setup(void)
{
	strcpy(dir, "/tmp/tdat-safety-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(target, sizeof(target), "%s/out.dat", dir);
}

static void teardown(void)
{
	char shell[128];

	snprintf(shell, sizeof(shell), "rm -rf %s", dir);
	ck_assert_int_eq(system(shell), 0);
}

/* Names in dir, "." and ".." not counted. */
static int dir_count(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static bool holds(const char *path, const char *text)
{
	char buf[64] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	buf[fread(buf, 1, sizeof(buf) - 1, f)] = 0;
	fclose(f);
	return !strcmp(buf, text);
}

/* Events in the file at path; -1 when it is no sound trace. */
static long count_events(const char *path)
{
	struct tdat_iter_input input = {0};
	const struct tdat_event *e;
	struct tdat_iter *iter;
	long n = 0;

	if (tdat_file_open(&input.file, path, NULL, NULL))
		return -1;
	ck_assert(!tdat_iter_new(&iter, &input, 1, NULL, NULL));
	while (!tdat_iter_next(iter, &e, NULL) && e)
		n++;
	tdat_iter_free(iter);
	tdat_file_close(input.file);
	return n;
}

static enum tdat_status try_new(const char *path, bool force, struct tdat_error *err)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.force = force;
	st = tdat_writer_new(&w, path, &opts, err);
	if (st == TDAT_OK)
		tdat_writer_free(w);
	return st;
}

START_TEST(existing_target)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	put_file(target, "old");
	ck_assert_int_eq(try_new(target, false, &err), TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, target));
	ck_assert_int_eq(try_new(target, true, &err), TDAT_OK);
	ck_assert(holds(target, "old"));
	ck_assert_int_eq(dir_count(), 1);
}
END_TEST

/* A target that comes into being while the writer works is not replaced. */
START_TEST(target_appears)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;

	ck_assert_int_eq(tdat_writer_new(&w, target, NULL, &err), TDAT_OK);
	put_file(target, "mine");
	ck_assert_int_eq(tdat_writer_finish(w, &err), TDAT_E_USAGE);
	tdat_writer_free(w);
	ck_assert(holds(target, "mine"));
	ck_assert_int_eq(dir_count(), 1);
}
END_TEST

START_TEST(unfinished_leaves_nothing)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	ck_assert_int_eq(try_new(target, false, &err), TDAT_OK);
	ck_assert_int_eq(dir_count(), 0);
}
END_TEST

START_TEST(replaced_whole)
{
	struct stat sb;
	struct gen g;
	char link_path[140];

	put_file(target, "old");
	ck_assert_int_eq(chmod(target, 0640), 0);
	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	ck_assert_int_eq(symlink("out.dat", link_path), 0);
	gen_init(&g, &small, GEN_ID);
	gen_write(&g, &small, link_path); /* through the link */
	ck_assert_int_eq(count_events(target), (long)g.count);
	gen_fini(&g);
	ck_assert_int_eq(lstat(link_path, &sb), 0);
	ck_assert(S_ISLNK(sb.st_mode));
	ck_assert_int_eq(stat(target, &sb), 0);
	ck_assert_uint_eq(sb.st_mode & 0777, 0640);
	ck_assert_int_eq(dir_count(), 2);
}
END_TEST

START_TEST(bad_targets)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char path[160];

	ck_assert_int_eq(try_new(dir, true, &err), TDAT_E_USAGE);
	ck_assert_int_eq(try_new("", false, &err), TDAT_E_USAGE);
	snprintf(path, sizeof(path), "%s/no/such", dir);
	ck_assert_int_eq(try_new(path, false, &err), TDAT_E_SYSTEM);
	ck_assert_int_eq(err.sys_errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(err.message, path));
}
END_TEST

START_TEST(read_only_folder)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	ck_assert_int_eq(chmod(dir, 0500), 0);
	if (!getuid() && setegid(65534) + seteuid(65534))
		return; /* root may write anywhere */
	if (access(dir, W_OK) || getuid() != geteuid()) {
		ck_assert_int_eq(try_new(target, false, &err), TDAT_E_SYSTEM);
		ck_assert_int_eq(err.sys_errno, EACCES);
	}
	if (!getuid()) {
		ck_assert_int_eq(seteuid(0), 0);
		ck_assert_int_eq(setegid(0), 0);
	}
	ck_assert_int_eq(chmod(dir, 0700), 0);
}
END_TEST

START_TEST(bad_options)
{
	static const struct {
		uint32_t version;
		const char *compression;
		int level;
	} bad[] = {{5, NULL, 0},    {8, NULL, 0},    {6, "zstd", 0},  {7, "lzma", 0},
		   {7, "zlib", 10}, {7, "zlib", -1}, {7, "zstd", 23}, {7, "zstd", -8}};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		opts.version = bad[i].version;
		opts.compression = bad[i].compression;
		opts.level = bad[i].level;
		ck_assert_int_eq(tdat_writer_new(&w, target, &opts, &err), TDAT_E_USAGE);
		ck_assert_ptr_null(w);
	}
	ck_assert_int_eq(dir_count(), 0);
}
END_TEST

START_TEST(bad_calls)
{
	static const uint8_t bytes[8192];
	struct tdat_emit_event e = {.record = {bytes, 4096}};
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint16_t id;

	ck_assert_int_eq(tdat_writer_new(&w, target, NULL, &err), TDAT_OK);
	emit = tdat_writer_emit(w);
	info.page_size = 5000;
	ck_assert_int_eq(tdat_emit_info(emit, &info, &err), TDAT_E_USAGE);
	info.page_size = 0;
	info.long_size = 5;
	ck_assert_int_eq(tdat_emit_info(emit, &info, &err), TDAT_E_USAGE);
	info.long_size = 0;
	ck_assert_int_eq(tdat_emit_info(emit, &info, &err), TDAT_OK);
	ck_assert_int_eq(tdat_emit_info(emit, &info, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_E_USAGE);
	ck_assert_msg(strstr(err.message, "4096") && strstr(err.message, "4080"), "%s",
		      err.message);
	e.record.len = 1;
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_E_USAGE);
	e.record.len = 8;
	e.buffer = 1;
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_E_USAGE);
	e.buffer = 0;
	e.cpu = 65536;
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_E_LIMIT);
	e.cpu = 65535;
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_OK);
	ck_assert_int_eq(tdat_emit_pages(emit, 0, 0, bytes, 4095, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_pages(emit, 0, 0, bytes, 8192, &err), TDAT_OK);
	ck_assert_int_eq(tdat_emit_latency(emit, 0, "x", 1, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_option(emit, 3, "x", 1, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_option(emit, TDAT_OPTION_DATE, "0x1", 4, &err), TDAT_OK);
	ck_assert_int_eq(tdat_emit_option(emit, TDAT_OPTION_DATE, "0x1", 4, &err), TDAT_E_USAGE);
	ck_assert_msg(strstr(err.message, "DATE"), "%s", err.message);
	ck_assert_int_eq(tdat_emit_option(emit, TDAT_OPTION_UNAME, "x\0y", 4, &err), TDAT_E_USAGE);
	ck_assert_msg(strstr(err.message, "after the NUL"), "%s", err.message);
	ck_assert_int_eq(tdat_emit_option(emit, TDAT_OPTION_UNAME, "x\0\0", 4, &err), TDAT_OK);
	ck_assert_int_eq(tdat_emit_format(emit, "s", "name: x\n", 8, &id, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_format(emit, "s", "name: x\nID: 70000\n", 18, &id, &err),
			 TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_format(emit, "s", "name: x\nID: 77\n", 15, &id, &err), TDAT_OK);
	ck_assert_uint_eq(id, 77);
	ck_assert_int_eq(tdat_emit_format(emit, "s", "name: y\nID: 77\n", 15, &id, &err),
			 TDAT_E_USAGE);
	ck_assert_int_eq(tdat_writer_finish(w, &err), TDAT_OK);
	ck_assert_int_eq(tdat_writer_finish(w, &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_E_USAGE);
	tdat_writer_free(w);
}
END_TEST

/* More streams than pages fit in memory: they take turns, and none is lost. */
START_TEST(many_cpus)
{
	enum { CPUS = 3000, ROUNDS = 4 };
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input input = {0};
	const struct tdat_event *ev;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	struct tdat_iter *iter;
	uint8_t record[16] = {77};
	uint64_t ts = 0;

	ck_assert_int_eq(tdat_writer_new(&w, target, NULL, &err), TDAT_OK);
	emit = tdat_writer_emit(w);
	for (uint32_t i = 0; i < CPUS * ROUNDS; i++) {
		struct tdat_emit_event e = {0, i % CPUS, i, 0, {record, sizeof(record)}};

		memcpy(record + 8, &i, sizeof(i));
		ck_assert_int_eq(tdat_emit_event(emit, &e, &err), TDAT_OK);
	}
	ck_assert_msg(!tdat_writer_finish(w, &err), "%s", err.message);
	tdat_writer_free(w);
	ck_assert_msg(!tdat_file_open(&input.file, target, NULL, &err), "%s", err.message);
	ck_assert_msg(!tdat_iter_new(&iter, &input, 1, NULL, &err), "%s", err.message);
	for (uint32_t i = 0;; i++, ts++) {
		ck_assert_int_eq(tdat_iter_next(iter, &ev, &err), TDAT_OK);
		if (!ev)
			break;
		ck_assert(ev->ts == ts && ev->cpu == i % CPUS);
		ck_assert_mem_eq(ev->record.ptr + 8, &i, sizeof(i));
	}
	ck_assert_uint_eq(ts, CPUS * ROUNDS);
	tdat_iter_free(iter);
	tdat_file_close(input.file);
}
END_TEST

/* A pipe and standard output get the same bytes as a file. */
START_TEST(to_a_pipe)
{
	char fifo[140], copy[140], shell[1024];
	struct gen g;
	pid_t pid;
	int status;

	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	snprintf(copy, sizeof(copy), "%s/copy.dat", dir);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	gen_init(&g, &small, GEN_ID);
	gen_write(&g, &small, target);
	pid = fork();
	if (!pid) {
		gen_write(&g, &small, fifo);
		_exit(0);
	}
	snprintf(shell, sizeof(shell), "cat %s >%s && cmp %s %s", fifo, copy, target, copy);
	ck_assert_int_eq(system(shell), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	pid = fork();
	if (!pid) {
		int fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(fd, STDOUT_FILENO);
		gen_write(&g, &small, "-");
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	snprintf(shell, sizeof(shell), "cmp %s %s", target, copy);
	ck_assert_int_eq(system(shell), 0);
	gen_fini(&g);
}
END_TEST

START_TEST(full_device)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;

	if (access("/dev/full", W_OK))
		return;
	ck_assert_int_eq(tdat_writer_new(&w, "/dev/full", NULL, &err), TDAT_OK);
	ck_assert_int_eq(tdat_writer_finish(w, &err), TDAT_E_SYSTEM);
	ck_assert_int_eq(err.sys_errno, ENOSPC);
	ck_assert_msg(strstr(err.message, "/dev/full") && strstr(err.message, "bytes"), "%s",
		      err.message);
	tdat_writer_free(w);
}
END_TEST

/* The child's part of a test: exit status 0 written, 3 told to be full, else wrong. */
static void write_or_tell_full(const struct gen *g)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.force = true;
	opts.compression = "none";
	st = tdat_writer_new(&w, target, &opts, &err);
	for (size_t i = 0; st == TDAT_OK && i < g->count; i++) {
		const struct gen_event *e = &g->events[i];
		struct tdat_emit_event event = {0, e->cpu, e->ts, e->lost, {e->record, e->len}};

		st = tdat_emit_event(tdat_writer_emit(w), &event, &err);
	}
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, &err);
	tdat_writer_free(w);
	if (st == TDAT_OK)
		_exit(0);
	fprintf(stderr, "%s\n", err.message);
	if (st != TDAT_E_SYSTEM || !strstr(err.message, dir) || !strstr(err.message, "more bytes"))
		_exit(4);
	_exit(err.sys_errno == ENOSPC || err.sys_errno == EFBIG ? 3 : 5);
}

static void limit_file(unsigned kib)
{
	struct rlimit limit = {kib * 1024, kib * 1024};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit))
		_exit(8);
}

/* Runs the writer with its output quiet; how it exited. */
static int run_child(const struct gen *g, unsigned limit_kib)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(9);
		if (limit_kib)
			limit_file(limit_kib);
		write_or_tell_full(g);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* No room for the file: told, and the old one stays. */
START_TEST(file_size_limit)
{
	struct gen_case c = small;
	int full = 0, done = 0;
	struct gen g;

	c.count = 3000;
	gen_init(&g, &c, GEN_ID);
	put_file(target, "old");
	for (unsigned kib = 1; kib <= 2048 && !done; kib += kib < 64 ? 9 : 64) {
		int rc = run_child(&g, kib);

		ck_assert_msg(rc == 0 || rc == 3, "limit of %u KiB: %d", kib, rc);
		full += rc == 3;
		done += rc == 0;
		if (rc)
			ck_assert(holds(target, "old"));
		ck_assert_int_eq(dir_count(), 1);
	}
	ck_assert_int_gt(full, 5);
	ck_assert_int_eq(done, 1);
	ck_assert_int_eq(count_events(target), (long)g.count);
	gen_fini(&g);
}
END_TEST

/* A small file system of its own, seen by this process only. */
static bool mount_small(unsigned kib)
{
	char data[32];

	if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return false;
	mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	snprintf(data, sizeof(data), "size=%uk", kib);
	return !mount("tmpfs", dir, "tmpfs", 0, data);
}

/* Exit status 7: cannot mount here. */
static int fill_disk(const struct gen *g, unsigned kib)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!mount_small(kib))
			_exit(7);
		put_file(target, "old");
		status = run_child(g, 0);
		if (dir_count() != 1 || (status && !holds(target, "old")))
			_exit(6);
		if (!status && count_events(target) != (long)g->count)
			_exit(6);
		_exit(status);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(disk_full)
{
	struct gen_case c = small;
	int full = 0, done = 0;
	struct gen g;

	c.count = 2000;
	gen_init(&g, &c, GEN_ID);
	for (unsigned kib = 8; kib < 8 + 50 * 80; kib += 80) {
		int rc = fill_disk(&g, kib);

		if (rc == 7)
			break;
		ck_assert_msg(rc == 0 || rc == 3, "disk of %u KiB: %d", kib, rc);
		full += rc == 3;
		done += rc == 0;
		ck_assert_msg(full || done, "nothing was tried");
	}
	ck_assert(!full || done);
	gen_fini(&g);
}
END_TEST

/* Starts writing, and kills the writer after up to 12 ms. */
static void write_killed(const struct gen *g, const struct gen_case *c, bool force, uint64_t *rng)
{
	struct timespec pause = {0, (long)(gen_random(rng) % 12000000)};
	int status;
	pid_t pid = fork();

	if (!pid) {
		gen_write_as(g, c, target, force);
		_exit(0);
	}
	nanosleep(&pause, NULL);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}

/* Killed at any moment: the whole new file or none, and no other name. */
START_TEST(killed)
{
	int whole = 0, none = 0;
	uint64_t rng = 99;
	struct gen g;

	gen_init(&g, &small, GEN_ID);
	for (int i = 0; i < 200; i++) {
		struct gen_case c = small;

		c.version = i & 1 ? 7 : 6;
		c.compression = i & 1 ? "zstd" : "none";
		write_killed(&g, &c, false, &rng);
		if (dir_count()) {
			ck_assert_int_eq(count_events(target), (long)g.count);
			ck_assert_int_eq(dir_count(), 1);
			ck_assert_int_eq(unlink(target), 0);
			whole++;
		} else {
			none++;
		}
	}
	ck_assert_msg(none > 0, "%d whole, %d none", whole, none);
	gen_fini(&g);
}
END_TEST

/*
 * The same over an existing file: the old or the new one, whole. A writer killed between
 * taking its temporary name and the rename leaves that name, once, beside the old file.
 */
START_TEST(killed_replacing)
{
	int whole = 0, old = 0, strays = 0;
	uint64_t rng = 77;
	struct gen g;

	gen_init(&g, &small, GEN_ID);
	for (int i = 0; i < 200; i++) {
		put_file(target, "old");
		write_killed(&g, &small, true, &rng);
		if (holds(target, "old"))
			old++;
		else
			whole++;
		ck_assert(holds(target, "old") || count_events(target) == (long)g.count);
		strays = dir_count() - 1;
	}
	ck_assert_msg(old > 0 && strays <= old, "%d whole, %d old, %d strays", whole, old, strays);
	gen_fini(&g);
}
END_TEST

/* Two writers on one target: one of both files, whole. */
START_TEST(two_writers)
{
	struct gen g;
	pid_t pid[2];
	int status;

	gen_init(&g, &small, GEN_ID);
	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			gen_write(&g, &small, target);
			_exit(0);
		}
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(waitpid(pid[i], &status, 0), pid[i]);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_int_eq(count_events(target), (long)g.count);
	ck_assert_int_eq(dir_count(), 1);
	gen_fini(&g);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("write_safety");
	TCase *tc = tcase_create("safety");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, existing_target);
	tcase_add_test(tc, target_appears);
	tcase_add_test(tc, unfinished_leaves_nothing);
	tcase_add_test(tc, replaced_whole);
	tcase_add_test(tc, bad_targets);
	tcase_add_test(tc, read_only_folder);
	tcase_add_test(tc, bad_options);
	tcase_add_test(tc, bad_calls);
	tcase_add_test(tc, many_cpus);
	tcase_add_test(tc, to_a_pipe);
	tcase_add_test(tc, full_device);
	tcase_add_test(tc, file_size_limit);
	tcase_add_test(tc, disk_full);
	tcase_add_test(tc, killed);
	tcase_add_test(tc, killed_replacing);
	tcase_add_test(tc, two_writers);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
