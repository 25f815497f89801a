/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are mapped: the same events as when read, and what happens when bytes go. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"
#include "../common/seen.h"
#include "core/source_window.h"

enum {
	EVENTS = 100000 /* about 6 MB: many windows of both CPUs */
};

static char made[] = "/tmp/tdat-mapped-XXXXXX";

/* ---- a large file ---- */

static void ok(enum tdat_status st, const struct tdat_error *err)
{
	ck_assert_msg(st == TDAT_OK, "%s", err->message);
}

static const char format[] =
	"name: long_event\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char text[48];\toffset:8;\tsize:48;\tsigned:0;\n\n"
	"print fmt: \"%s\", REC->text\n";

/*
 * made: events of two CPUs in plain pages. CPU 1 has one of 20, so that it is somewhere
 * within a window whenever the other one comes to the end of its window.
 */
static void make_file(void)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	uint8_t record[56] = {0, 0, 0, 0, 1};
	const struct tdat_emit *e;
	struct tdat_writer *w;
	int fd = mkstemp(made);
	uint16_t id;

	ck_assert_int_ge(fd, 0);
	close(fd);
	opts.compression = "none";
	opts.force = true;
	info.cpu_count = 2;
	ok(tdat_writer_new(&w, made, &opts, &err), &err);
	e = tdat_writer_emit(w);
	ok(tdat_emit_info(e, &info, &err), &err);
	ok(tdat_emit_format(e, "test", format, strlen(format), &id, &err), &err);
	memcpy(record, &id, sizeof(id));
	for (unsigned i = 0; i < EVENTS; i++) {
		struct tdat_emit_event ev = {
			0, i % 20 == 0, 1000 * (uint64_t)i, 0, {record, sizeof(record)}};

		snprintf((char *)record + 8, 48, "event number %u of this test", i);
		ok(tdat_emit_event(e, &ev, &err), &err);
	}
	ok(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
}

static struct tdat_file *open_as(const char *path, enum tdat_access access)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	opts.access = access;
	opts.tolerate_damage = true;
	ok(tdat_file_open(&file, path, &opts, &err), &err);
	return file;
}

/* ---- the same both ways ---- */

static void compare(const char *path)
{
	struct seen_all read = {NULL, 0, 0, 0}, mapped = {NULL, 0, 0, 0};
	struct tdat_file *file = open_as(path, TDAT_ACCESS_READ);

	seen_read(&read, file);
	tdat_file_close(file);
	file = open_as(path, TDAT_ACCESS_MAP);
	seen_read(&mapped, file);
	tdat_file_close(file);
	ck_assert_uint_eq(read.count, mapped.count);
	for (size_t i = 0; i < read.count; i++)
		ck_assert_msg(read.v[i].ts == mapped.v[i].ts &&
				      read.v[i].hash == mapped.v[i].hash &&
				      read.v[i].cpu == mapped.v[i].cpu,
			      "%s: event %zu", path, i);
	seen_free(&read);
	seen_free(&mapped);
}

START_TEST(same_events)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char path[1024];
	struct dirent *entry;
	int count = 0;
	DIR *d;

	ck_assert_ptr_nonnull(dir);
	snprintf(path, sizeof(path), "%s/valid", dir);
	d = opendir(path);
	ck_assert_ptr_nonnull(d);
	while ((entry = readdir(d))) {
		size_t len = strlen(entry->d_name);

		if (len < 4 || strcmp(entry->d_name + len - 4, ".dat"))
			continue;
		snprintf(path, sizeof(path), "%s/valid/%s", dir, entry->d_name);
		compare(path);
		count++;
	}
	closedir(d);
	ck_assert_int_gt(count, 10);
	compare(made);
}
END_TEST

/* ---- windows ---- */

