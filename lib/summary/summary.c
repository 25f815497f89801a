/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The frame of summaries: one pass over some tables of a trace with some of their columns. A
 * kind (grouped.c, profile.c, flame.c) names tables and columns when it is made, takes batches of
 * rows while the trace is read, and sorts its sums at the end. Rows come on one thread, in the
 * order of each table, so that groups are numbered alike whatever the number of threads.
 */
#include "summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/select.h"
#include "core/opts.h"
#include "table/trace.h"

/* Rows of a batch: so few that the second cache of a CPU has them still when they are counted. */
enum { BATCH_ROWS = 4096 };

/*
 * Makes the frame of a summary, at the start of a struct of len bytes. Rooms for all tables are
 * made at once. NULL: no memory.
 */
void *summary_new(size_t len, const struct summary_ops *ops, const struct tdat_trace *trace,
		  struct tdat_error *err)
{
	struct tdat_summary *s = calloc(1, len);
	size_t count;

	if (!s)
		goto fail;
	tdat_trace_tables(trace, &count);
	s->tables = calloc(count + 1, sizeof(*s->tables));
	s->columns = calloc(count + 1, sizeof(*s->columns) * SUMMARY_COLUMNS);
	if (!s->tables || !s->columns)
		goto fail;
	s->ops = ops;
	s->trace = trace;
	/* Times are seconds only if all inputs count them. */
	s->seconds = !trace->opts.raw_ts;
	for (size_t i = 0; i < trace->input_count; i++)
		s->seconds &= tdat_file_shows_seconds(trace->inputs[i].file);
	return s;
fail:
	if (s) {
		free(s->tables);
		free(s->columns);
	}
	free(s);
	tdat_error_no_memory(err, "a summary");
	return NULL;
}

/* Frees what the kind has, then the frame. */
void tdat_summary_free(struct tdat_summary *s)
{
	if (!s)
		return;
	s->ops->free(s);
	for (size_t i = 0; i < s->group_lists; i++)
		summary_groups_fini(&s->groups[i]);
	free(s->tables);
	free(s->columns);
	free(s->notes);
	free(s);
}

bool tdat_summary_seconds(const struct tdat_summary *s)
{
	return s->seconds;
}

/* ---- what is read ---- */

enum tdat_status summary_look(struct tdat_summary *s, const struct tdat_table *table,
			      struct summary_column **columns, struct tdat_error *err)
{
	struct summary_column *c = &s->columns[s->table_count * s->name_count];

	*columns = c;
	memset(c, 0, s->name_count * sizeof(*c));
	/* Each column is asked for by its name, because some are in the schema only then. */
	for (size_t i = 0; i < s->name_count; i++) {
		struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
		struct ArrowSchema schema;
		enum tdat_status st;

		opts.columns = &s->names[i];
		opts.column_count = 1;
		st = tdat_trace_schema(s->trace, table, &opts, &schema, err);
		if (st == TDAT_E_NOT_FOUND)
			continue;
		if (st != TDAT_OK)
			return st;
		summary_column_init(&c[i], schema.children[0]);
		schema.release(&schema);
	}
	tdat_error_reset(err);
	return TDAT_OK;
}

/* Durations cannot be summed up where an input's times are ranks of events. */
static enum tdat_status check_durations(const struct tdat_summary *s, struct tdat_error *err)
{
	bool asks = false;

	for (size_t i = 0; i < s->name_count; i++)
		asks |= !strcmp(s->names[i], "dur");
	for (size_t i = 0; asks && i < s->trace->input_count; i++)
		if (s->trace->inputs[i].ranks)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
					      "%s: its clock, counter, orders events but does not "
					      "time them, so nothing has a duration",
					      tdat_file_info(s->trace->inputs[i].file)->name);
	return TDAT_OK;
}

/* Keeps what a derived table left out, and passes it to the caller's function. */
static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	struct tdat_summary *s = ctx;

	if (s->opts->note)
		s->opts->note(s->opts->note_ctx, table, what, count);
	if (TDAT_GROW(s->notes, &s->note_cap, s->note_count + 1))
		s->notes[s->note_count++] = (struct tdat_summary_note){table->name, what, count};
	else
		s->lacks_notes = true;
}

/*
 * Points the columns at the arrays of the batch: they come in the order of names, without those
 * that the table lacks.
 */
static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct tdat_summary *s = ctx;
	size_t t = 0;
	int64_t n = 0;

	while (s->tables[t] != table)
		t++;
	s->c = &s->columns[t * s->name_count];
	for (size_t i = 0; i < s->name_count; i++)
		if (s->c[i].kind)
			s->c[i].array = rows->children[n++];
	return s->ops->rows(s, t, rows->length) ? TDAT_OK : tdat_error_no_memory(err, "a summary");
}

/* Reads the trace once. Batches are small and in order, so the kind needs no lock. */
enum tdat_status tdat_summary_run(struct tdat_summary *s, const struct tdat_table_opts *opts,
				  struct tdat_error *err)
{
	struct tdat_table_opts given = TDAT_TABLE_OPTS_INIT, own;
	enum tdat_status st;

