/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of every fixture (and of the shared corpus, where there is one): valid Arrow arrays,
 * the same rows by streams, by one pass over all tables, by any number of threads and by any
 * number of pieces, and the values that the iterator and the fields of formats give.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>

#include "arrow_text.h"

#include "../common/part.h"
#include "../common/run.h"

/* ---- all files ---- */

typedef void (*trace_fn)(const struct tdat_trace *trace, struct tdat_file *file, const char *path);

/* Of a folder every nth file, by name. */
static size_t each_trace_of(const char *folder, trace_fn fn, unsigned int nth)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct dirent *e;
	size_t files = 0;
	DIR *d = opendir(folder);

	opts.tolerate_damage = true;
	while (d && (e = readdir(d))) {
		struct tdat_iter_input in = {0};
		struct tdat_trace *trace;
		char path[1024];

		if (!strstr(e->d_name, ".dat") || part_number_of_file(e->d_name) % nth)
			continue;
		files++;
		if (!part_takes_file(e->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		ck_assert_int_eq(tdat_file_open(&in.file, path, &opts, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
		fn(trace, in.file, path);
		tdat_trace_free(trace);
		tdat_file_close(in.file);
	}
	if (d)
		closedir(d);
	return files;
}

/* All fixtures, and of the shared corpus one of nth files. */
static void each_trace(trace_fn fn, unsigned int nth)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char folder[512];

	snprintf(folder, sizeof(folder), "%s/valid", fixtures ? fixtures : "tests/fixtures");
	ck_assert_uint_gt(each_trace_of(folder, fn, 1), 10);
	if (!shared)
		return;
	snprintf(folder, sizeof(folder), "%s/corpus/files", shared);
	each_trace_of(folder, fn, nth);
	snprintf(folder, sizeof(folder), "%s/corpus/partial", shared);
	each_trace_of(folder, fn, nth);
}

/* ---- text of tables ---- */

struct text {
	char *ptr;
	size_t len;
	FILE *f;
};

static void text_open(struct text *t)
{
	t->f = open_memstream(&t->ptr, &t->len);
	ck_assert_ptr_nonnull(t->f);
}

static void text_free(struct text *t)
{
	if (t->f)
		fclose(t->f);
	free(t->ptr);
	memset(t, 0, sizeof(*t));
}

/* Appends the rows of a table to t. Returns how many they were. */
static int64_t put_table(struct text *t, const struct tdat_trace *trace,
			 const struct tdat_table *table, const struct tdat_table_opts *opts)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray rows;
	int64_t count = 0;
	enum tdat_status st = tdat_trace_stream(trace, table, opts, &stream, &err);

	ck_assert_msg(st == TDAT_OK, "%s: %s", table->name, err.message);
	ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
	for (;;) {
		ck_assert_int_eq(stream.get_next(&stream, &rows), 0);
		if (!rows.release)
			break;
		arrow_check(&schema, &rows);
		arrow_put_rows(t->f, &schema, &rows);
		count += rows.length;
		rows.release(&rows);
	}
	ck_assert_int_eq(stream.get_next(&stream, &rows), 0);
	ck_assert(!rows.release);
	ck_assert_ptr_null(stream.get_last_error(&stream));
	schema.release(&schema);
	stream.release(&stream);
	ck_assert(!stream.release);
	return count;
}

static void same_text(struct text *a, struct text *b, const char *path, const char *table,
		      const char *what)
{
	size_t i = 0;

	fflush(a->f);
	fflush(b->f);
	while (i < a->len && i < b->len && a->ptr[i] == b->ptr[i])
		i++;
	ck_assert_msg(a->len == b->len && i == a->len,
		      "%s, table %s, %s: differs at %zu of %zu\n%.200s\n%.200s", path, table, what,
		      i, a->len, a->ptr + (i > 80 ? i - 80 : 0), b->ptr + (i > 80 ? i - 80 : 0));
}

/* ---- the tests ---- */

/* All events of the iterator, as rows of the table "events". */
static void same_events(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	static const char *const columns[] = {"ts", "cpu", "pid", "comm", "id", "event", "lost"};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	const struct tdat_iter_input in = {file, 0, 0};
	struct text table, want;
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	opts.columns = columns;
	opts.column_count = sizeof(columns) / sizeof(columns[0]);
	text_open(&table);
	text_open(&want);
	put_table(&table, trace, tdat_trace_find(trace, "events"), &opts);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	while (!tdat_iter_next(iter, &ev, NULL) && ev) {
		const struct tdat_event_format *f = tdat_file_format_by_id(file, ev->id);

		fprintf(want.f, "ts=%lld cpu=%u pid=%d comm=\"%.*s\" id=%u ", (long long)ev->ts,
			ev->cpu, ev->pid, (int)ev->comm.len, (const char *)ev->comm.ptr, ev->id);
		if (f)
			fprintf(want.f, "event=\"%s\" ", tdat_event_format_name(f));
		if (ev->lost_before)
			fprintf(want.f, "lost=%lld ", (long long)ev->lost_before);
		fputc('\n', want.f);
	}
	tdat_iter_free(iter);
	same_text(&table, &want, path, "events", "as the iterator");
	text_free(&table);
	text_free(&want);
}

START_TEST(as_the_iterator)
{
	each_trace(same_events, 2);
}
END_TEST

/* The rows of events in a span of time, of one pid or of all. */
static void put_chosen(struct text *out, struct tdat_file *file, int64_t from, int64_t to,
		       const int32_t *pid)
{
	const struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	while (!tdat_iter_next(iter, &ev, NULL) && ev)
		if ((int64_t)ev->ts >= from && (int64_t)ev->ts <= to && (!pid || ev->pid == *pid))
			fprintf(out->f, "ts=%lld pid=%d \n", (long long)ev->ts, ev->pid);
	tdat_iter_free(iter);
}

static void same_choice(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	static const char *const columns[] = {"ts", "pid"};
	const struct tdat_table *table = tdat_trace_find(trace, "events");
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	int64_t first, last;

	if (tdat_trace_time(trace, "+0", &first, NULL) != TDAT_OK ||
	    tdat_trace_time(trace, "-0", &last, NULL) != TDAT_OK)
		return;
	opts.columns = columns;
	opts.column_count = 2;
	opts.has_span = true;
	for (int i = 0; i < 12; i++) {
		const int64_t mid = first + (last - first) / 5 * 2;
		const int64_t spans[][2] = {{mid, last - 1},  {INT64_MIN, mid},
					    {mid, INT64_MAX}, {INT64_MIN, INT64_MAX},
					    {mid, mid - 1},   {-5, mid}};
		const int32_t pids[] = {-7, 0};
		struct text got, want;

		opts.from_ts = spans[i % 6][0];
		opts.to_ts = spans[i % 6][1];
		opts.pids = i < 6 ? NULL : pids;
		opts.pid_count = 2;
		text_open(&got);
		text_open(&want);
		opts.split_count = i % 2 ? 3 : 0;
		for (opts.split = 0; !opts.split || opts.split < opts.split_count; opts.split++)
			put_table(&got, trace, table, &opts);
		put_chosen(&want, file, opts.from_ts, opts.to_ts, opts.pids ? &pids[1] : NULL);
		same_text(&got, &want, path, "events", "in a span");
		text_free(&got);
		text_free(&want);
	}
}

START_TEST(in_a_span)
{
	each_trace(same_choice, 2);
}
END_TEST

/* The lines of a table whose ts, pid and cpu are those that are asked for. */
static void put_lines(struct text *out, const struct text *all, const struct tdat_table_opts *opts)
{
	for (const char *line = all->ptr; line < all->ptr + all->len;) {
		const char *end = strchr(line, '\n');
		const int len = (int)(end + 1 - line);
		long long ts = 0;
		int pid = 0;
		unsigned int cpu = 0;
		char buf[128];

		snprintf(buf, sizeof(buf), "%.*s", len, line);
		ck_assert_int_eq(sscanf(buf, "ts=%lld", &ts), 1);
		const char *has_pid = strstr(buf, " pid="), *has_cpu = strstr(buf, " cpu=");

		if (has_pid)
			ck_assert_int_eq(sscanf(has_pid, " pid=%d", &pid), 1);
		if (has_cpu)
			ck_assert_int_eq(sscanf(has_cpu, " cpu=%u", &cpu), 1);
		if ((!opts->has_span || (ts >= opts->from_ts && ts <= opts->to_ts)) &&
		    (!opts->pids || (has_pid && pid == opts->pids[1])) &&
		    (!opts->cpus || (has_cpu && cpu == opts->cpus[0])))
			fprintf(out->f, "%.*s", len, line);
		line = end + 1;
	}
}

/* Rows of derived tables that are chosen are those of the whole table. */
static void same_derived(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	static const char *const columns[] = {"ts", "pid", "cpu", "dur", "open"};
	static const int32_t pids[] = {-7, 0};
	static const uint32_t cpus[] = {1};
	int64_t first, last;
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);

	(void)file;
	if (tdat_trace_time(trace, "+0", &first, NULL) != TDAT_OK ||
	    tdat_trace_time(trace, "-0", &last, NULL) != TDAT_OK)
		return;
	for (size_t k = 0; k < count; k++) {
		struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
		struct text all;

		if (tables[k].kind != TDAT_TABLE_DERIVED)
			continue;
		opts.columns = columns;
		opts.column_count = 5;
		text_open(&all);
		put_table(&all, trace, &tables[k], &opts);
		fflush(all.f);
		for (int i = 0; i < 16; i++) {
			const int64_t mid = first + (last - first) / 7 * (i % 5 + 1);
			struct text got, want;

			opts.has_span = i % 4 < 3;
			opts.from_ts = i % 2 ? mid : INT64_MIN;
			opts.to_ts = i % 3 ? mid + (last - first) / 50 : INT64_MAX;
			opts.pids = i % 8 >= 5 ? pids : NULL;
			opts.pid_count = 2;
			opts.cpus = i >= 10 ? cpus : NULL;
			opts.cpu_count = opts.cpus ? 1 : 0;
			text_open(&got);
			text_open(&want);
			put_table(&got, trace, &tables[k], &opts);
			put_lines(&want, &all, &opts);
			same_text(&got, &want, path, tables[k].name, "chosen");
			text_free(&got);
			text_free(&want);
		}
		text_free(&all);
	}
}