START_TEST(windows)
{
	static const uint64_t offs[] = {0, 1, 4095, 4096, 100001};
	struct tdat_source *src;
	struct tdat_window w;
	uint8_t want[9000];

	ck_assert_int_eq(tdat_source_open_path(&src, made, TDAT_ACCESS_MAP, NULL), TDAT_OK);
	for (size_t i = 0; i < sizeof(offs) / sizeof(offs[0]); i++) {
		const uint8_t *p = tdat_window_map(&w, src, offs[i], sizeof(want));

		ck_assert_ptr_nonnull(p);
		ck_assert_int_eq(tdat_source_read(src, offs[i], want, sizeof(want), NULL), TDAT_OK);
		ck_assert_mem_eq(p, want, sizeof(want));
		tdat_window_unmap(&w);
		tdat_window_unmap(&w); /* nothing is left to unmap */
	}
	/* What is not there, or nothing at all. */
	ck_assert_ptr_null(tdat_window_map(&w, src, tdat_source_len(src) - 1, 2));
	ck_assert_ptr_null(tdat_window_map(&w, src, UINT64_MAX - 1, 2));
	ck_assert_ptr_null(tdat_window_map(&w, src, 0, 0));
	tdat_source_close(src);
	/* Sources that are read, and memory. */
	ck_assert_int_eq(tdat_source_open_path(&src, made, TDAT_ACCESS_READ, NULL), TDAT_OK);
	ck_assert_ptr_null(tdat_window_map(&w, src, 0, 4096));
	tdat_source_close(src);
	ck_assert_int_eq(tdat_source_open_memory(&src, want, sizeof(want), "m", NULL), TDAT_OK);
	ck_assert_ptr_null(tdat_window_map(&w, src, 0, 4096));
	tdat_source_close(src);
}
END_TEST

/* A file that is being written to is read: nothing is mapped while its length changes. */
START_TEST(growing)
{
	uint64_t len;
	struct seen_all all = {NULL, 0, 0, 0};
	struct tdat_file *file = open_as(made, TDAT_ACCESS_MAP);
	const struct tdat_source *src = tdat_file_source(file);
	struct tdat_window w;

	len = tdat_source_len(src);
	ck_assert_int_eq(truncate(made, (off_t)len + 100000), 0);
	ck_assert_ptr_null(tdat_window_map(&w, src, 0, 4096));
	seen_read(&all, file);
	ck_assert_uint_eq(all.count, EVENTS);
	ck_assert_int_eq(truncate(made, (off_t)len), 0);
	ck_assert_ptr_nonnull(tdat_window_map(&w, src, 0, 4096));
	tdat_window_unmap(&w);
	tdat_file_close(file);
	seen_free(&all);
}
END_TEST

/* What stays resident of the file does not grow with it. */
START_TEST(little_is_resident)
{
	const struct tdat_event *ev;
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_file *file = open_as(made, TDAT_ACCESS_MAP);
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter *iter;
	unsigned long most = 0, first = 0;
	size_t n = 0;

	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &opts, NULL), TDAT_OK);
	while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev) {
		unsigned long total, resident, shared;
		FILE *f;

		if (n++ % 1000)
			continue;
		f = fopen("/proc/self/statm", "r");
		if (!f)
			break; /* no procfs here */
		ck_assert_int_eq(fscanf(f, "%lu %lu %lu", &total, &resident, &shared), 3);
		fclose(f);
		first = first ? first : shared;
		most = shared > most ? shared : most;
	}
	ck_assert_msg((most - first) * (unsigned long)sysconf(_SC_PAGESIZE) < 1024 * 1024,
		      "%lu pages", most - first);
	tdat_iter_free(iter);
	tdat_file_close(file);
}
END_TEST

/* ---- a file that shrinks ---- */

/* Bytes that go before a window is mapped are damage, as for files that are read. */
START_TEST(shrinks_before)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_file *file = open_as(made, TDAT_ACCESS_MAP);
	const struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_stream_damage *damage;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t count, n = 0;

	ck_assert_int_eq(truncate(made, 64 * 1024), 0);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &opts, &err), TDAT_OK);
	while (tdat_iter_next(iter, &ev, &err) == TDAT_OK && ev)
		n++;
	damage = tdat_iter_damage(iter, &count);
	ck_assert_uint_ge(count, 1);
	ck_assert_msg(strstr(damage[0].message, "truncated while it was read") != NULL, "%s",
		      damage[0].message);
	ck_assert_uint_lt(n, EVENTS);
	tdat_iter_free(iter);
	tdat_file_close(file);
}
END_TEST

