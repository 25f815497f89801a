/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a trace.dat, read as tables. Each array is a valid one of its schema; the tables
 * have the same rows in one pass and by streams, whole and in pieces.
 */
#include <stdbool.h>
#include <string.h>

#include <tdat/tdat.h>

#include "core/utf8.h"
#include "events.h"
#include "fuzz.h"
#include "trace.h"

/* The rows of one table: how many, and hashes of their values, in order and in any order. */
struct rows {
	uint64_t count, hash, sum;
};

static void mix(struct rows *r, const void *p, size_t len)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < len; i++)
		r->hash = (r->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
	const uint8_t *bits = a->buffers[0];

	return !bits || bits[row / 8] >> (row & 7) & 1;
}

static size_t number_len(const char *format)
{
	switch (*format) {
	case 'c':
	case 'C':
		return 1;
	case 's':
	case 'S':
		return 2;
	case 'i':
	case 'I':
		return 4;
	default:
		return 8;
	}
}

static int32_t int_at(const void *p, int64_t i)
{
	int32_t v;

	memcpy(&v, (const uint8_t *)p + 4 * i, 4);
	return v;
}

static void mix_value(struct rows *r, const struct ArrowSchema *s, const struct ArrowArray *a,
		      int64_t row);

static void mix_text(struct rows *r, const char *format, const uint8_t *p, size_t len)
{
	uint32_t code;

	mix(r, p, len);
	for (size_t n; *format == 'u' && len; p += n, len -= n) {
		n = tdat_utf8_len(p, len, &code);
		FUZZ_ASSERT(n);
	}
}

static void mix_list(struct rows *r, const struct ArrowSchema *s, const struct ArrowArray *a,
		     int64_t row)
{
	const int32_t start = int_at(a->buffers[1], row), end = int_at(a->buffers[1], row + 1);

	FUZZ_ASSERT(start >= 0 && start <= end);
	if (*s->format != '+') {
		mix_text(r, s->format, (const uint8_t *)a->buffers[2] + start,
			 (size_t)(end - start));
		return;
	}
	FUZZ_ASSERT(end <= a->children[0]->length);
	for (int32_t i = start; i < end; i++)
		mix_value(r, s->children[0], a->children[0], i);
}

static void mix_value(struct rows *r, const struct ArrowSchema *s, const struct ArrowArray *a,
		      int64_t row)
{
	const bool valid = is_valid(a, row);

	mix(r, &valid, sizeof(valid));
	if (!valid)
		return;
	if (s->dictionary) {
		const int32_t index = int_at(a->buffers[1], row);

		FUZZ_ASSERT(index >= 0 && index < a->dictionary->length);
		mix_value(r, s->dictionary, a->dictionary, index);
	} else if (*s->format == 'u' || *s->format == 'z' || *s->format == '+') {
		mix_list(r, s, a, row);
	} else if (*s->format == 'b') {
		const uint8_t bit = ((const uint8_t *)a->buffers[1])[row / 8] >> (row & 7) & 1;

		mix(r, &bit, 1);
	} else {
		const size_t len = number_len(s->format);

		mix(r, (const uint8_t *)a->buffers[1] + len * (size_t)row, len);
	}
}

static void mix_rows(struct rows *r, const struct ArrowSchema *s, const struct ArrowArray *rows)
{
	FUZZ_ASSERT(rows->n_children == s->n_children);
	for (int64_t row = 0; row < rows->length; row++) {
		struct rows one = {0, 0, 0};

		for (int64_t i = 0; i < rows->n_children; i++) {
			FUZZ_ASSERT(rows->children[i]->length == rows->length);
			mix_value(&one, s->children[i], rows->children[i], row);
		}
		mix(r, &one.hash, sizeof(one.hash));
		r->sum += one.hash;
	}
	r->count += (uint64_t)rows->length;
}

/* Adds the rows of a stream; false: there is none, for want of memory or because of a limit. */
static bool read_stream(struct rows *r, const struct tdat_trace *trace,
			const struct tdat_table *table, const struct tdat_table_opts *opts)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray rows;
	int rc;

	if (tdat_trace_stream(trace, table, opts, &stream, &err) != TDAT_OK) {
		FUZZ_ASSERT(*err.message);
		return false;
	}
	FUZZ_ASSERT(!stream.get_schema(&stream, &schema));
	while (!(rc = stream.get_next(&stream, &rows)) && rows.release) {
		mix_rows(r, &schema, &rows);
		rows.release(&rows);
	}
	FUZZ_ASSERT(!rc || *stream.get_last_error(&stream));
	schema.release(&schema);
	stream.release(&stream);
	return !rc;
}

static void check_pieces(const struct tdat_trace *trace, const struct tdat_table *table,
			 const struct rows *whole, uint32_t count)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct rows r = {0, 0, 0};

	opts.split_count = count;
	for (opts.split = 0; opts.split < count; opts.split++)
		if (!read_stream(&r, trace, table, &opts))
			return;
	/*
	 * The same rows; in the same order, too, unless the time of a CPU goes back where no time
	 * stamp was looked at to find the cuts.
	 */
	FUZZ_ASSERT(r.count == whole->count && r.sum == whole->sum);
}

struct pass {
	const struct tdat_trace *trace;
	struct rows *rows;
};

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct pass *p = ctx;
	struct ArrowSchema schema;
	enum tdat_status st = tdat_trace_schema(p->trace, table, NULL, &schema, err);

	if (st != TDAT_OK)
		return st;
	mix_rows(&p->rows[table->index], &schema, rows);
	schema.release(&schema);
	return TDAT_OK;
}

static void run(const struct tdat_trace *trace, size_t size)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(trace, &count);
	const struct tdat_table **list = calloc(count, sizeof(*list));
	struct pass p = {trace, calloc(count, sizeof(struct rows))};

	opts.threads = 1;
	for (size_t i = 0; list && i < count; i++)
		list[i] = &tables[i];
	if (list && p.rows &&
	    tdat_trace_read(trace, list, count, &opts, false, take_rows, &p, NULL) == TDAT_OK)
		for (size_t i = 0; i < count; i++) {
			struct rows r = {0, 0, 0};

			/* Tables without rows are all alike: some are enough. */
			if (!p.rows[i].count && i % 37)
				continue;
			if (!read_stream(&r, trace, &tables[i], NULL))
				continue;
			FUZZ_ASSERT(r.count == p.rows[i].count && r.hash == p.rows[i].hash);
			if (i < 3)
				check_pieces(trace, &tables[i], &r, (uint32_t)(2 + size % 5));
		}
	free(p.rows);
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_trace *trace;

	if (tdat_file_open_memory(&in.file, data, size, "fuzz", &opts, NULL) != TDAT_OK)
		return 0;
	if (tdat_trace_new(&trace, &in, 1, NULL, NULL) == TDAT_OK) {
		run(trace, size);
		tdat_trace_free(trace);
	}
	tdat_file_close(in.file);
	return 0;
}
