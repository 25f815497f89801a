/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One opened file, many threads: each has an iterator, a printer and exporters of its own, all
 * ask for the same symbols, tasks and formats, which are made when they are first asked for,
 * while other threads open and close the same file. What each gets is what one thread alone
 * gets. Built with TDAT_SANITIZE=thread (scripts/tsan), it shows data races.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "../unit/common/run.h"

enum { READERS = 6, OPENERS = 2, ROUNDS = 3, OPENINGS = 20, KINDS = 4 };

static const char *const names[] = {
	"i386-61-fgraph",  "i386-61-v7-zstd-sched",   "i386-61-v7-buffers",
	"x64-61-syscalls", "x64-lab612-trace-printk", "s390x-61-kstack",
};

/* A hash of what was read in each way; 0: a call failed. */
struct answers {
	uint64_t hash[KINDS];
};

struct work {
	const char *path;
	struct tdat_file *file;
	pthread_barrier_t *start;
	struct answers answers[ROUNDS];
	uint64_t bad; /* openings that failed */
};

static void mix(uint64_t *hash, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ p[i]) * UINT64_C(0x100000001b3);
}

/* Lines, and what the tables of symbols, tasks and formats say of each event. */
static uint64_t read_lines(const struct tdat_file *file)
{
	const struct tdat_iter_input in = {(struct tdat_file *)file, 0, 0};
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	struct tdat_printer *printer = NULL;
	const struct tdat_event *ev;
	struct tdat_iter *iter = NULL;
	struct tdat_span text;
	enum tdat_status st = tdat_iter_new(&iter, &in, 1, NULL, NULL);

	if (st == TDAT_OK)
		st = tdat_printer_new(&printer, &in, 1, NULL, NULL);
	while (st == TDAT_OK && (st = tdat_iter_next(iter, &ev, NULL)) == TDAT_OK && ev) {
		const struct tdat_event_format *f = tdat_file_format_by_id(file, ev->id);
		struct tdat_span comm = tdat_file_comm(file, ev->pid);

		mix(&hash, comm.ptr, comm.len);
		if (f)
			mix(&hash, tdat_event_format_name(f), strlen(tdat_event_format_name(f)));
		st = tdat_printer_line(printer, ev, &text, NULL);
		if (st == TDAT_OK)
			mix(&hash, text.ptr, text.len);
	}
	tdat_printer_free(printer);
	tdat_iter_free(iter);
	return st == TDAT_OK ? hash : 0;
}

static enum tdat_status mix_text(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	mix(ctx, data, len);
	return TDAT_OK;
}

/* What an exporter makes, on two threads of its own. */
static uint64_t read_export(const struct tdat_file *file, const char *exporter)
{
	const struct tdat_iter_input in = {(struct tdat_file *)file, 0, 0};
	const struct tdat_keyed_option option = {"text", ""};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	struct tdat_export *e = NULL;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	request.inputs = &in;
	request.input_count = 1;
	request.options = &option;
	request.option_count = !strcmp(exporter, "json");
	opts.threads = 2;
	st = tdat_export_new(&e, tdat_exporter_find(exporter), &request, NULL);
	if (st == TDAT_OK)
		st = tdat_iter_new(&iter, &in, 1, NULL, NULL);
	if (st == TDAT_OK)
		st = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, mix_text, &hash,
			       NULL);
	tdat_iter_free(iter);
	tdat_export_free(e);
	return st == TDAT_OK ? hash : 0;
}

/* Counts of the whole file, on two threads of its own. */
static uint64_t read_stat(const struct tdat_file *file)
{
	const struct tdat_iter_input in = {(struct tdat_file *)file, 0, 0};
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	const struct tdat_stat_event *events;
	struct tdat_stat *stat;
	size_t count;

	opts.threads = 2;
	if (tdat_stat_new(&stat, &in, 1, &opts, NULL))
		return 0;
	events = tdat_stat_events(stat, &count);
	for (size_t i = 0; i < count; i++) {
		mix(&hash, &events[i].id, sizeof(events[i].id));
		mix(&hash, &events[i].count, sizeof(events[i].count));
	}
	tdat_stat_free(stat);
	return hash;
}

static void read_all(const struct tdat_file *file, struct answers *a)
{
	a->hash[0] = read_lines(file);
	a->hash[1] = read_export(file, "json");
	a->hash[2] = read_export(file, "text");
	a->hash[3] = read_stat(file);
}

/* No assertion here: libcheck leaves the function by a jump, which a thread must not. */
static void *reader(void *arg)
{
	struct work *w = arg;

	pthread_barrier_wait(w->start);
	for (int i = 0; i < ROUNDS; i++)
		read_all(w->file, &w->answers[i]);
	return NULL;
}

static void *opener(void *arg)
{
	struct work *w = arg;

	pthread_barrier_wait(w->start);
	for (int i = 0; i < OPENINGS; i++) {
		struct tdat_file *file;

		if (tdat_file_open(&file, w->path, NULL, NULL)) {
			w->bad++;
			continue;
		}
		/* Half of them ask for what is made late, half close at once. */
		if (i & 1)
			w->bad += !read_stat(file) || !tdat_file_info(file)->version;
		tdat_file_close(file);
	}
	return NULL;
}

static struct answers alone(const char *path)
{
	struct tdat_file *file;
	struct answers a;

	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	read_all(file, &a);
	tdat_file_close(file);
	for (int k = 0; k < KINDS; k++)
		ck_assert_uint_ne(a.hash[k], 0);
	return a;
}

START_TEST(test_threads_share_a_file)
{
	static struct work work[READERS + OPENERS];
	pthread_t threads[READERS + OPENERS];
	pthread_barrier_t start;
	struct tdat_file *file;
	struct answers want;
	char path[4096];

	ck_assert_ptr_nonnull(getenv("TDAT_FIXTURES"));
	snprintf(path, sizeof(path), "%s/valid/%s.dat", getenv("TDAT_FIXTURES"), names[_i]);
	want = alone(path);
	/* Nothing has been asked of this one yet: threads race for what is made late. */
	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(pthread_barrier_init(&start, NULL, READERS + OPENERS), 0);
	for (size_t i = 0; i < READERS + OPENERS; i++) {
		work[i] = (struct work){.path = path, .file = file, .start = &start};
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, i < READERS ? reader : opener, &work[i]),
			0);
	}
	for (size_t i = 0; i < READERS + OPENERS; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < READERS; i++)
		for (int r = 0; r < ROUNDS; r++)
			for (int k = 0; k < KINDS; k++)
				ck_assert_uint_eq(work[i].answers[r].hash[k], want.hash[k]);
	for (size_t i = READERS; i < READERS + OPENERS; i++)
		ck_assert_uint_eq(work[i].bad, 0);
	pthread_barrier_destroy(&start);
	tdat_file_close(file);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("shared");
	TCase *tc = tcase_create("threads");

	tcase_set_timeout(tc, 600);
	tcase_add_loop_test(tc, test_threads_share_a_file, 0, sizeof(names) / sizeof(names[0]));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
