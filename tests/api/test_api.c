/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library as its users see it: only <tdat/...>, every way in, threads. */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "../unit/common/run.h"

static char *fixture(const char *name)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char *path = malloc(4096);

	ck_assert_ptr_nonnull(dir);
	ck_assert_ptr_nonnull(path);
	snprintf(path, 4096, "%s/valid/%s.dat", dir, name);
	return path;
}

static uint64_t count_events(struct tdat_file *file)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	uint64_t n = 0;

	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, &err), TDAT_OK);
	while (tdat_iter_next(iter, &ev, &err) == TDAT_OK && ev)
		n++;
	ck_assert_int_eq(err.status, TDAT_OK);
	tdat_iter_free(iter);
	return n;
}

/* ---- ways to open ---- */

static uint64_t open_path(const char *path, enum tdat_access access)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_file *file;
	uint64_t n;

	opts.access = access;
	ck_assert_int_eq(tdat_file_open(&file, path, &opts, NULL), TDAT_OK);
	n = count_events(file);
	tdat_file_close(file);
	return n;
}

static uint64_t open_fd(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct tdat_file *file;
	uint64_t n;

	ck_assert_int_eq(tdat_file_open_fd(&file, fd, "a descriptor", NULL, NULL), TDAT_OK);
	close(fd);
	ck_assert_str_eq(tdat_file_info(file)->name, "a descriptor");
	n = count_events(file);
	tdat_file_close(file);
	return n;
}

struct feeder {
	const char *path;
	int to;
};

static void *feed(void *arg)
{
	const struct feeder *f = arg;
	char buf[5000];
	FILE *in = fopen(f->path, "rb");
	size_t n;

	while (in && (n = fread(buf, 1, sizeof(buf), in)) > 0)
		if (write(f->to, buf, n) != (ssize_t)n)
			break;
	if (in)
		fclose(in);
	close(f->to);
	return NULL;
}

static uint64_t open_pipe(const char *path)
{
	struct tdat_file *file;
	struct feeder f = {path, 0};
	pthread_t t;
	int fds[2];
	uint64_t n;

	ck_assert_int_eq(pipe(fds), 0);
	f.to = fds[1];
	ck_assert_int_eq(pthread_create(&t, NULL, feed, &f), 0);
	ck_assert_int_eq(tdat_file_open_fd(&file, fds[0], "a pipe", NULL, NULL), TDAT_OK);
	pthread_join(t, NULL);
	close(fds[0]);
	n = count_events(file);
	tdat_file_close(file);
	return n;
}

START_TEST(every_way_in)
{
	char *path = fixture("x64-61-v7-none-tiny");
	uint64_t n = open_path(path, TDAT_ACCESS_MAP);

	ck_assert_uint_eq(n, 166);
	ck_assert_uint_eq(open_path(path, TDAT_ACCESS_READ), n);
	ck_assert_uint_eq(open_fd(path), n);
	ck_assert_uint_eq(open_pipe(path), n);
	free(path);
}
END_TEST

START_TEST(failures)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file = (struct tdat_file *)&err;

	ck_assert_int_eq(tdat_file_open(&file, "/nonexistent/x.dat", NULL, &err), TDAT_E_SYSTEM);
	ck_assert_ptr_null(file);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/x.dat"));
	ck_assert_int_eq(tdat_file_open(&file, "/", NULL, &err), TDAT_E_FORMAT);
	ck_assert_int_eq(tdat_file_open_memory(&file, "no", 2, "m", NULL, &err), TDAT_E_FORMAT);
	ck_assert_uint_eq(err.off, 0);
	ck_assert_int_eq(
		tdat_file_open_memory(&file, "\x17\x08\x44tracing0.6", 14, "p", NULL, &err),
		TDAT_E_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.message, "perf.data"));
	tdat_file_close(NULL);
	tdat_iter_free(NULL);
	tdat_printer_free(NULL);
}
END_TEST

/* ---- fields ---- */