	if (s->was_run)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a summary can be read only once");
	tdat_opts_copy(&given, sizeof(given), opts);
	own = given;
	own.columns = s->names;
	own.column_count = s->name_count;
	own.batch_rows = BATCH_ROWS;
	own.note = take_note;
	own.note_ctx = s;
	own.explain = s->explain;
	s->opts = &given;
	s->was_run = true;
	s->is_of_tasks = given.filter && (given.filter->pid_count || given.filter->comm_count ||
					  given.filter->expr_count);
	st = check_durations(s, err);
	if (st == TDAT_OK)
		st = tdat_trace_read(s->trace, s->tables, s->table_count, &own, true, take_rows, s,
				     err);
	s->opts = NULL;
	if (st == TDAT_OK && (s->lacks_notes || !s->ops->end(s)))
		st = tdat_error_no_memory(err, "a summary");
	return st;
}

/* ---- what it says ---- */

const struct tdat_summary_note *tdat_summary_notes(const struct tdat_summary *s, size_t *count)
{
	*count = s->note_count;
	return s->notes;
}

/* Only lists that are full have others. */
const struct tdat_summary_others *tdat_summary_others(const struct tdat_summary *s, size_t index)
{
	for (size_t i = 0; i < s->group_lists; i++)
		if (s->groups[i].full && !index--)
			return &s->groups[i].others;
	return NULL;
}

/* A part of the key of a group, and whether the group is that of others. */
struct tdat_summary_key summary_key(const struct summary_groups *g, size_t group, size_t part)
{
	return (struct tdat_summary_key){summary_groups_part(g, group, part, NULL),
					 summary_groups_are_others(g, group)};
}

void summary_json_key(struct tdat_json *j, const char *name, const struct summary_groups *g,
		      size_t group, size_t part)
{
	bool is_number;
	const struct tdat_span text = summary_groups_part(g, group, part, &is_number);
	char digits[24];

	if (is_number && text.len < sizeof(digits)) {
		snprintf(digits, sizeof(digits), "%.*s", (int)text.len, (const char *)text.ptr);
		tdat_json_raw(j, name, digits);
	} else if (text.ptr) {
		tdat_json_strn(j, name, text.ptr, text.len);
	} else {
		tdat_json_null(j, name);
	}
}

void summary_json_others(struct tdat_json *j, const struct summary_groups *g, size_t group)
{
	if (summary_groups_are_others(g, group))
		tdat_json_bool(j, "others", true);
}

void summary_json_notes(struct tdat_json *j, const struct tdat_summary *s, bool tables)
{
	tdat_json_array(j, "left_out");
	for (size_t i = 0; i < s->note_count; i++) {
		tdat_json_object(j, NULL);
		if (tables)
			tdat_json_str(j, "table", s->notes[i].table);
		tdat_json_str(j, "what", s->notes[i].what);
		tdat_json_u64(j, "count", s->notes[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* ---- commands that show more ---- */

void summary_put_time(const struct tdat_summary *s, uint64_t ts, char out[32])
{
	if (s->seconds)
		snprintf(out, 32, "%" PRIu64 ".%09" PRIu64, ts / 1000000000, ts % 1000000000);
	else
		snprintf(out, 32, "%" PRIu64, ts);
}

void summary_put_command(struct tdat_build *b, const struct tdat_summary *s, const char *command,
			 uint64_t from, uint64_t to, const char *const *paths, size_t path_count)
{
	const struct tdat_trace_opts *opts = &s->trace->opts;
	char begin[32], end[32];

	summary_put_time(s, from, begin);
	summary_put_time(s, to, end);
	tdat_build_printf(b, "tdat %s%s%s --from %s --until %s", command,
			  opts->raw_ts ? " --raw-ts" : "", opts->no_date ? " --nodate" : "", begin,
			  end);
	for (size_t i = 0; i < path_count; i++) {
		tdat_build_u8(b, ' ');
		tdat_build_shell_word(b, paths[i]);
	}
	tdat_build_u8(b, '\0');
}

/* The receiver of JSON, with the first failure to write. */
struct receiver {
	tdat_write_fn write;
	void *ctx;
	enum tdat_status st;
	struct tdat_error *err;
};

static void put(void *to, const void *bytes, size_t len)
{
	struct receiver *r = to;

	if (r->st == TDAT_OK)
		r->st = r->write(r->ctx, bytes, len, r->err);
}

enum tdat_status summary_json_write(summary_json_fn json, const void *what, int level,
				    tdat_write_fn write, void *ctx, struct tdat_error *err)
{
	struct receiver r = {.write = write, .ctx = ctx, .err = err};
	struct tdat_json j = {.put = put,
			      .to = &r,
			      .pretty = level >= 0,
			      .depth = level > 0 ? (uint32_t)level : 0};

	if (!json(what, &j) && r.st == TDAT_OK)
		return tdat_error_no_memory(err, "a summary");
	return r.st;
}

static bool put_json(const void *what, struct tdat_json *j)
{
	const struct tdat_summary *s = what;

	return s->ops->json(s, j);
}

/* Writes the summary as JSON. level: depth of indentation; below 0: on one line. */
enum tdat_status tdat_summary_json(const struct tdat_summary *s, int level, tdat_write_fn write,
				   void *ctx, struct tdat_error *err)
{
	return summary_json_write(put_json, s, level, write, ctx, err);
}