START_TEST(derived_in_a_span)
{
	each_trace(same_derived, 6);
}
END_TEST

static void same_pieces(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	static const uint32_t counts[] = {1, 3, 17};
	const struct tdat_table *tables[] = {
		tdat_trace_find(trace, "events"), tdat_trace_find(trace, "tasks"),
		tdat_trace_find(trace, "lost"), tdat_trace_find(trace, "sched/sched_switch")};

	(void)file;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct text whole;

		if (!tables[i])
			continue;
		text_open(&whole);
		put_table(&whole, trace, tables[i], NULL);
		for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
			struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
			struct text pieces;

			text_open(&pieces);
			opts.split_count = counts[k];
			for (opts.split = 0; opts.split < counts[k]; opts.split++)
				put_table(&pieces, trace, tables[i], &opts);
			same_text(&whole, &pieces, path, tables[i]->name, "in pieces");
			text_free(&pieces);
		}
		text_free(&whole);
	}
}

START_TEST(in_pieces)
{
	each_trace(same_pieces, 24);
}
END_TEST

/* More pieces than a trace is ever cut into: the last ones are empty, and it takes no memory. */
static void more_pieces_than_cuts(const struct tdat_trace *trace, struct tdat_file *file,
				  const char *path)
{
	static const uint32_t empty[] = {65536, 70000, UINT32_MAX - 1};
	const struct tdat_table *events = tdat_trace_find(trace, "events");
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	int64_t rows = 0;
	struct text text;

	(void)file;
	text_open(&text);
	opts.split_count = UINT32_MAX;
	for (opts.split = 0; opts.split < 3; opts.split++)
		rows += put_table(&text, trace, events, &opts);
	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
		opts.split = empty[i];
		ck_assert_msg(!put_table(&text, trace, events, &opts), "%s: piece %u has rows",
			      path, opts.split);
	}
	ck_assert_int_le(rows, put_table(&text, trace, events, NULL));
	text_free(&text);
}

