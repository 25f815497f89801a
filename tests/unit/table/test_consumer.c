/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract of the Arrow C data and stream interfaces, by a consumer that makes use of all that
 * they allow: schemas before, between and after batches, streams released before their end and
 * before what they gave out, children that are moved out of their parents, calls behind the
 * end. Arrays are also checked after all else is gone. A stream that fails says why.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <check.h>

#include <tdat/tdat.h>

#include "arrow_text.h"

#include "../common/run.h"

enum { BATCH_ROWS = 97 };

static void open_stream(const struct tdat_trace *trace, const struct tdat_table *table,
			struct ArrowArrayStream *stream)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;

	opts.batch_rows = BATCH_ROWS;
	ck_assert_int_eq(tdat_trace_stream(trace, table, &opts, stream, NULL), TDAT_OK);
	ck_assert(stream->release && stream->get_schema && stream->get_next);
	ck_assert_ptr_null(stream->get_last_error(stream));
}

static void same_schema(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
	ck_assert_str_eq(a->format, b->format);
	ck_assert_str_eq(a->name, b->name);
	ck_assert_int_eq(a->n_children, b->n_children);
	ck_assert_int_eq(!a->dictionary, !b->dictionary);
	for (int64_t i = 0; i < a->n_children; i++)
		same_schema(a->children[i], b->children[i]);
}

static void release_schema(struct ArrowSchema *s)
{
	s->release(s);
	ck_assert(!s->release);
}

static void release_array(struct ArrowArray *a)
{
	a->release(a);
	ck_assert(!a->release);
}

/* Each child is moved out, and lives on without its parent. */
static void check_moved(const struct ArrowSchema *schema, struct ArrowArray *rows)
{
	const int64_t count = rows->n_children;
	struct ArrowArray *moved = calloc((size_t)count + 1, sizeof(*moved));

	ck_assert_ptr_nonnull(moved);
	for (int64_t i = 0; i < count; i++) {
		moved[i] = *rows->children[i];
		rows->children[i]->release = NULL;
	}
	release_array(rows);
	for (int64_t i = 0; i < count; i++) {
		arrow_check(schema->children[i], &moved[i]);
		release_array(&moved[i]);
	}
	free(moved);
}

/* The stream is gone after two batches, which stay. */
static void check_early(const struct tdat_trace *trace, const struct tdat_table *table)
{
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray first, second;

	open_stream(trace, table, &stream);
	ck_assert_int_eq(stream.get_next(&stream, &first), 0);
	ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
	ck_assert_int_eq(stream.get_next(&stream, &second), 0);
	stream.release(&stream);
	ck_assert(!stream.release);
	if (second.release) {
		arrow_check(&schema, &second);
		release_array(&second);
	}
	if (first.release) {
		arrow_check(&schema, &first);
		check_moved(&schema, &first);
	}
	release_schema(&schema);
}

/* To the end and behind it. Returns the rows. */
static int64_t check_whole(const struct tdat_trace *trace, const struct tdat_table *table)
{
	struct ArrowArrayStream stream;
	struct ArrowSchema schema, again;
	struct ArrowArray rows;
	int64_t count = 0;

	open_stream(trace, table, &stream);
	ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
	while (!stream.get_next(&stream, &rows) && rows.release) {
		ck_assert_int_gt(rows.length, 0);
		arrow_check(&schema, &rows);
		count += rows.length;
		release_array(&rows);
	}
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(stream.get_next(&stream, &rows), 0);
		ck_assert(!rows.release);
	}
	ck_assert_ptr_null(stream.get_last_error(&stream));
	ck_assert_int_eq(stream.get_schema(&stream, &again), 0);
	stream.release(&stream);
	ck_assert(!stream.release);
	same_schema(&schema, &again);
	release_schema(&schema);
	release_schema(&again);
	return count;
}

/* A stream that nobody asks anything. */
static void check_unused(const struct tdat_trace *trace, const struct tdat_table *table)
{
	struct ArrowArrayStream stream;

	open_stream(trace, table, &stream);
	stream.release(&stream);
	ck_assert(!stream.release);
}

static enum tdat_status count_rows(void *ctx, const struct tdat_table *table,
				   const struct ArrowArray *rows, struct tdat_error *err)
{
	int64_t *counts = ctx;

	(void)err;
	counts[table->index] += rows->length;
	return TDAT_OK;
}

