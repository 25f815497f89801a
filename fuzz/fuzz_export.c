/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of what to ask for, a byte that says when writing fails, then any bytes as a trace.dat:
 * its tables through each exporter of tables, or through one that the first byte names, which is
 * several times as fast. One thread and three write the same bytes for each table, with two names
 * of the file as two inputs, too; files begin and end as their format says, lines of JSON and
 * records of CSV are valid; an output that fails ends the export with its sentence.
 */
#include <string.h>

#include "core/build.h"
#include "syntax.h"
#include "trace.h"

/*
 * MemorySanitizer takes what SQLite writes, which is not built for it, for uninitialised; SQLite's
 * exporter is the only one that has a file of its own.
 */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define WITHOUT_OWN_FILES 1
#endif
#endif
#ifndef WITHOUT_OWN_FILES
#define WITHOUT_OWN_FILES 0
#endif

/* What is above FLAG_ONE is 0 for all exporters, or says which one. */
enum { FLAG_TWICE = 1, FLAG_FAIL = 2, FLAG_SMALL = 4, FLAG_ALL = 8, FLAG_ONE = 16 };
enum { INPUTS_MOST = 2 };

/* One table of an export. */
struct part {
	struct writing *writing;
	struct tdat_build bytes;
	void *state; /* NULL: no rows came */
	uint64_t rows;
};

struct writing {
	const struct tdat_trace *trace;
	const struct tdat_columns_ops *ops;
	void *state;
	size_t fail_at; /* bytes of a table at which writing fails; SIZE_MAX: never */
	struct part *parts;
};

static enum tdat_status keep(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct part *p = ctx;

	if (p->bytes.len + len > p->writing->fail_at)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "the output is full");
	tdat_build_bytes(&p->bytes, data, len);
	return TDAT_OK;
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct writing *x = ctx;
	struct part *p = &x->parts[table->index];
	struct ArrowSchema schema;
	enum tdat_status st = TDAT_OK;

	if (!p->state) {
		st = tdat_trace_schema(x->trace, table, NULL, &schema, err);
		if (st != TDAT_OK)
			return st;
		st = x->ops->table_begin(x->state, table->name, &schema, keep, p, &p->state, err);
		schema.release(&schema);
	}
	p->rows += (uint64_t)rows->length;
	return st == TDAT_OK ? x->ops->batch(p->state, rows, err) : st;
}

/* Ends all tables. After a failure they are given up, which cannot fail. */
static enum tdat_status end_parts(struct writing *x, size_t count, enum tdat_status st)
{
	for (size_t i = 0; i < count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		enum tdat_status ended;

		if (!x->parts[i].state)
			continue;
		ended = x->ops->table_end(x->parts[i].state, st != TDAT_OK, &err);
		FUZZ_ASSERT(st == TDAT_OK || ended == TDAT_OK);
		FUZZ_ASSERT(ended == TDAT_OK || *err.message);
		st = st == TDAT_OK ? ended : st;
	}
	return st;
}

static enum tdat_status run_tables(struct writing *x, uint8_t flags, uint32_t threads)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t count, n = 0;
	const struct tdat_table *tables = tdat_trace_tables(x->trace, &count);
	const struct tdat_table **list = calloc(count + 1, sizeof(*list));
	enum tdat_status st = TDAT_E_NOMEM;

	for (size_t i = 0; list && i < count; i++)
		if (flags & FLAG_ALL || tables[i].kind != TDAT_TABLE_DERIVED)
			list[n++] = &tables[i];
	opts.threads = threads;
	opts.batch_rows = flags & FLAG_SMALL ? 7 : 0;
	if (list)
		st = tdat_trace_read(x->trace, list, n, &opts, x->ops->own_file, take_rows, x,
				     &err);
	FUZZ_ASSERT(!list || st == TDAT_OK || *err.message);
	free(list);
	return end_parts(x, count, st);
}

/* Exports all tables; parts has the bytes of each, also after a failure. */
static enum tdat_status write_all(const struct tdat_exporter *exporter,
				  const struct tdat_trace *trace, const uint8_t ask[2],
				  uint32_t threads, struct part *parts, size_t count)
{
	static const struct tdat_keyed_option path = {"path", ":memory:"};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct writing x = {.trace = trace, .ops = exporter->columns, .parts = parts};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;
	struct tdat_span tail;
	enum tdat_status st;

	request.options = &path;
	request.option_count = exporter->columns->own_file;
	for (size_t i = 0; i < count; i++) {
		parts[i] = (struct part){.writing = &x};
		tdat_build_init(&parts[i].bytes, false);
	}
	x.fail_at = ask[0] & FLAG_FAIL ? (size_t)ask[1] * 16 : SIZE_MAX;
	st = tdat_export_new(&e, exporter, &request, &err);
	if (st != TDAT_OK) {
		FUZZ_ASSERT(*err.message);
		return st;
	}
	x.state = tdat_export_ctx(e);
	st = run_tables(&x, ask[0], threads);
	if (st == TDAT_OK)
		st = tdat_export_end(e, &tail, &err);
	tdat_export_free(e);
	return st;
}

