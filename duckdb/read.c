/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the rows of a bound call of read_tdat. The trace is cut into pieces by time; each thread
 * takes the next piece that nobody has, opens a stream of the columns that the query reads, and
 * copies a part of a batch into each chunk that DuckDB asks for. A single thread takes the pieces
 * in order, so that rows come in the order of the table. Memory is that of one stream and one batch
 * for each thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind.h"

enum {
	PIECE_LEN = 2 << 20, /* bytes of events of a piece, at least */
	BATCH_ROWS = 16384,  /* few, so that all columns of a batch stay in the cache */
};

/* Columns of a chunk that the stream has not. */
enum { FROM_NOTHING = -1, FROM_PATH = -2 };

/* A scan: what its threads share. */
struct scan {
	struct duck_source *source; /* a reference */
	int *from;		    /* of each column of a chunk: its place in the stream */
	size_t column_count;
	const char **names; /* columns of the stream, borrowed */
	size_t name_count;
	uint32_t pieces, next; /* next: atomic */
};

/* The reader of a thread. It has a reference of its own, as DuckDB frees in any order. */
struct reader {
	struct duck_source *source; /* NULL: it has not begun */
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray batch;
	size_t row; /* the next one of the batch */
	uint64_t chunk;
	struct duck_strings *strings; /* of each column of the stream */
	size_t string_count;
	struct tdat_error damage;
};

/* ---- the scan ---- */

static void scan_free(void *scan)
{
	struct scan *s = scan;

	if (!s)
		return;
	duck_source_put(s->source);
	free(s->from);
	free(s->names);
	free(s);
}

/* Tables of events and losses are cut; the rows of others are in piece 0. */
static uint32_t piece_count(const struct duck_source *s)
{
	const uint64_t n = duck_source_bytes(s) / PIECE_LEN + 1;
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const uint64_t most = cpus > 1 ? (uint64_t)cpus : 1; /* each searches for the cuts of all */

	if (s->table->kind == TDAT_TABLE_META || s->table->kind == TDAT_TABLE_DERIVED)
		return 1;
	return (uint32_t)(n < most ? n : most);
}

/* Chooses the columns of the stream; it has one at least, as a batch without any has no rows. */
static void choose_columns(struct scan *s, duckdb_init_info info)
{
	const struct duck_source *source = s->source;

	for (size_t i = 0; i < s->column_count; i++) {
		const idx_t place = duckdb_init_get_column_index(info, i);

		if (place == source->path_column && source->input_count == 1)
			s->from[i] = FROM_PATH;
		else if (place >= source->column_count)
			s->from[i] = FROM_NOTHING;
		else {
			s->from[i] = (int)s->name_count;
			s->names[s->name_count++] =
				place == source->path_column ? "file" : source->columns[place];
		}
	}
	if (!s->name_count)
		s->names[s->name_count++] = source->columns[0];
}

static void init(duckdb_init_info info)
{
	struct scan *s = calloc(1, sizeof(*s));
	const idx_t count = duckdb_init_get_column_count(info);

	if (s) {
		s->source = duck_source_get(duckdb_init_get_bind_data(info));
		s->from = calloc(count + 1, sizeof(*s->from));
		s->names = calloc(count + 1, sizeof(*s->names));
	}
	if (!s || !s->from || !s->names) {
		scan_free(s);
		duckdb_init_set_error(info, "read_tdat: no memory for a scan");
		return;
	}
	s->column_count = count;
	choose_columns(s, info);
	s->pieces = piece_count(s->source);
	duckdb_init_set_max_threads(info, s->pieces);
	duckdb_init_set_init_data(info, s, scan_free);
}

/* ---- the reader of a thread ---- */

static void release_batch(struct reader *r)
{
	if (r->batch.release)
		r->batch.release(&r->batch);
	r->row = 0;
}

static void close_stream(struct reader *r)
{
	release_batch(r);
	if (r->schema.release)
		r->schema.release(&r->schema);
	if (r->stream.release)
		r->stream.release(&r->stream);
}

static void reader_free(void *reader)
{
	struct reader *r = reader;

	close_stream(r);
	for (size_t i = 0; i < r->string_count; i++) {
		free(r->strings[i].made);
		free(r->strings[i].chunk);
	}
	free(r->strings);
	duck_source_put(r->source);
	free(r);
}

static void init_local(duckdb_init_info info)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		duckdb_init_set_error(info, "read_tdat: no memory for a reader");
	else
		duckdb_init_set_init_data(info, r, reader_free);
}

/* Keeps the first damage of a stream, which fails at its end, if the call is strict. */
static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct reader *r = ctx;
	const struct duck_source *s = r->source;
	const struct tdat_buffer *b;
	size_t buffers;

	if (!count || !s->strict || r->damage.status)
		return;
	b = &tdat_file_buffers(s->inputs[damage->input].file, &buffers)[damage->buffer];
	tdat_error_set(
		&r->damage, TDAT_E_DAMAGED, damage->off,
		"%.200s: CPU %u%s%.40s: %llu damaged pages; the first at offset %llu: %.200s",
		tdat_file_info(s->inputs[damage->input].file)->name, damage->cpu,
		*b->name ? " of " : "", b->name, (unsigned long long)damage->bad_pages,
		(unsigned long long)damage->off, damage->message);
}

/* The sentence of an event type without a sound format; tables of one type need no other. */
static enum tdat_status check_undescribed(const struct duck_source *s, struct tdat_error *err)
{
	struct tdat_error first = TDAT_ERROR_INIT;