/* All streams; of event types without events, of which there are thousands, each 397th. */
static void check_trace(const struct tdat_trace *trace)
{
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);
	const struct tdat_table **list = calloc(count, sizeof(*list));
	int64_t *rows = calloc(count, sizeof(*rows));

	ck_assert(list && rows);
	for (size_t i = 0; i < count; i++)
		list[i] = &tables[i];
	ck_assert_int_eq(tdat_trace_read(trace, list, count, NULL, false, count_rows, rows, NULL),
			 TDAT_OK);
	for (size_t i = 0; i < count; i++) {
		if (!rows[i] && i % 397 && tables[i].kind == TDAT_TABLE_EVENT)
			continue;
		if (tables[i].kind != TDAT_TABLE_EVENT)
			check_unused(trace, &tables[i]);
		if (i % 2 || tables[i].kind != TDAT_TABLE_EVENT)
			check_early(trace, &tables[i]);
		ck_assert_int_eq(check_whole(trace, &tables[i]), rows[i]);
	}
	free(rows);
	free(list);
}

static void fixture_path(char *out, size_t size, const char *name)
{
	const char *fixtures = getenv("TDAT_FIXTURES");

	snprintf(out, size, "%s/valid/%s", fixtures ? fixtures : "tests/fixtures", name);
}

START_TEST(legal_orders)
{
	struct dirent *e;
	char path[1024];
	size_t files = 0;
	DIR *d;

	fixture_path(path, sizeof(path), "");
	d = opendir(path);
	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d))) {
		const size_t len = strlen(e->d_name);
		struct tdat_iter_input in = {0};
		struct tdat_trace *trace;

		/* Half of the files, by the length of their names. */
		if (len < 4 || strcmp(e->d_name + len - 4, ".dat") || len % 2)
			continue;
		fixture_path(path, sizeof(path), e->d_name);
		ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
		check_trace(trace);
		tdat_trace_free(trace);
		tdat_file_close(in.file);
		files++;
	}
	closedir(d);
	ck_assert_uint_gt(files, 5);
}
END_TEST

/* ---- failures ---- */

struct piece {
	struct piece *next;
};

/* Takes all memory that can be had, in ever smaller pieces. */
static struct piece *take_memory(void)
{
	struct piece *pieces = NULL;

	for (size_t size = 1 << 20; size >= sizeof(*pieces); size /= 2) {
		struct piece *p;

		while ((p = malloc(size))) {
			p->next = pieces;
			pieces = p;
		}
	}
	return pieces;
}

static void give_back(struct piece *pieces)
{
	while (pieces) {
		struct piece *next = pieces->next;

		free(pieces);
		pieces = next;
	}
}

/* Whether a limit of memory holds here; an emulator and a sanitizer take no notice of it. */
static bool limit_memory(struct rlimit *before)
{
	struct rlimit limit;
	void *p;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false; /* it would end the program */
#endif
	ck_assert_int_eq(getrlimit(RLIMIT_AS, before), 0);
	limit = (struct rlimit){1 << 20, before->rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	p = malloc((size_t)64 << 20);
	free(p);
	if (!p)
		return true;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, before), 0);
	return false;
}

START_TEST(failing_stream)
{
	struct tdat_iter_input in = {0};
	struct ArrowArrayStream stream;
	struct ArrowArray rows;
	struct tdat_trace *trace;
	struct piece *pieces;
	struct rlimit before;
	char path[1024], text[256];
	const char *said;
	int rc;

	fixture_path(path, sizeof(path), "x64-61-v7-none-tiny.dat");
	ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
	open_stream(trace, tdat_trace_find(trace, "events"), &stream);
	if (!limit_memory(&before)) {
		puts("failing_stream: no limit of memory here");
	} else {
		pieces = take_memory();
		rc = stream.get_next(&stream, &rows);
		said = rc ? stream.get_last_error(&stream) : NULL;
		snprintf(text, sizeof(text), "%s", said ? said : "");
		give_back(pieces);
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
		ck_assert_int_eq(rc, ENOMEM);
		ck_assert(!rows.release);
		ck_assert_msg(strstr(text, "memory"), "it says: %s", text);
	}
	stream.release(&stream);
	tdat_trace_free(trace);
	tdat_file_close(in.file);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("consumer");
	TCase *tc = tcase_create("consumer");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, legal_orders);
	tcase_add_test(tc, failing_stream);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