/* As the header says: bytes that go while they are mapped end a program that does not care. */
START_TEST(shrinks_while_mapped)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		const struct rlimit none = {0, 0};
		struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
		struct tdat_file *file = open_as(made, TDAT_ACCESS_MAP);
		const struct tdat_iter_input in = {file, 0, 0};
		const struct tdat_event *ev;
		struct tdat_iter *iter;

		setrlimit(RLIMIT_CORE, &none);
		signal(SIGBUS, SIG_DFL); /* a sanitizer has its own */
		if (tdat_iter_new(&iter, &in, 1, &opts, NULL) || tdat_iter_next(iter, &ev, NULL) ||
		    !ev || truncate(made, 4096))
			_exit(1);
		while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev)
			;
		_exit(2);
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS, "ended with %#x", status);
}
END_TEST

/* Starts "tdat dump made"; its output is a pipe that nobody reads yet. */
static pid_t start_dump(const char *access, const char *threads, int *out, FILE **err)
{
	char *argv[] = {"tdat", "dump", "--threads", (char *)(uintptr_t)threads, made, NULL};
	int pipe_fd[2];
	pid_t pid;

	*err = tmpfile();
	ck_assert(*err && !pipe(pipe_fd));
	pid = fork();
	if (!pid) {
		dup2(pipe_fd[1], 1);
		dup2(fileno(*err), 2);
		close(pipe_fd[0]);
		close(pipe_fd[1]);
		setenv("TDAT_ACCESS", access, 1);
		execv(getenv("TDAT_TEST_PROGRAM"), argv);
		_exit(127);
	}
	ck_assert_int_gt(pid, 0);
	close(pipe_fd[1]);
	*out = pipe_fd[0];
	return pid;
}

/* Bytes of output up to its end. */
static size_t drain(int fd)
{
	static char buf[65536];
	size_t sum = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		sum += (size_t)n;
	return sum;
}

static const struct {
	const char *access, *threads, *sentence;
} dumps[] = {
	{"map", "1", ": shrank while it was read: it has 4096 bytes, and had "},
	{"map", "2", ": shrank while it was read: it has 4096 bytes, and had "},
	{"read", "1", "truncated while it was read"},
};

/* The program waits for its reader, the file shrinks, the reader goes on. */
START_TEST(dump_into_a_slow_pipe)
{
	char text[4096];
	FILE *err;
	int out, status;
	pid_t pid = start_dump(dumps[_i].access, dumps[_i].threads, &out, &err);
	size_t n;

	for (n = 0; n < 1000;) {
		ssize_t got = read(out, text, sizeof(text));

		ck_assert_int_gt(got, 0);
		n += (size_t)got;
	}
	ck_assert_int_eq(truncate(made, 4096), 0);
	n += drain(out);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "ended with %#x", status);
	rewind(err);
	text[fread(text, 1, sizeof(text) - 1, err)] = 0;
	ck_assert_msg(strstr(text, dumps[_i].sentence) && strstr(text, made), "%s", text);
	ck_assert_uint_gt(n, 1000); /* what was written before stays */
	fclose(err);
	close(out);
}
END_TEST

static void remove_file(void)
{
	unlink(made);
	memcpy(made + sizeof(made) - 7, "XXXXXX", 6);
}

int main(void)
{
	TCase *tc = tcase_create("mapped");
	Suite *s = suite_create("read/mapped");

	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, same_events);
	tcase_add_test(tc, windows);
	tcase_add_test(tc, growing);
	tcase_add_test(tc, little_is_resident);
	tcase_add_test(tc, shrinks_before);
	tcase_add_test(tc, shrinks_while_mapped);
	if (getenv("TDAT_TEST_PROGRAM"))
		tcase_add_loop_test(tc, dump_into_a_slow_pipe, 0, sizeof(dumps) / sizeof(dumps[0]));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