START_TEST(in_too_many_pieces)
{
	each_trace(more_pieces_than_cuts, 24);
}
END_TEST

/* The file as if a recorder had died while it wrote: the end of the file cuts pages. */
static void same_pieces_cut(const struct tdat_trace *whole, struct tdat_file *file,
			    const char *path)
{
	enum { STEP = 1237, CUTS = 12 };
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	const struct tdat_source *src = tdat_file_source(file);
	uint64_t len = tdat_source_len(src);
	uint8_t *bytes;

	(void)whole;
	if (len > 4 << 20)
		return;
	bytes = malloc((size_t)len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(tdat_source_read(src, 0, bytes, (size_t)len, NULL), TDAT_OK);
	opts.tolerate_damage = true;
	for (size_t i = 1; i <= CUTS && i * STEP < len; i++) {
		struct tdat_iter_input in = {0};
		struct tdat_trace *trace;

		if (tdat_file_open_memory(&in.file, bytes, (size_t)len - i * STEP, path, &opts,
					  NULL) != TDAT_OK)
			break;
		ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
		same_pieces(trace, in.file, path);
		tdat_trace_free(trace);
		tdat_file_close(in.file);
	}
	free(bytes);
}

START_TEST(in_pieces_of_cut_files)
{
	each_trace(same_pieces_cut, 24);
}
END_TEST

/* What tdat_trace_read gives, table by table. */
struct reading {
	const struct tdat_trace *trace;
	struct text *texts;
	size_t calls;
};

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct reading *r = ctx;
	struct ArrowSchema schema;

	ck_assert_int_eq(tdat_trace_schema(r->trace, table, NULL, &schema, err), TDAT_OK);
	arrow_check(&schema, rows);
	arrow_put_rows(r->texts[table->index].f, &schema, rows);
	schema.release(&schema);
	return TDAT_OK;
}

