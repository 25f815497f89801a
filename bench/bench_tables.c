/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the tables of a trace without an exporter: the batches of a table, or of several in one
 * pass, are made on one thread and released, and the least processor time of some runs is told.
 *
 * usage: bench_tables FILE RUNS TABLE [COLUMN]...
 *                                        the stream of one table, "sched/sched_switch"
 *        bench_tables FILE RUNS types    one pass over the tables of all event types
 *        bench_tables FILE RUNS all      the same with events, lost, and what the file says of
 * itself
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tdat/tdat.h>

/* Rows of what was read, and events: rows of the tables of event types. */
struct count {
	uint64_t rows, events;
};

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct count *c = ctx;

	(void)err;
	c->rows += (uint64_t)rows->length;
	c->events += table->kind == TDAT_TABLE_EVENT ? (uint64_t)rows->length : 0;
	return TDAT_OK;
}

static enum tdat_status read_pass(const struct tdat_trace *trace, bool types, struct count *c,
				  struct tdat_error *err)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	size_t count, n = 0;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);
	const struct tdat_table **list = calloc(count + 1, sizeof(*list));
	enum tdat_status st = TDAT_E_NOMEM;

	for (size_t i = 0; list && i < count; i++)
		if (types ? tables[i].kind == TDAT_TABLE_EVENT
			  : tables[i].kind != TDAT_TABLE_DERIVED)
			list[n++] = &tables[i];
	opts.threads = 1;
	if (list)
		st = tdat_trace_read(trace, list, n, &opts, false, take_rows, c, err);
	free(list);
	return st;
}

static enum tdat_status read_stream(const struct tdat_trace *trace, const char *name,
				    const char *const *columns, struct count *c,
				    struct tdat_error *err)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	const struct tdat_table *table = tdat_trace_find(trace, name);
	struct ArrowArrayStream stream;
	struct ArrowArray rows;
	enum tdat_status st;

	if (!table) {
		fprintf(stderr, "there is no table %s\n", name);
		return TDAT_E_NOT_FOUND;
	}
	opts.columns = *columns ? columns : NULL;
	while (columns[opts.column_count])
		opts.column_count++;
	st = tdat_trace_stream(trace, table, &opts, &stream, err);
	if (st != TDAT_OK)
		return st;
	while (!stream.get_next(&stream, &rows) && rows.release) {
		c->rows += (uint64_t)rows.length;
		c->events += (uint64_t)rows.length;
		rows.release(&rows);
	}
	if (stream.get_last_error(&stream)) {
		fprintf(stderr, "%s\n", stream.get_last_error(&stream));
		st = TDAT_E_SYSTEM;
	}
	stream.release(&stream);
	return st;
}

/* One run from the opening of the file to its closing. */
static enum tdat_status run(const char *file, const char *what, const char *const *columns,
			    struct count *c, struct tdat_error *err)
{
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_trace *trace;
	enum tdat_status st = tdat_file_open(&in.file, file, NULL, err);

	if (st != TDAT_OK)
		return st;
	st = tdat_trace_new(&trace, &in, 1, NULL, err);
	if (st == TDAT_OK) {
		if (!strcmp(what, "all") || !strcmp(what, "types"))
			st = read_pass(trace, *what == 't', c, err);
		else
			st = read_stream(trace, what, columns, c, err);
		tdat_trace_free(trace);
	}
	tdat_file_close(in.file);
	return st;
}

int main(int argc, char **argv)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct count c = {0, 0};
	double least = 0;

	if (argc < 4 || atoi(argv[2]) < 1) {
		fputs("usage: bench_tables FILE RUNS all|types|TABLE [COLUMN]...\n", stderr);
		return 2;
	}
	for (int i = 0; i < atoi(argv[2]); i++) {
		const double start = processor_time();

		memset(&c, 0, sizeof(c));
		if (run(argv[1], argv[3], (const char *const *)argv + 4, &c, &err) != TDAT_OK) {
			fprintf(stderr, "bench_tables: %s\n", err.message);
			return 1;
		}
		if (!i || processor_time() - start < least)
			least = processor_time() - start;
	}
	printf("%s: %.3f s, %.2f M events/s, %.2f M rows/s\n", argv[3], least,
	       (double)c.events / least / 1e6, (double)c.rows / least / 1e6);
	return 0;
}