	for (size_t i = 0; s->strict && s->table->kind != TDAT_TABLE_EVENT && i < s->input_count;
	     i++)
		if (tdat_file_undescribed(s->inputs[i].file, &first))
			return tdat_error_set(err, TDAT_E_DAMAGED, first.off, "%.200s: %.300s",
					      tdat_file_info(s->inputs[i].file)->name,
					      first.message);
	return TDAT_OK;
}

static enum tdat_status stream_failed(struct reader *r, int rc, struct tdat_error *err)
{
	const char *sentence = r->stream.get_last_error(&r->stream);

	return tdat_error_set(err, rc == ENOMEM ? TDAT_E_NOMEM : TDAT_E_SYSTEM, TDAT_NO_OFFSET,
			      "%s", sentence ? sentence : "the table cannot be read");
}

static enum tdat_status begin(struct reader *r, const struct scan *s, struct tdat_error *err)
{
	r->source = duck_source_get(s->source);
	r->strings = calloc(s->name_count + 1, sizeof(*r->strings));
	if (!r->strings)
		return tdat_error_no_memory(err, "a reader");
	r->string_count = s->name_count;
	return TDAT_OK;
}

static enum tdat_status open_piece(struct reader *r, const struct scan *s, uint32_t piece,
				   struct tdat_error *err)
{
	struct tdat_table_opts opts = s->source->opts;
	enum tdat_status st;
	int rc;

	opts.columns = s->names;
	opts.column_count = s->name_count;
	opts.batch_rows = BATCH_ROWS;
	opts.split = piece;
	opts.split_count = s->pieces;
	opts.damage = take_damage;
	opts.damage_ctx = r;
	st = tdat_trace_stream(s->source->trace, s->source->table, &opts, &r->stream, err);
	if (st != TDAT_OK)
		return st;
	rc = r->stream.get_schema(&r->stream, &r->schema);
	return rc ? stream_failed(r, rc, err) : TDAT_OK;
}

/* Ends a piece: what could not be read of it is a failure. */
static enum tdat_status end_piece(struct reader *r, struct tdat_error *err)
{
	close_stream(r);
	if (r->damage.status) {
		*err = r->damage;
		return r->damage.status;
	}
	return check_undescribed(r->source, err);
}

/* Makes the batch have a row, of this piece or another; *end: there is none. */
static enum tdat_status next_rows(struct reader *r, struct scan *s, bool *end,
				  struct tdat_error *err)
{
	enum tdat_status st = r->source ? TDAT_OK : begin(r, s, err);

	while (st == TDAT_OK && (!r->batch.release || r->row == (size_t)r->batch.length)) {
		uint32_t piece;
		int rc;

		release_batch(r);
		if (!r->stream.release) {
			piece = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
			*end = piece >= s->pieces;
			if (*end)
				return TDAT_OK;
			st = open_piece(r, s, piece, err);
			continue;
		}
		rc = r->stream.get_next(&r->stream, &r->batch);
		if (rc)
			st = stream_failed(r, rc, err);
		else if (!r->batch.release)
			st = end_piece(r, err);
	}
	return st;
}

static bool fill(struct reader *r, const struct scan *s, duckdb_data_chunk chunk, size_t count)
{
	r->chunk++;
	for (size_t i = 0; i < s->column_count; i++) {
		duckdb_vector to;
		size_t k;

		if (s->from[i] == FROM_NOTHING)
			continue;
		to = duckdb_data_chunk_get_vector(chunk, i);
		if (s->from[i] == FROM_PATH) {
			duck_put_text(to, count, tdat_file_info(s->source->inputs[0].file)->name);
			continue;
		}
		k = (size_t)s->from[i];
		if (!duck_put(to, r->schema.children[k], r->batch.children[k], r->row, count,
			      &r->strings[k], r->chunk))
			return false;
	}
	r->row += count;
	return true;
}

/* DuckDB asks for chunks until one is empty. */
static void next_chunk(duckdb_function_info info, duckdb_data_chunk chunk)
{
	struct reader *r = duckdb_function_get_local_init_data(info);
	struct scan *s = duckdb_function_get_init_data(info);
	struct tdat_error err = TDAT_ERROR_INIT;
	bool end = false;
	enum tdat_status st = next_rows(r, s, &end, &err);
	size_t count = 0;

	if (st == TDAT_OK && !end) {
		count = (size_t)r->batch.length - r->row;
		if (count > duckdb_vector_size())
			count = duckdb_vector_size();
		if (!fill(r, s, chunk, count))
			st = tdat_error_no_memory(&err, "a chunk of rows");
	}
	if (st != TDAT_OK) {
		tdat_error_prefix(&err, "read_tdat");
		duckdb_function_set_error(info, err.message);
	}
	duckdb_data_chunk_set_size(chunk, st == TDAT_OK ? count : 0);
}

bool duck_register_read(duckdb_connection connection)
{
	duckdb_table_function f = duckdb_create_table_function();
	bool good;

	duckdb_table_function_set_name(f, "read_tdat");
	duck_bind_parameters(f);
	duckdb_table_function_set_bind(f, duck_bind);
	duckdb_table_function_set_init(f, init);
	duckdb_table_function_set_local_init(f, init_local);
	duckdb_table_function_set_function(f, next_chunk);
	duckdb_table_function_supports_projection_pushdown(f, true);
	good = duckdb_register_table_function(connection, f) == DuckDBSuccess;
	duckdb_destroy_table_function(&f);
	return good;
}
