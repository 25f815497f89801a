/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the tables of a trace with the number of their rows, for tdat list --tables, latency --list
 * and .tables of tdat sql, and says why a table has none. Events are counted once for all tables of
 * event types, other rows are read; the reasons are those of tdat_table_lacks.
 */
#include "tables/table_list.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/stat.h>
#include <tdat/summary.h>

#include "terminal/message.h"
#include "terminal/screen.h"
#include "terminal/safe_text.h"

static const struct tdat_event_format *format_of(const struct tdat_iter_input *inputs,
						 const struct tdat_stat_event *e)
{
	return tdat_file_format_by_id(inputs[e->input].file, e->id);
}

/* ---- the list ---- */

static bool is_listed(const struct cli_table_list *def, const struct tdat_table *table)
{
	return (!def->derived || table->kind == TDAT_TABLE_DERIVED) &&
	       (!def->glob || !fnmatch(def->glob, table->name, 0));
}

/* Whether the rows are events, or losses before some. */
static bool is_event(const struct tdat_table *table)
{
	return table->kind <= TDAT_TABLE_LOST;
}

/* Each table has a number of its own, hence threads need no lock. */
static enum tdat_status count_rows(void *ctx, const struct tdat_table *table,
				   const struct ArrowArray *rows, struct tdat_error *err)
{
	uint64_t *counts = ctx;

	(void)err;
	counts[table->index] += (uint64_t)rows->length;
	return TDAT_OK;
}

/* Orders as tdat_trace_tables does: event types last and by name. */
static int by_name(const void *key, const void *element)
{
	const struct tdat_event_format *f = key;
	const struct tdat_table *t = element;
	const int c = t->event ? strcmp(tdat_event_format_system(f), t->system) : 1;

	return c ? c : strcmp(tdat_event_format_name(f), t->event);
}

/* Events are counted in any order, which costs a small part of what making their rows does. */
static enum tdat_status count_events(const struct tdat_table *all, size_t count, uint64_t *rows,
				     const struct tdat_iter_input *inputs, size_t input_count,
				     struct tdat_error *err)
{
	size_t n, lost = 0;
	struct tdat_stat *st;
	const struct tdat_stat_event *e;
	const struct tdat_stat_stream *s;

	if (tdat_stat_new(&st, inputs, input_count, NULL, err))
		return err->status;
	for (size_t k = 0; k < count; k++)
		if (all[k].kind == TDAT_TABLE_LOST)
			lost = k;
	s = tdat_stat_streams(st, &n);
	for (size_t i = 0; i < n; i++)
		rows[lost] += s[i].losses;
	e = tdat_stat_events(st, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tdat_event_format *f = format_of(inputs, &e[i]);
		const struct tdat_table *t =
			f ? bsearch(f, all, count, sizeof(*all), by_name) : NULL;

		if (t)
			rows[t->index] += e[i].count;
		rows[0] += e[i].count;
	}
	tdat_stat_free(st);
	return TDAT_OK;
}

static void put_json(struct tdat_json *j, const struct tdat_table *t, uint64_t rows)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "name", t->name);
	if (t->is_dear)
		tdat_json_null(j, "rows");
	else
		tdat_json_u64(j, "rows", rows);
	tdat_json_str(j, "about", t->about.summary);
	tdat_json_str(j, "needs", t->about.needs);
	tdat_json_object_end(j);
}

static void put_line(const struct cli_table_list *def, const struct tdat_table *t, uint64_t rows)
{
	const int len = (int)strlen(t->name);

	def->put(t->name);
	printf("%*s ", len < 32 ? 32 - len : 0, "");
	if (t->is_dear)
		printf("%10s  ", "-");
	else
		printf("%10" PRIu64 "  ", rows);
	cli_screen_fold(t->about.summary ? t->about.summary
			: t->event	 ? "events of this type"
					 : "a pair given by --pair",
			(len < 32 ? 32 : (size_t)len) + 13, 45);
}

int cli_table_list(const struct tdat_trace *trace, const struct cli_table_list *def,
		   struct tdat_json *j)
{
	/* No column: rows are counted, and what they have is not made. */
	static const char *const columns[] = {NULL};
	struct tdat_table_opts opts = *def->opts;
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t count, n = 0;
	const struct tdat_table *all = tdat_trace_tables(trace, &count);
	const struct tdat_table **listed = calloc(count + 1, sizeof(const struct tdat_table *));
	uint64_t *rows = calloc(count + 1, sizeof(*rows));
	int rc = listed && rows ? CLI_OK : cli_nomem();

	opts.columns = columns;
	opts.column_count = 0;
	for (size_t i = 0; i < count && rc == CLI_OK; i++)
		if (is_listed(def, &all[i]) && !is_event(&all[i]) && !all[i].is_dear)
			listed[n++] = &all[i];
	if (rc == CLI_OK && !def->derived &&
	    count_events(all, count, rows, def->inputs, def->input_count, &err))
		rc = cli_fail(NULL, &err);
	if (n && rc == CLI_OK &&
	    tdat_trace_read(trace, listed, n, &opts, false, count_rows, rows, &err))
		rc = cli_fail(NULL, &err);
	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		if (is_listed(def, &all[i]) && j)
			put_json(j, &all[i], rows[i]);
		else if (is_listed(def, &all[i]))
			put_line(def, &all[i], rows[i]);
	}
	free(listed);
	free(rows);
	return rc;
}

/* ---- a table without rows ---- */

/* The same of the events that pass a filter; NULL: of all. */
static bool lacks(const char *name, const struct tdat_table_about *about,
		  const struct tdat_iter_input *inputs, size_t input_count,
		  const struct tdat_filter *filter)
{
	char sentence[TDAT_LACKS_SENTENCE_LEN], record[TDAT_LACKS_LEN];

	if (!tdat_table_lacks(sentence, record, name, about, inputs, input_count, filter))
		return false;
	cli_error(NULL, "%s", sentence);
	if (!filter)
		cli_error(NULL, "%s", record);
	return true;
}

bool cli_table_lacks(const char *name, const struct tdat_table_about *about,
		     const struct tdat_iter_input *inputs, size_t input_count,
		     const struct cli_filter *chosen)
{
	struct tdat_filter *filter = NULL;
	bool yes = about->needs && lacks(name, about, inputs, input_count, NULL);

	if (!yes && about->needs && chosen && chosen->events.count) {
		const struct cli_filter types = {.events = chosen->events};

		yes = cli_filter_make(&types, &filter) == CLI_OK &&
		      lacks(name, about, inputs, input_count, filter);
		tdat_filter_free(filter);
	}
	return yes;
}
