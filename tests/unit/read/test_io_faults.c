/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading of a file that misbehaves: the n-th system call that reads is
 * interrupted, gives one byte only, fails, or finds the file shortened or grown,
 * for all n. What is a fault must be told, what is none must change nothing.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "../common/run.h"

enum fault { NONE, INTERRUPT, SHORT, FAIL, CUT, GROW, FAULTS };

static enum fault fault;
static unsigned fault_at; /* the call it happens at, from 1 */
static unsigned calls;
static int grow_fd = -1;

ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __real_pread(int fd, void *buf, size_t n, off_t off);
ssize_t __real_pread64(int fd, void *buf, size_t n, off_t off);
ssize_t __wrap_read(int fd, void *buf, size_t n);
ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t n, off_t off);

/* True: *rc is what the call returns. */
static bool inject(size_t *n, ssize_t *rc)
{
	if (++calls != fault_at)
		return false;
	switch (fault) {
	case INTERRUPT:
		errno = EINTR;
		*rc = -1;
		return true;
	case SHORT:
		*n = *n > 1 ? 1 : *n;
		return false;
	case FAIL:
		errno = EIO;
		*rc = -1;
		return true;
	case CUT:
		*rc = 0;
		return true;
	case GROW:
		ck_assert_int_eq(write(grow_fd, "more", 4), 4);
		return false;
	default:
		return false;
	}
}

ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	ssize_t rc;

	return inject(&n, &rc) ? rc : __real_read(fd, buf, n);
}

ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t off)
{
	ssize_t rc;

	return inject(&n, &rc) ? rc : __real_pread(fd, buf, n, off);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t n, off_t off)
{
	ssize_t rc;

	return inject(&n, &rc) ? rc : __real_pread64(fd, buf, n, off);
}

/* ---- everything that can be read of a file, as one number ---- */

struct seen {
	uint64_t hash;
	uint64_t events;
	enum tdat_status status; /* first failure */
	size_t damage;		 /* findings and streams with damage */
	char message[512];
};

static void add(struct seen *seen, const void *p, size_t n)
{
	const uint8_t *at = p;

	while (n--)
		seen->hash = (seen->hash ^ *at++) * 0x100000001b3;
}

static enum tdat_status add_text(void *ctx, const void *p, size_t n, struct tdat_error *err)
{
	struct seen *seen = ctx;

	(void)err;
	add(seen, p, n);
	for (size_t i = 0; i < n; i++)
		seen->events += ((const char *)p)[i] == '\n';
	return TDAT_OK;
}

static enum tdat_status read_events(struct tdat_file *file, struct seen *seen,
				    struct tdat_error *err)
{
	struct tdat_iter_input in = {file, 0, 0};
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_export *e = NULL;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;
	size_t damaged;

	opts.threads = 1;
	request.inputs = &in;
	request.input_count = 1;
	st = tdat_iter_new(&iter, &in, 1, NULL, err);
	if (st == TDAT_OK)
		st = tdat_export_new(&e, tdat_exporter_find("text"), &request, err);
	if (st == TDAT_OK)
		st = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, add_text, seen,
			       err);
	if (iter) {
		tdat_iter_damage(iter, &damaged);
		seen->damage += damaged;
	}
	tdat_export_free(e);
	tdat_iter_free(iter);
	return st;
}

static struct seen look(const char *path)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct seen seen = {.hash = 14695981039346656037u};
	struct tdat_cpu_summary sum;
	struct tdat_file *file;

	opts.tolerate_damage = true;
	calls = 0;
	seen.status = tdat_file_open(&file, path, &opts, &err);
	if (seen.status == TDAT_OK) {
		tdat_file_damage(file, &seen.damage);
		seen.status = tdat_file_cpu_summary(file, 0, 0, true, &sum, &err);
		if (seen.status == TDAT_OK) {
			add(&seen, &sum.event_count, sizeof(sum.event_count));
			seen.damage += sum.bad_pages != 0;
			seen.status = read_events(file, &seen, &err);
		}
		tdat_file_close(file);
	}
	memcpy(seen.message, err.message, sizeof(seen.message));
	return seen;
}

/* ---- the files ---- */