/* ---- what formats promise ---- */

static bool is_between(const struct tdat_build *b, const char *head, const char *tail)
{
	const size_t n = strlen(head), m = strlen(tail);

	return b->len >= n + m && !memcmp(b->ptr, head, n) && !memcmp(b->ptr + b->len - m, tail, m);
}

static void check_jsonl(const struct part *p)
{
	const char *at = (const char *)p->bytes.ptr, *end = at + p->bytes.len;
	uint64_t lines = 0;

	for (; at < end; lines++) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		FUZZ_ASSERT(line_end && fuzz_is_json_object(at, (size_t)(line_end - at)));
		at = line_end + 1;
	}
	FUZZ_ASSERT(lines == p->rows);
}

static void check_csv(const struct part *p)
{
	const char *at = (const char *)p->bytes.ptr;
	size_t left = p->bytes.len, head = 0, columns, n;
	uint64_t lines = 0;

	for (; left; at += n, left -= n, lines++) {
		n = fuzz_csv_record(at, left, &columns);
		FUZZ_ASSERT(n && (!lines || columns == head));
		head = columns;
	}
	FUZZ_ASSERT(lines == p->rows + 1);
}

static void check_part(const char *name, const struct part *p)
{
	if (!strcmp(name, "parquet"))
		FUZZ_ASSERT(is_between(&p->bytes, "PAR1", "PAR1"));
	else if (!strcmp(name, "arrow"))
		FUZZ_ASSERT(is_between(&p->bytes, "ARROW1", "ARROW1"));
	else if (!strcmp(name, "jsonl"))
		check_jsonl(p);
	else if (!strcmp(name, "csv"))
		check_csv(p);
}

static void use(const struct tdat_exporter *exporter, const struct tdat_trace *trace,
		const uint8_t ask[2])
{
	size_t count;
	enum tdat_status st = TDAT_OK, again = TDAT_OK;
	struct part *one, *three;

	tdat_trace_tables(trace, &count);
	one = calloc(count + 1, sizeof(*one));
	three = calloc(count + 1, sizeof(*three));
	if (one && three) {
		st = write_all(exporter, trace, ask, 1, one, count);
		again = write_all(exporter, trace, ask, 3, three, count);
		FUZZ_ASSERT(st == again);
	}
	for (size_t i = 0; one && three && i < count; i++) {
		if (st == TDAT_OK && one[i].rows) {
			FUZZ_ASSERT(one[i].rows == three[i].rows);
			FUZZ_ASSERT(one[i].bytes.len == three[i].bytes.len);
			FUZZ_ASSERT(
				!one[i].bytes.len ||
				!memcmp(one[i].bytes.ptr, three[i].bytes.ptr, one[i].bytes.len));
			if (!exporter->columns->own_file)
				check_part(exporter->name, &one[i]);
		}
		tdat_build_fini(&one[i].bytes);
		tdat_build_fini(&three[i].bytes);
	}
	free(one);
	free(three);
}

static bool is_asked(unsigned which, size_t exporter, size_t count)
{
	return !which || (which - 1) % count == exporter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_iter_input in[INPUTS_MOST] = {{NULL, 0, 0}, {NULL, 500, 0}};
	struct tdat_trace *trace;
	size_t count;
	const struct tdat_exporter *const *exporters = tdat_exporters(&count);

	if (size < 2 || tdat_file_open_memory(&in[0].file, data + 2, size - 2, "fuzz \"\xff\n",
					      &opts, NULL) != TDAT_OK)
		return 0;
	in[1].file = in[0].file;
	if (tdat_trace_new(&trace, in, data[0] & FLAG_TWICE ? 2 : 1, NULL, NULL) == TDAT_OK) {
		for (size_t i = 0; i < count; i++)
			if (exporters[i]->columns &&
			    !(WITHOUT_OWN_FILES && exporters[i]->columns->own_file) &&
			    is_asked(data[0] / FLAG_ONE, i, count))
				use(exporters[i], trace, data);
		tdat_trace_free(trace);
	}
	tdat_file_close(in[0].file);
	return 0;
}