static void same_passes(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);
	const struct tdat_table **list = calloc(count, sizeof(*list));
	struct reading r = {trace, calloc(count, sizeof(struct text)), 0};

	(void)file;
	for (uint32_t threads = 1; threads <= 4; threads += 3) {
		struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;

		opts.threads = threads;
		for (size_t i = 0; i < count; i++) {
			list[i] = &tables[i];
			text_open(&r.texts[i]);
		}
		ck_assert_int_eq(
			tdat_trace_read(trace, list, count, &opts, false, take_rows, &r, NULL),
			TDAT_OK);
		for (size_t i = 0; i < count; i++) {
			struct text alone;

			/* Streams of tables without rows are all alike: some are enough. */
			fflush(r.texts[i].f);
			if (!r.texts[i].len && i % 29)
				goto next;
			text_open(&alone);
			put_table(&alone, trace, &tables[i], NULL);
			same_text(&alone, &r.texts[i], path, tables[i].name, "in one pass");
			text_free(&alone);
		next:
			text_free(&r.texts[i]);
		}
	}
	free(r.texts);
	free(list);
}

START_TEST(in_one_pass)
{
	each_trace(same_passes, 24);
}
END_TEST

/* Numbers of every event type, by the functions that read single fields. */
static void same_numbers_of(const struct tdat_trace *trace, struct tdat_file *file,
			    const struct tdat_event_format *f, const char *path)
{
	const struct tdat_iter_input in = {file, 0, 0};
	const char *pattern[1], *columns[64];
	const struct tdat_field *use[64];
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_filter_opts filter_opts = TDAT_FILTER_OPTS_INIT;
	struct tdat_iter_opts iter_opts = TDAT_ITER_OPTS_INIT;
	struct tdat_filter *filter;
	const struct tdat_event *ev;
	struct text table, want;
	struct tdat_iter *iter;
	char name[300];
	size_t n;
	const struct tdat_field *fields = tdat_event_format_fields(f, &n);
	struct ArrowSchema schema;
	const struct tdat_table *t;

	snprintf(name, sizeof(name), "%s/%s", tdat_event_format_system(f),
		 tdat_event_format_name(f));
	t = tdat_trace_find(trace, name);
	ck_assert_ptr_nonnull(t);
	ck_assert_int_eq(tdat_trace_schema(trace, t, NULL, &schema, NULL), TDAT_OK);
	for (size_t i = 0; i < n && opts.column_count < 64; i++) {
		if (fields[i].flags & (TDAT_FIELD_COMMON | TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC))
			continue;
		for (int64_t k = 0; k < schema.n_children; k++)
			if (!strcmp(schema.children[k]->name, fields[i].name) &&
			    strchr("cCsSiIlL", *schema.children[k]->format) &&
			    !schema.children[k]->dictionary && k > 10) {
				use[opts.column_count] = &fields[i];
				columns[opts.column_count++] = fields[i].name;
			}
	}
	opts.columns = columns;
	if (!opts.column_count) {
		schema.release(&schema);
		return;
	}
	text_open(&table);
	text_open(&want);
	put_table(&table, trace, t, &opts);
	pattern[0] = name;
	filter_opts.events = pattern;
	filter_opts.event_count = 1;
	filter_opts.stacks = TDAT_STACKS_NONE;
	ck_assert_int_eq(tdat_filter_new(&filter, &filter_opts, NULL), TDAT_OK);
	iter_opts.filter = filter;
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &iter_opts, NULL), TDAT_OK);
	while (!tdat_iter_next(iter, &ev, NULL) && ev) {
		for (size_t i = 0; i < opts.column_count; i++) {
			uint64_t v;

			if (tdat_field_u64(use[i], ev->record, &v, NULL) != TDAT_OK)
				continue;
			if (use[i]->flags & TDAT_FIELD_SIGNED) {
				int64_t s = 0;

				tdat_field_i64(use[i], ev->record, &s, NULL);
				fprintf(want.f, "%s=%lld ", use[i]->name, (long long)s);
			} else {
				fprintf(want.f, "%s=%llu ", use[i]->name, (unsigned long long)v);
			}
		}
		fputc('\n', want.f);
	}
	tdat_iter_free(iter);
	tdat_filter_free(filter);
	same_text(&table, &want, path, name, "numbers");
	text_free(&table);
	text_free(&want);
	schema.release(&schema);
}