START_TEST(fields)
{
	char *path = fixture("x64-61-v7-none-tiny");
	const struct tdat_field *comm, *pid;
	const struct tdat_event_format *format;
	const struct tdat_event *ev;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_iter *iter;
	unsigned seen = 0;

	ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
	format = tdat_file_format_by_name(in.file, "sched", "sched_switch");
	ck_assert_ptr_nonnull(format);
	comm = tdat_event_format_field(format, "next_comm");
	pid = tdat_event_format_field(format, "next_pid");
	ck_assert_uint_eq(comm->array_count, 16);
	ck_assert(comm->flags & TDAT_FIELD_STRING);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev) {
		struct tdat_span name;
		int64_t v;

		if (ev->id != tdat_event_format_id(format))
			continue;
		ck_assert_int_eq(tdat_field_string(comm, ev->record, &name, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_field_i64(pid, ev->record, &v, NULL), TDAT_OK);
		ck_assert(v != 0 || !memcmp(name.ptr, "swapper/", 8));
		seen++;
	}
	ck_assert_uint_gt(seen, 50);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	free(path);
}
END_TEST

/* ---- threads ---- */

static void *read_and_print(void *arg)
{
	struct tdat_iter_input in = {arg, 0, 0};
	const struct tdat_event *ev;
	struct tdat_printer *printer;
	struct tdat_iter *iter;
	uint64_t sum = 0;

	if (tdat_iter_new(&iter, &in, 1, NULL, NULL) ||
	    tdat_printer_new(&printer, &in, 1, NULL, NULL))
		return NULL;
	while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev) {
		struct tdat_span text;
		size_t i;

		if (tdat_printer_line(printer, ev, &text, NULL))
			return NULL;
		for (i = 0; i < text.len; i++)
			sum = sum * 31 + text.ptr[i];
	}
	tdat_printer_free(printer);
	tdat_iter_free(iter);
	return (void *)(uintptr_t)sum;
}

START_TEST(one_file_many_threads)
{
	char *path = fixture("x64-61-syscalls");
	void *first = NULL, *sum;
	struct tdat_file *file;
	pthread_t t[4];
	int i;

	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&t[i], NULL, read_and_print, file), 0);
	for (i = 0; i < 4; i++) {
		pthread_join(t[i], &sum);
		ck_assert_ptr_nonnull(sum);
		first = first ? first : sum;
		ck_assert_ptr_eq(sum, first);
	}
	tdat_file_close(file);
	free(path);
}
END_TEST

struct text {
	char *ptr;
	size_t len;
};

static enum tdat_status append(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct text *t = ctx;
	char *p = realloc(t->ptr, t->len + len);

	if (!p)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	memcpy(p + t->len, data, len);
	t->ptr = p;
	t->len += len;
	return TDAT_OK;
}

static struct text pump(const char *path, uint32_t threads, uint64_t limit)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_export *e;
	struct tdat_iter *iter;
	struct text t = {NULL, 0};

	opts.threads = threads;
	opts.limit = limit;
	ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	request.inputs = &in;
	request.input_count = 1;
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find("text"), &request, NULL), TDAT_OK);
	ck_assert_int_eq(
		tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, append, &t, NULL),
		TDAT_OK);
	tdat_export_free(e);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	return t;
}

START_TEST(same_bytes_for_any_threads)
{
	char *path = fixture("x64-lab612-lost-v6");
	struct text one = pump(path, 1, 0);
	uint32_t n;

	ck_assert_uint_gt(one.len, 100000);
	for (n = 2; n <= 8; n++) {
		struct text many = pump(path, n, 0);

		ck_assert_uint_eq(many.len, one.len);
		ck_assert(!memcmp(many.ptr, one.ptr, one.len));
		free(many.ptr);
	}
	free(one.ptr);
	one = pump(path, 3, 1);
	ck_assert_ptr_eq(memchr(one.ptr, '\n', one.len - 1) ? NULL : one.ptr, one.ptr);
	free(one.ptr);
	free(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("api");
	TCase *t = tcase_create("api");

	tcase_add_test(t, every_way_in);
	tcase_add_test(t, failures);
	tcase_add_test(t, fields);
	tcase_add_test(t, one_file_many_threads);
	tcase_add_test(t, same_bytes_for_any_threads);
	suite_add_tcase(s, t);
	return run_suite(s);
}