static const char *const files[] = {
	"valid/i386-61-v6-sched.dat",
	"valid/i386-61-v7-zstd-sched.dat",
	"valid/s390x-61-kstack.dat",
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

static char copy_path[64];

static void copy_fixture(const char *name)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char command[1024];
	int fd;

	strcpy(copy_path, "/tmp/tdat-faults-XXXXXX");
	fd = mkstemp(copy_path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_ptr_nonnull(dir);
	snprintf(command, sizeof(command), "cp '%s/%s' %s", dir, name, copy_path);
	ck_assert_int_eq(system(command), 0);
}

static void judge(enum fault f, unsigned n, const struct seen *clean, const struct seen *seen)
{
	if (f == INTERRUPT || f == SHORT || f == GROW) {
		ck_assert_msg(seen->status == TDAT_OK && seen->hash == clean->hash &&
				      seen->damage == clean->damage,
			      "fault %d at call %u: status %d, %s", f, n, seen->status,
			      seen->message);
	} else if (f == FAIL) {
		/* Where a lookahead failed, all events may still have come. */
		ck_assert_msg(seen->status == TDAT_E_SYSTEM || seen->hash == clean->hash,
			      "EIO at call %u: status %d, %llu of %llu events, %s", n, seen->status,
			      (unsigned long long)seen->events, (unsigned long long)clean->events,
			      seen->message);
		ck_assert_msg(seen->status != TDAT_E_SYSTEM || strstr(seen->message, strerror(EIO)),
			      "EIO at call %u: %s", n, seen->message);
	} else {
		/* Events may be missing then; that they are must be told. */
		ck_assert_msg(seen->status != TDAT_OK || seen->damage > clean->damage ||
				      seen->hash == clean->hash,
			      "cut at call %u: %llu of %llu events, nothing told", n,
			      (unsigned long long)seen->events, (unsigned long long)clean->events);
	}
}

START_TEST(every_call)
{
	enum fault f = (enum fault)(NONE + 1 + _i % (FAULTS - 1));
	struct seen clean, seen;
	unsigned n, count;
	struct stat sb;
	off_t len;

	copy_fixture(files[_i / (FAULTS - 1)]);
	fault = NONE;
	clean = look(copy_path);
	ck_assert_msg(clean.status == TDAT_OK && clean.events > 100, "%s", clean.message);
	count = calls;
	ck_assert_int_eq(stat(copy_path, &sb), 0);
	len = sb.st_size;
	ck_assert_uint_gt(count, 5);
	fault = f;
	grow_fd = open(copy_path, O_WRONLY | O_APPEND);
	for (n = 1; n <= count; n++) {
		fault_at = n;
		ck_assert_int_eq(truncate(copy_path, len), 0); /* as it was before it grew */
		seen = look(copy_path);
		judge(f, n, &clean, &seen);
	}
	fault = NONE;
	close(grow_fd);
	unlink(copy_path);
}
END_TEST

/* ---- the table of CPUs ---- */

static void take_told(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	(void)damage;
	*(size_t *)ctx += count;
}

/* The rows of the table are added to *nulls if they have no time. */
static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	(void)table;
	(void)err;
	*(size_t *)ctx += (size_t)rows->children[5]->null_count; /* first_ts */
	return TDAT_OK;
}

static enum tdat_status read_cpus(struct tdat_file *file, size_t *told, size_t *nulls)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	const struct tdat_table *table;
	struct tdat_trace *trace;
	enum tdat_status st;

	opts.threads = 1;
	opts.damage = take_told;
	opts.damage_ctx = told;
	ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
	table = tdat_trace_find(trace, "cpus");
	calls = 0;
	st = tdat_trace_read(trace, &table, 1, &opts, true, take_rows, nulls, NULL);
	tdat_trace_free(trace);
	return st;
}

/* A page, or a chunk, that cannot be read leaves times out: that must be told. */
START_TEST(cpus)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	unsigned count = 1, without = 0;

	copy_fixture(files[_i]);
	for (unsigned n = 0; n <= count; n++) {
		struct tdat_file *file;
		size_t told = 0, nulls = 0;
		enum tdat_status st;

		fault = NONE;
		ck_assert_int_eq(tdat_file_open(&file, copy_path, &opts, NULL), TDAT_OK);
		fault = n ? FAIL : NONE;
		fault_at = n;
		st = read_cpus(file, &told, &nulls);
		count = n ? count : calls;
		ck_assert_msg(n || (st == TDAT_OK && !told && !nulls), "sound, but %zu", told);
		ck_assert_msg(!nulls || told, "EIO at call %u: nothing told", n);
		without += nulls != 0;
		tdat_file_close(file);
	}
	ck_assert_uint_gt(without, 0);
	fault = NONE;
	unlink(copy_path);
}
END_TEST

/* The file itself is shortened between opening and reading. */
START_TEST(shortened)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct seen seen = {.hash = 0};
	struct tdat_file *file;

	fault = NONE;
	copy_fixture(files[_i]);
	ck_assert_int_eq(tdat_file_open(&file, copy_path, &opts, &err), TDAT_OK);
	ck_assert_int_eq(truncate(copy_path, 100), 0);
	seen.status = read_events(file, &seen, &err);
	ck_assert_msg(seen.status != TDAT_OK || seen.damage, "nothing told");
	tdat_file_close(file);
	unlink(copy_path);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("faults");
	Suite *s = suite_create("read/io_faults");

	tcase_add_loop_test(tc, every_call, 0, FILES * (FAULTS - 1));
	tcase_add_loop_test(tc, cpus, 0, FILES);
	tcase_add_loop_test(tc, shortened, 0, FILES);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