static void same_numbers(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	const struct tdat_iter_input in = {file, 0, 0};
	static bool seen[65536];
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	memset(seen, 0, sizeof(seen));
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	while (!tdat_iter_next(iter, &ev, NULL) && ev) {
		const struct tdat_event_format *f;

		if (seen[ev->id & 65535])
			continue;
		seen[ev->id & 65535] = true;
		f = tdat_file_format_by_id(file, ev->id);
		if (f)
			same_numbers_of(trace, file, f, path);
	}
	tdat_iter_free(iter);
}

START_TEST(numbers)
{
	each_trace(same_numbers, 24);
}
END_TEST

START_TEST(bad_requests)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *const columns[] = {"ts", "no such column"};
	struct tdat_iter_input none = {0};
	struct ArrowArrayStream stream;
	struct tdat_trace *trace;
	const struct tdat_table *table;

	ck_assert_int_eq(tdat_trace_new(&trace, &none, 0, NULL, NULL), TDAT_OK);
	table = tdat_trace_find(trace, "events");
	ck_assert_ptr_null(tdat_trace_find(trace, "event"));
	opts.columns = columns;
	opts.column_count = 2;
	ck_assert_int_eq(tdat_trace_stream(trace, table, &opts, &stream, &err), TDAT_E_NOT_FOUND);
	ck_assert_msg(strstr(err.message, "no such column"), "%s", err.message);
	opts.column_count = 1;
	opts.split = 2;
	opts.split_count = 2;
	ck_assert_int_eq(tdat_trace_stream(trace, table, &opts, &stream, &err), TDAT_E_USAGE);
	opts.split_count = 0;
	ck_assert_int_eq(tdat_trace_stream(trace, table, &opts, &stream, &err), TDAT_E_USAGE);
	tdat_trace_free(trace);
}
END_TEST

static enum tdat_status fail_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	size_t *left = ctx;

	(void)rows;
	if ((*left)--)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough of %s", table->name);
}

/* A function that fails ends the pass with its status and its sentence. */
static void ends(const struct tdat_trace *trace, struct tdat_file *file, const char *path)
{
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);
	const struct tdat_table **list = calloc(count, sizeof(*list));
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	(void)file;
	for (size_t i = 0; i < count; i++)
		list[i] = &tables[i];
	opts.threads = 3;
	for (size_t n = 0; n < 4; n++) {
		size_t left = n;

		ck_assert_msg(tdat_trace_read(trace, list, count, &opts, true, fail_rows, &left,
					      &err) == TDAT_E_CANCELLED,
			      "%s", path);
		ck_assert_msg(strstr(err.message, "enough of"), "%s", err.message);
	}
	free(list);
}

START_TEST(failing_consumer)
{
	each_trace(ends, 24);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tables");
	TCase *tc = tcase_create("tables");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, as_the_iterator);
	tcase_add_test(tc, in_a_span);
	tcase_add_test(tc, derived_in_a_span);
	tcase_add_test(tc, in_pieces);
	tcase_add_test(tc, in_too_many_pieces);
	tcase_add_test(tc, in_pieces_of_cut_files);
	tcase_add_test(tc, in_one_pass);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, bad_requests);
	tcase_add_test(tc, failing_consumer);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
