/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Returns the rows of one table as an Arrow C stream. A stream has a reader of its own over the
 * trace or a piece of it. Consumers may call it from any thread, one at a time. Damage on the way
 * goes to the function of the options. Options are copied, as the caller's end with the call.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_schema.h"
#include "reader.h"
#include "trace.h"

/* private_data of the stream. */
struct table_stream {
	const struct tdat_trace *trace;
	struct reader_choice choice;
	struct tdat_table_opts opts;
	uint32_t *cpus;
	int32_t *pids;
	struct read_cuts *cuts;
	struct reader *reader;
	bool ended;
	struct tdat_error err;
};

static void free_stream(struct table_stream *s)
{
	reader_free(s->reader);
	read_cuts_free(s->cuts);
	reader_choice_fini(&s->choice);
	free(s->cpus);
	free(s->pids);
	free(s);
}

/* Consumers know errno values; get_last_error() has the sentence. */
static int errno_of(enum tdat_status st)
{
	switch (st) {
	case TDAT_OK:
		return 0;
	case TDAT_E_NOMEM:
		return ENOMEM;
	case TDAT_E_USAGE:
	case TDAT_E_NOT_FOUND:
		return EINVAL;
	case TDAT_E_CANCELLED:
		return ECANCELED;
	default:
		return EIO;
	}
}

/* Each call makes a new schema, which the consumer frees. */
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
	struct table_stream *s = stream->private_data;

	tdat_error_reset(&s->err);
	return errno_of(table_arrow_schema(out, s->trace, s->choice.table, s->choice.all,
					   s->choice.columns, s->choice.column_count, &s->err));
}

/* Reports damage and notes once, after the last batch. */
static void end_stream(struct table_stream *s)
{
	size_t count;
	const struct tdat_stream_damage *damage = reader_damage(s->reader, &count);

	if (s->opts.damage && !s->ended)
		s->opts.damage(s->opts.damage_ctx, damage, count);
	if (!s->ended)
		reader_notes(s->reader, &s->opts);
	s->ended = true;
}

/*
 * An array without release marks the end, as the interface asks. Arrays own their rows: consumers
 * keep them while they ask for more.
 */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
	struct table_stream *s = stream->private_data;
	const struct reader_table *full = NULL;
	enum tdat_status st = TDAT_OK;

	memset(out, 0, sizeof(*out));
	tdat_error_reset(&s->err);
	if (s->ended)
		return 0;
	st = reader_next(s->reader, &full, &s->err);
	if (st == TDAT_OK && full)
		st = reader_array(full, out, true, &s->err);
	if (st == TDAT_OK && !full)
		end_stream(s);
	return errno_of(st);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	const struct table_stream *s = stream->private_data;

	return *s->err.message ? s->err.message : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
	free_stream(stream->private_data);
	stream->release = NULL;
}

/*
 * Copies the options and the lists that they point to. The filter is borrowed: it must outlive the
 * stream.
 */
static enum tdat_status keep_opts(struct table_stream *s, const struct tdat_table_opts *opts,
				  struct tdat_error *err)
{
	enum tdat_status st = trace_take_opts(&s->opts, opts, err);

	if (st == TDAT_OK && s->opts.cpus) {
		s->cpus = calloc(s->opts.cpu_count + 1, sizeof(*s->cpus));
		if (!s->cpus)
			return tdat_error_no_memory(err, "a stream");
		memcpy(s->cpus, s->opts.cpus, s->opts.cpu_count * sizeof(*s->cpus));
		s->opts.cpus = s->cpus;
	}
	if (st == TDAT_OK && s->opts.pids) {
		s->pids = calloc(s->opts.pid_count + 1, sizeof(*s->pids));
		if (!s->pids)
			return tdat_error_no_memory(err, "a stream");
		memcpy(s->pids, s->opts.pids, s->opts.pid_count * sizeof(*s->pids));
		s->opts.pids = s->pids;
	}
	return st;
}

/* The columns of one table, which must have all that are named. */
static enum tdat_status choose_one(struct reader_choice *c, const struct tdat_trace *trace,
				   const struct tdat_table *table,
				   const struct tdat_table_opts *opts, struct tdat_error *err)
{
	enum tdat_status st = reader_choose(c, trace, table, opts, err);
	struct tdat_near missing = {.word = NULL};

	if (st == TDAT_OK)
		st = reader_missing(&missing, trace, c, 1, opts, err);
	if (!missing.word)
		return st;
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
			      "table %s has no column '%.80s'%s", table->name, missing.word,
			      tdat_near_hint(&missing, ""));
}

/*
 * Opens the reader over the whole trace, or over one split of it. Derived tables are whole in the
 * first split.
 */
static enum tdat_status open_stream(struct table_stream *s, const struct tdat_table *table,
				    struct tdat_error *err)
{
	const bool split = s->opts.split_count > 0;
	struct reader_span span = {.opts = &s->opts, .metas = !split || !s->opts.split};
	uint32_t each;
	enum tdat_status st = choose_one(&s->choice, s->trace, table, &s->opts, err);

	if (st != TDAT_OK)
		return st;
	if (split && !s->choice.derived) {
		st = trace_cuts(&s->cuts, s->trace, &s->opts, &span.first, &each, err);
		span.cuts = s->cuts;
		span.end = span.first + each;
	}
	return st == TDAT_OK ? reader_new(&s->reader, s->trace, &s->choice, 1, &span, err) : st;
}

/* Makes a stream. After a failure *out has no release. */
enum tdat_status tdat_trace_stream(const struct tdat_trace *trace, const struct tdat_table *table,
				   const struct tdat_table_opts *opts, struct ArrowArrayStream *out,
				   struct tdat_error *err)
{
	struct table_stream *s;
	enum tdat_status st;

	memset(out, 0, sizeof(*out));
	s = calloc(1, sizeof(*s));
	if (!s)
		return tdat_error_no_memory(err, "a stream");
	s->trace = trace;
	tdat_error_reset(&s->err);
	st = keep_opts(s, opts, err);
	if (st == TDAT_OK)
		st = open_stream(s, table, err);
	if (st != TDAT_OK) {
		free_stream(s);
		return st;
	}
	out->get_schema = get_schema;
	out->get_next = get_next;
	out->get_last_error = get_last_error;
	out->release = release;
	out->private_data = s;
	return TDAT_OK;
}

/* The schema that a stream of the table would have, without reading an event. */
enum tdat_status tdat_trace_schema(const struct tdat_trace *trace, const struct tdat_table *table,
				   const struct tdat_table_opts *opts, struct ArrowSchema *out,
				   struct tdat_error *err)
{
	struct tdat_table_opts own;
	struct reader_choice c;
	enum tdat_status st = trace_take_opts(&own, opts, err);

	memset(out, 0, sizeof(*out));
	if (st != TDAT_OK)
		return st;
	st = choose_one(&c, trace, table, &own, err);
	if (st == TDAT_OK)
		st = table_arrow_schema(out, trace, table, c.all, c.columns, c.column_count, err);
	reader_choice_fini(&c);
	return st;
}
